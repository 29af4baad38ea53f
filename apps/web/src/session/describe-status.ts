/**
 * The status line: one sentence of what is going on, and beside it every fact that makes the
 * sentence less than sure. Nothing here remembers anything: the same facts give the same words.
 */
import type { ConnectionState } from "@lodge/client";
import type {
  Activity,
  PartialBlock,
  Presence,
  SessionState,
  SessionStatus,
} from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { formatDuration, formatTime } from "../ui/format.ts";

export type StatusFacts = {
  readonly status: SessionStatus;
  readonly activity: Activity;
  readonly state: Pick<SessionState, "turn" | "run" | "tasks" | "wakeups" | "limit" | "at">;
  readonly connection: ConnectionState;
  readonly presence: Presence | null;
  /** The block being written at this moment: finer than what the log knows yet. */
  readonly writing: PartialBlock | null;
  readonly isHydrated: boolean;
  /** The server's time. */
  readonly now: number;
  /** This host's time: what the connection's own times are told in. */
  readonly localNow: number;
};

export type StatusTone = "idle" | "busy" | "needs-you" | "trouble" | "unknown";
export type StatusWords = {
  readonly tone: StatusTone;
  readonly text: string;
  readonly facts: readonly { readonly tone: "plain" | "trouble"; readonly text: string }[];
};

/** A CLI that works says something every few seconds; a tool may well be quiet for longer. */
export const QUIET_MS = 20_000;
export const QUIET_TOOL_MS = 60_000;

export function describeStatus(facts: StatusFacts): StatusWords {
  const connection = describeConnection(facts);
  if (connection !== null && !facts.isHydrated) {
    return { tone: "unknown", text: connection, facts: [] };
  }
  const own = describeActivity(facts);
  const doubts = describeDoubts(facts);
  if (connection !== null) {
    // What was true when we last heard of it is not called true now.
    const lastKnown = t("status.lastKnown", own.text);
    return { tone: "unknown", text: connection, facts: [plain(lastKnown), ...doubts] };
  }
  return { ...own, facts: [...describeBackground(facts), ...doubts] };
}

/** null: live, so the rest can be believed. */
export function describeConnection({ connection, localNow }: StatusFacts): string | null {
  switch (connection.kind) {
    case "live":
      return null;
    case "connecting":
      return t("connection.connecting");
    case "offline":
      return t("connection.offline");
    case "waiting":
      return t("connection.waiting", Math.max(0, Math.ceil((connection.until - localNow) / 1000)));
    case "ended":
      return t(`connection.ended.${connection.reason}`);
  }
}

function describeActivity({ activity, state, now, writing }: StatusFacts): {
  tone: StatusTone;
  text: string;
} {
  const since = state.turn === null ? "" : formatDuration(now - state.turn.startedAt);
  switch (activity.kind) {
    case "idle":
      return { tone: "idle", text: t(state.run?.alive ? "status.idle" : "status.asleep") };
    case "starting":
      return { tone: "busy", text: t("status.starting") };
    case "stopping":
      return { tone: "busy", text: t("status.stopping") };
    case "waiting":
      return { tone: "needs-you", text: t("status.waiting", activity.prompts) };
    case "tool":
      return {
        tone: "busy",
        text: t("status.tool", activity.name, formatDuration(now - activity.since)),
      };
    case "retrying": {
      const { endsAt, attempt } = activity.limit;
      const left = endsAt === null ? null : formatDuration(endsAt - now);
      return {
        tone: "trouble",
        text:
          left === null
            ? t("status.retrying", attempt ?? 1)
            : t("status.limited", left, formatTime(endsAt ?? 0)),
      };
    }
    case "compacting":
      return { tone: "busy", text: t("status.compacting", since) };
    case "thinking":
    case "responding":
      return {
        tone: "busy",
        text: describeWriting(writing?.kind ?? activity.kind, writing, since),
      };
  }
}

function describeWriting(
  kind: PartialBlock["kind"] | "responding",
  writing: PartialBlock | null,
  since: string,
): string {
  switch (kind) {
    case "thinking":
      return t("status.thinking", since);
    case "text":
    case "responding":
      return t("status.responding", since);
    case "tool_input":
      return t("status.preparing", writing?.toolName ?? t("tool.unknown"), since);
  }
}

function describeBackground({ state }: StatusFacts): StatusWords["facts"] {
  const tasks = state.tasks.filter((task) => task.backgrounded && task.status === "running").length;
  return [
    ...(tasks > 0 ? [plain(t("status.tasks", tasks))] : []),
    ...(state.wakeups.length > 0 ? [plain(t("status.wakeups", state.wakeups.length))] : []),
  ];
}

function describeDoubts(facts: StatusFacts): StatusWords["facts"] {
  const { presence, activity, now } = facts;
  const doubts: { tone: "plain" | "trouble"; text: string }[] = [];
  const { run } = facts.state;
  if (run?.alive === true && run.loggedIn === false) doubts.push(trouble(t("presence.loggedOut")));
  if (presence === null) return doubts;
  if (presence.runnerConnected === false) doubts.push(trouble(t("presence.runnerGone")));
  if (!presence.storeHealthy) doubts.push(trouble(t("presence.storeDown")));
  const isWorking =
    activity.kind === "thinking" || activity.kind === "responding" || activity.kind === "tool";
  if (isWorking && presence.lastLineAt !== null) {
    const quiet = now - Math.max(presence.lastLineAt, facts.state.at);
    if (quiet >= (activity.kind === "tool" ? QUIET_TOOL_MS : QUIET_MS)) {
      doubts.push(plain(t("presence.quiet", formatDuration(quiet))));
    }
  }
  return doubts;
}

const plain = (text: string) => ({ tone: "plain", text }) as const;
const trouble = (text: string) => ({ tone: "trouble", text }) as const;
