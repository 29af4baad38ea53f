/** Drives a run as the session engine does, and lets a test wait for what the process says. */
import { randomUUID } from "node:crypto";
import {
  encodeInitialize,
  encodeInterrupt,
  encodePermissionAnswer,
  encodeUserLine,
  type ProcessHandle,
} from "@lodge/protocol";

export type Message = Record<string, unknown>;

export class Conversation {
  readonly handle: ProcessHandle;
  readonly messages: Message[] = [];
  /** Resolves when the output is over. */
  readonly over: Promise<void>;
  #wakeups: (() => void)[] = [];
  #isOver = false;

  constructor(handle: ProcessHandle) {
    this.handle = handle;
    this.over = this.#read();
  }

  async #read(): Promise<void> {
    for await (const { bytes } of this.handle.lines) {
      this.messages.push(JSON.parse(Buffer.from(bytes).toString()) as Message);
      for (const wake of this.#wakeups.splice(0)) wake();
    }
    this.#isOver = true;
    for (const wake of this.#wakeups.splice(0)) wake();
  }

  /** The first message from `from` on that is one. */
  async next(isIt: (message: Message) => boolean, from = 0): Promise<Message> {
    for (;;) {
      const found = this.messages.slice(from).find(isIt);
      if (found !== undefined) return found;
      if (this.#isOver) throw new Error(`the process ended: ${(await this.handle.exited).stderr}`);
      await new Promise<void>((resolve) => this.#wakeups.push(resolve));
    }
  }

  initialize(): Promise<Message> {
    void this.handle.write(encodeInitialize(`init-${this.handle.runId}`));
    return this.next(({ type }) => type === "control_response");
  }

  async send(text: string, inputId: string = randomUUID()): Promise<void> {
    await this.handle.write(encodeUserLine({ inputId, text, contentBlocks: [] }));
  }

  /** A whole turn; gives its `result`. */
  async turn(text: string): Promise<Message> {
    const from = this.messages.length;
    await this.send(text);
    return this.next(({ type }) => type === "result", from);
  }

  prompt(from = 0): Promise<Message> {
    return this.next(({ type }) => type === "control_request", from);
  }

  async answer(prompt: Message, answer: Message): Promise<void> {
    await this.handle.write(encodePermissionAnswer(String(prompt["request_id"]), answer));
  }

  async interrupt(): Promise<void> {
    await this.handle.write(encodeInterrupt(randomUUID()));
  }

  /** All of it as one text, to look for words in. */
  said(): string {
    return JSON.stringify(this.messages);
  }
}
