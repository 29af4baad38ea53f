/**
 * A recording → the log that a session would have of it. What the recorder's driver wrote to stdin
 * stands for what people did: user lines are inputs, control answers are answers, an interrupt is a
 * stop of the turn.
 */
import type { Cassette, CassetteEntry } from "../cassette.ts";
import type { EventDraft, RunEndReason, SessionEvent } from "../event.ts";
import { type Fields, fieldsOf, listOf, textOr } from "../fields.ts";
import { applyEvent, initialState } from "../fold.ts";
import { normalizeLine } from "../normalize.ts";
import type { SessionState } from "../state.ts";
import { encodeUtf8 } from "../utf8.ts";
import { buildRunConfig, RUN_ID, SESSION_ID } from "./build-event.ts";

export type Replay = {
  readonly events: readonly SessionEvent[];
  readonly state: SessionState;
  /** Lines of stdout that gave nothing at all: no event, no piece, no reply. */
  readonly silent: readonly Fields[];
};
export type ReplayOptions = {
  readonly runId?: string;
  /** Continue this session, as a second recording of it does. */
  readonly from?: SessionState;
  /** Why the run ended, where the recording's exit alone does not tell. */
  readonly reason?: RunEndReason;
};

/** The recorder's clock has no date: any will do, as long as it is the same one. */
const EPOCH = 1_800_000_000_000;

export function replayCassette(cassette: Cassette, options: ReplayOptions = {}): Replay {
  return new Replayer(cassette, options).run();
}

class Replayer {
  readonly #cassette: Cassette;
  readonly #options: ReplayOptions;
  readonly #runId: string;
  readonly #events: SessionEvent[] = [];
  readonly #silent: Fields[] = [];
  readonly #echoes: Fields[];
  readonly #requests = new Map<string, string>();
  #state: SessionState;
  #inputs = 0;
  #at = EPOCH;
  #isClosed = false;

  constructor(cassette: Cassette, options: ReplayOptions) {
    this.#cassette = cassette;
    this.#options = options;
    this.#runId = options.runId ?? RUN_ID;
    this.#state = options.from ?? initialState;
    this.#echoes = cassette.entries
      .filter((entry) => entry.ch === "out")
      .map((entry) => parse(entry.line))
      .filter((line) => line["type"] === "user" && line["isReplay"] === true);
  }

