/** The modes and efforts there are, for words that come from outside. */
import type { Effort, PermissionMode } from "./event.ts";

const MODES: Readonly<Record<PermissionMode, true>> = {
  default: true,
  acceptEdits: true,
  plan: true,
  dontAsk: true,
  auto: true,
  bypassPermissions: true,
};
export const PERMISSION_MODES: readonly PermissionMode[] = Object.keys(MODES) as PermissionMode[];

export const isPermissionMode = (value: unknown): value is PermissionMode =>
  typeof value === "string" && Object.hasOwn(MODES, value);
export const permissionModeOrNull = (value: unknown): PermissionMode | null =>
  isPermissionMode(value) ? value : null;

const EFFORT_RECORD: Readonly<Record<Effort, true>> = {
  low: true,
  medium: true,
  high: true,
  xhigh: true,
  max: true,
};
export const EFFORTS: readonly Effort[] = Object.keys(EFFORT_RECORD) as Effort[];
