/** What people may ask of a session. */
import type { Effort, PermissionMode } from "@lodge/protocol";

export type SendInput = {
  readonly input: string;
  readonly inputId: string;
  readonly contentBlocks?: readonly unknown[];
  readonly deliver?: "queue" | "steer";
};
export type ReplaceInput = Partial<Omit<SendInput, "inputId">> & {
  readonly inputId: string;
  readonly before?: string | null;
};
export type ConfigChange = {
  readonly permissionMode?: PermissionMode;
  readonly model?: string | null;
  readonly effort?: Effort | null;
  readonly title?: string;
  readonly trust?: boolean;
};
