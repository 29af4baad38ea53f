/**
 * The log as rows, one event at a time. Rows are never changed, only replaced, and each step says
 * which places it touched, so that whoever shows them touches only those.
 *
 * An input stands where it was handed over, not where it was typed: until then it is in the queue,
 * which is shown elsewhere. A tool's result and a subagent's doings go into the row of their call.
 */
import type { EventOfType, SessionEvent } from "@lodge/protocol";
import { blockRows } from "./block-rows.ts";
import type { InputRow, Row, ToolRow, ToolTask } from "./row.ts";
import { TodoList } from "./todo-list.ts";

export class Transcript {
  #rows: Row[] = [];
  /** Where the row with this key is, or the way down to it through the tools it is nested in. */
  readonly #paths = new Map<string, readonly number[]>();
  readonly #queued = new Map<string, EventOfType<"input:queued">>();
  readonly #prompts = new Map<string, EventOfType<"permission:requested">["data"]>();
  /** Calls without a result, oldest first. */
  readonly #openTools = new Map<string, string>();
  readonly #takenInputs = new Set<string>();
  readonly #todos = new TodoList();
  /** The call that each task belongs to. */
  readonly #tasks = new Map<string, string>();
  /** The limit under way, if there is one. */
  #limitKey: string | null = null;
  /** Top-level rows of each message, for those that are superseded later. */
  readonly #keysByMessage = new Map<string, string[]>();
  /** What the process had cost at the turn before; null: not known. */
  #runCostUsd: number | null = null;
  #touched = new Set<number>();

  get rows(): readonly Row[] {
    return this.#rows;
  }