  run(): Replay {
    const { args } = this.#cassette.header;
    const after = (flag: string): string | undefined => args[args.indexOf(flag) + 1];
    const resumeId = args.includes("--session-id") ? after("--session-id") : after("--resume");
    this.#append({
      type: "run:start",
      source: "api",
      data: {
        config: buildRunConfig({
          resumeId:
            args.includes("--session-id") || args.includes("--resume") ? (resumeId ?? "") : "",
          resume: args.includes("--resume"),
          model: args.includes("--model") ? (after("--model") ?? null) : null,
        }),
      },
    });
    for (const entry of this.#cassette.entries) {
      this.#at = EPOCH + entry.t;
      this.#play(entry);
    }
    return { events: this.#events, state: this.#state, silent: this.#silent };
  }

  #append(draft: Omit<EventDraft, "runId"> & { runId?: string | null }): void {
    const event = {
      by: null,
      runId: this.#runId,
      ...draft,
      seq: this.#state.seq + 1,
      sessionId: SESSION_ID,
      at: this.#at,
    } as SessionEvent;
    this.#events.push(event);
    this.#state = applyEvent(this.#state, event);
  }

  #play(entry: CassetteEntry): void {
    if (entry.ch === "out") this.#read(entry.line);
    else if (entry.ch === "in" && "line" in entry) this.#write(parse(entry.line));
    else if (entry.ch === "in") this.#isClosed = true;
    else if (entry.ch === "exit") this.#end(entry.code, entry.signal);
  }

  #read(text: string): void {
    const line = parse(text);
    const context = { runId: this.#runId, state: this.#state };
    // The recorder numbers its requests; ours carry what they are in their ids.
    const bytes = encodeUtf8(this.#rename(line, text));
    const { events, stream, reply } = normalizeLine(bytes, context);
    for (const draft of events) this.#append(draft);
    if (events.length === 0 && stream === null && reply === null) this.#silent.push(line);
  }

  #rename(line: Fields, text: string): string {
    if (line["type"] !== "control_response") return text;
    const response = fieldsOf(line["response"]);
    const renamed = this.#requests.get(textOr(response["request_id"], ""));
    return renamed === undefined
      ? text
      : JSON.stringify({ ...line, response: { ...response, request_id: renamed } });
  }

  #write(line: Fields): void {
    switch (line["type"]) {
      case "user":
        return this.#input(line);
      case "control_request":
        return this.#request(line);
      case "control_response":
        return this.#answer(fieldsOf(line["response"]));
      default:
    }
  }

  #input(line: Fields): void {
    const content = fieldsOf(line["message"])["content"];
    const inputId = this.#inputId(line, content);
    const blocks = listOf(content).map(fieldsOf);
    this.#append({
      type: "input:queued",
      source: "person",
      runId: null,
      by: { userId: "user-1", via: "browser" },
      data: {
        inputId,
        text:
          typeof content === "string"
            ? content
            : textOr(blocks.find((block) => block["type"] === "text")?.["text"], ""),
        contentBlocks: blocks.filter((block) => block["type"] !== "text"),
        deliver: this.#state.turn === null ? "queue" : "steer",
      },
    });
    this.#append({ type: "input:sent", source: "api", data: { inputId, source: "user" } });
  }

  /** A line without a uuid is given one by the CLI, which then shows in its echo. */
  #inputId(line: Fields, content: unknown): string {
    if (typeof line["uuid"] === "string") return line["uuid"];
    const echo = this.#echoes.findIndex(
      (known) => JSON.stringify(fieldsOf(known["message"])["content"]) === JSON.stringify(content),
    );
    const uuid = echo === -1 ? undefined : this.#echoes.splice(echo, 1)[0]?.["uuid"];
    this.#inputs += 1;
    return textOr(uuid, `input-${this.#inputs}`);
  }

  #request(line: Fields): void {
    const { subtype, message_uuid: inputId } = fieldsOf(line["request"]);
    const id = textOr(line["request_id"], "");
    if (subtype === "initialize") {
      const isFirst = ![...this.#requests.values()].includes(`init-${this.#runId}`);
      this.#requests.set(id, isFirst ? `init-${this.#runId}` : `reconcile-${id}`);
    }
    if (subtype === "interrupt")
      this.#append({ type: "stop:requested", source: "person", data: { scope: "turn" } });
    if (subtype === "cancel_async_message" && typeof inputId === "string")
      this.#append({
        type: "input:cancelled",
        source: "api",
        runId: null,
        data: { inputId, reason: "withdrawn" },
      });
    if (subtype === "end_session") this.#isClosed = true;
  }

  #answer(response: Fields): void {
    const requestId = textOr(response["request_id"], "");
    const answer = fieldsOf(response["response"]);
    // As the api does: the second answer to a prompt is refused and not logged.
    if (!this.#state.prompts.some((prompt) => prompt.requestId === requestId)) return;
    const isAllowed = answer["behavior"] === "allow" || answer["action"] === "accept";
    this.#append({
      type: "permission:resolved",
      source: "person",
      by: { userId: "user-1", via: "browser" },
      data: { requestId, outcome: isAllowed ? "allowed" : "denied", answer },
    });
  }

  /** The recorder closes stdin when it is done: that end was asked for. */
  #end(code: number | null, signal: string | null): void {
    const reason =
      this.#options.reason ?? (this.#isClosed && signal === null ? "completed" : "process_exit");
    this.#append({ type: "run:end", source: "runner", data: { reason, code, signal } });
  }
}

function parse(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}