  /** Takes events; the result is the top-level places that are new or changed. */
  take(events: Iterable<SessionEvent>): readonly number[] {
    this.#touched = new Set();
    for (const event of events) this.#takeOne(event);
    return [...this.#touched].toSorted((a, b) => a - b);
  }

  #takeOne(event: SessionEvent): void {
    const base = { key: String(event.seq), at: event.at };
    switch (event.type) {
      case "input:queued":
        this.#queued.set(event.data.inputId, event);
        return;
      case "input:sent":
        return this.#append(this.#inputRow(event.data.inputId, event.at, event.data.source));
      case "input:taken":
        this.#takenInputs.add(event.data.inputId);
        return this.#setPhase(event.data.inputId, "taken");
      case "input:cancelled":
        return this.#cancelInput(event);
      case "content":
        return this.#takeContent(event);
      case "result":
        return this.#takeResult(event);
      case "turn:end":
        return this.#endTurn(event);
      case "permission:requested":
        this.#prompts.set(promptKey(event.runId, event.data.requestId), event.data);
        return;
      case "permission:resolved":
        return this.#takeAnswer(event);
      case "run:start": {
        this.#runCostUsd = 0;
        const { cwd, resume } = event.data.config;
        return this.#append({ ...base, kind: "run-start", cwd, isResumed: resume });
      }
      case "run:end": {
        this.#abandonTools();
        const { reason, code, signal, message } = event.data;
        return this.#append({
          ...base,
          kind: "run-end",
          reason,
          code,
          signal,
          message: message ?? null,
        });
      }
      case "run:error":
        return this.#append({ ...base, kind: "run-error", ...event.data });
      case "stop:requested": {
        const { scope, reason } = event.data;
        return this.#append({ ...base, kind: "stop", scope, reason: reason ?? null, by: event.by });
      }
      case "config:changed":
        // How it was set up when it was made is no news.
        if (event.seq === 1) return;
        return this.#append({
          ...base,
          kind: "config",
          change: event.data,
          by: event.by,
          isByClaude: event.source === "cli",
        });
      case "limit":
        return this.#takeLimit(event);
      case "notice":
        return this.#takeNotice(event);
      case "task:started":
      case "task:updated":
      case "task:notification":
        return this.#takeTask(event);
      case "run:ready":
      case "turn:start":
        return;
    }
  }

  #inputRow(inputId: string, at: number, source: "user" | "schedule"): InputRow {
    const queued = this.#queued.get(inputId);
    this.#queued.delete(inputId);
    return {
      key: `input:${inputId}`,
      at,
      kind: "input",
      inputId,
      text: queued?.data.text ?? null,
      contentBlocks: queued?.data.contentBlocks ?? [],
      by: queued?.by ?? null,
      phase: "sent",
      cancelReason: null,
      isSteered: queued?.data.deliver === "steer",
      isScheduled: source === "schedule",
    };
  }

  /** One that was handed over keeps its place; one that never was gets its place now. */
  #cancelInput({ at, data }: EventOfType<"input:cancelled">): void {
    if (!this.#paths.has(`input:${data.inputId}`)) {
      this.#append(this.#inputRow(data.inputId, at, "user"));
    }
    this.#replace(`input:${data.inputId}`, (row) =>
      row.kind === "input" ? { ...row, phase: "cancelled", cancelReason: data.reason } : row,
    );
  }

  #setPhase(inputId: string, phase: InputRow["phase"]): void {
    this.#replace(`input:${inputId}`, (row) => (row.kind === "input" ? { ...row, phase } : row));
  }

  #takeContent(event: EventOfType<"content">): void {
    const { data } = event;
    if (data.parentToolUseId === null) this.#endLimit();
    for (const messageId of data.supersedes ?? []) {
      for (const key of this.#keysByMessage.get(messageId) ?? []) {
        this.#replace(key, (row) => ("isSuperseded" in row ? { ...row, isSuperseded: true } : row));
      }
    }
    for (const row of blockRows(event)) {
      if (row.kind === "tool") this.#openTools.set(row.toolUseId, row.key);
      if (data.parentToolUseId !== null && this.#appendTo(`tool:${data.parentToolUseId}`, row))
        continue;
      if (row.kind === "tool" && this.#paths.has(row.key)) {
        this.#replace(row.key, () => row);
        continue;
      }
      this.#append(row);
      const keys = this.#keysByMessage.get(data.messageId);
      if (keys === undefined) this.#keysByMessage.set(data.messageId, [row.key]);
      else keys.push(row.key);
    }
  }

  #takeResult({ at, data }: EventOfType<"result">): void {
    for (const block of data.blocks) {
      const key = `tool:${block.toolUseId}`;
      // The account is of the line: with several results in it, it is not known whose it is.
      const detail = data.blocks.length === 1 ? (data.detail ?? null) : null;
      const result = { content: block.content, isError: block.isError, at, detail };
      this.#openTools.delete(block.toolUseId);
      if (!this.#paths.has(key)) {
        const orphan: ToolRow = {
          key,
          at,
          kind: "tool",
          toolUseId: block.toolUseId,
          name: null,
          input: {},
          result,
          answer: null,
          task: null,
          todos: null,
          isDenied: false,
          isAbandoned: false,
          children: [],
        };
        const { parentToolUseId } = data;
        if (parentToolUseId === null || !this.#appendTo(`tool:${parentToolUseId}`, orphan)) {
          this.#append(orphan);
        }
        continue;
      }
      this.#replace(key, (row) =>
        row.kind === "tool"
          ? { ...row, result, isAbandoned: false, todos: this.#todos.apply(row, result) }
          : row,
      );
    }
  }

  /** An answer stands in the row of the call it is about; one without a call is a row of its own. */
  #takeAnswer(event: EventOfType<"permission:resolved">): void {
    const { data, at, by } = event;
    const prompt = this.#prompts.get(promptKey(event.runId, data.requestId));
    const { outcome, message } = data;
    const key = `tool:${prompt?.toolUseId ?? ""}`;
    if (this.#paths.has(key)) {
      const changed = data.answer?.["updatedInput"];
      const answer = {
        outcome,
        at,
        by,
        message: message ?? null,
        updatedInput:
          typeof changed === "object" && changed !== null
            ? (changed as Readonly<Record<string, unknown>>)
            : null,
      };
      return this.#replace(key, (row) =>
        row.kind === "tool"
          ? { ...row, answer, isDenied: row.isDenied || outcome === "denied" }
          : row,
      );
    }
    this.#append({
      key: String(event.seq),
      at,
      kind: "answer",
      outcome,
      toolName: prompt?.displayName ?? null,
      promptKind: prompt?.kind ?? null,
      by,
      message: message ?? null,
    });
  }

  /** Said again, it is still the same limit. */
  #takeLimit({ seq, at, data }: EventOfType<"limit">): void {
    const limitKey = this.#limitKey;
    if (limitKey === null) {
      this.#limitKey = String(seq);
      const row = { kind: "limit", limit: data, saidAt: at, isOver: false } as const;
      return this.#append({ key: this.#limitKey, at, ...row });
    }
    this.#replace(limitKey, (row) =>
      row.kind === "limit" ? { ...row, limit: data, saidAt: at } : row,
    );
  }

  #endLimit(): void {
    if (this.#limitKey === null) return;
    this.#replace(this.#limitKey, (row) => (row.kind === "limit" ? { ...row, isOver: true } : row));
    this.#limitKey = null;
  }

  #takeNotice({ seq, at, data }: EventOfType<"notice">): void {
    const { kind, level, text, raw } = data;
    // The turn's end says it too, and better.
    if (kind === "interrupted") return;
    // The call it was started with has it.
    if (kind === "subagent_prompt" && this.#paths.has(`tool:${data.toolUseId ?? ""}`)) return;
    const row = { kind: "notice", noticeKind: kind, level, text, raw: raw ?? null } as const;
    this.#append({ key: String(seq), at, ...row });
  }

  /** What runs beside the turn is told in the row of the call that began it. */
  #takeTask(event: EventOfType<"task:started" | "task:updated" | "task:notification">): void {
    const { data, at, seq } = event;
    const toolUseId = "toolUseId" in data ? data.toolUseId : null;
    const key = this.#tasks.get(data.taskId) ?? (toolUseId === null ? null : `tool:${toolUseId}`);
    const isKnown = key !== null && this.#paths.has(key);
    if (isKnown) this.#tasks.set(data.taskId, key);
    let isOld = false;
    if (isKnown)
      this.#replace(key, (row) => {
        if (row.kind !== "tool") return row;
        // What ended after its call had been answered ran in the background.
        isOld = row.result !== null;
        return { ...row, task: applyTask(row.task, event, isOld) };
      });
    if (event.type !== "task:notification" || (isKnown && !isOld)) return;
    const { status, summary } = event.data;
    this.#append({ key: String(seq), at, kind: "task", status, summary });
  }

  #endTurn(event: EventOfType<"turn:end">): void {
    const { data } = event;
    this.#endLimit();
    const phase = data.terminalReason?.startsWith("aborted") ? "interrupted" : "done";
    for (const inputId of this.#takenInputs) this.#setPhase(inputId, phase);
    this.#takenInputs.clear();
    const costUsd = this.#runCostUsd === null ? null : Math.max(0, data.costUsd - this.#runCostUsd);
    this.#runCostUsd = data.costUsd;
    this.#append({ key: String(event.seq), at: event.at, kind: "turn", end: data, costUsd });
  }

  /** A process that is gone answers nothing any more. */
  #abandonTools(): void {
    this.#endLimit();
    for (const key of this.#openTools.values()) {
      this.#replace(key, (row) => (row.kind === "tool" ? { ...row, isAbandoned: true } : row));
    }
    this.#openTools.clear();
  }

  #append(row: Row): void {
    // A key that is there already (an id used twice) takes its old place: it is shown once.
    if (this.#paths.has(row.key)) return this.#replace(row.key, () => row);
    const place = this.#rows.length;
    this.#rows.push(row);
    this.#paths.set(row.key, [place]);
    this.#touched.add(place);
  }

  #appendTo(parentKey: string, row: Row): boolean {
    const path = this.#paths.get(parentKey);
    if (path === undefined) return false;
    if (this.#paths.has(row.key)) {
      this.#replace(row.key, () => row);
      return true;
    }
    this.#replace(parentKey, (parent) => {
      if (parent.kind !== "tool") return parent;
      this.#paths.set(row.key, [...path, parent.children.length]);
      return { ...parent, children: [...parent.children, row] };
    });
    return true;
  }

  #replace(key: string, change: (row: Row) => Row): void {
    const path = this.#paths.get(key);
    const place = path?.[0];
    if (path === undefined || place === undefined) return;
    const row = this.#rows[place];
    if (row === undefined) return;
    this.#rows[place] = replaceAt(row, path.slice(1), change);
    this.#touched.add(place);
  }
}

function applyTask(
  before: ToolTask | null,
  event: EventOfType<"task:started" | "task:updated" | "task:notification">,
  isAnswered: boolean,
): ToolTask {
  const task = before ?? {
    status: "running",
    isBackground: false,
    doing: null,
    totalTokens: null,
    toolUses: null,
  };
  if (event.type === "task:started") return task;
  if (event.type === "task:notification")
    return { ...task, status: event.data.status, doing: null, isBackground: isAnswered };
  const { status, backgrounded, description, totalTokens, toolUses } = event.data;
  return {
    status: status ?? task.status,
    isBackground: backgrounded ?? task.isBackground,
    doing: description ?? task.doing,
    totalTokens: totalTokens ?? task.totalTokens,
    toolUses: toolUses ?? task.toolUses,
  };
}

function replaceAt(row: Row, path: readonly number[], change: (row: Row) => Row): Row {
  const [place, ...rest] = path;
  if (place === undefined) return change(row);
  const child = row.kind === "tool" ? row.children[place] : undefined;
  if (row.kind !== "tool" || child === undefined) return row;
  return { ...row, children: row.children.with(place, replaceAt(child, rest, change)) };
}

const promptKey = (runId: string | null, requestId: string) => `${runId ?? ""} ${requestId}`;
