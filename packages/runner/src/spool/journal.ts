/**
 * The journal of what went to a run's stdin, which is the stdin: a file that the run's pump
 * follows. A line is delivered if and only if it is complete in the file, so the file says which
 * keys were delivered, whoever wrote them and however that writer ended.
 *
 * One writer at a time, whole lines in one write where possible. A line is acknowledged when it is
 * on the disk; writers that come while a write is under way share the next one.
 */
import { constants, createReadStream } from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { decodeUtf8Lossy, LineSplitter, stdinKey, type WriteReceipt } from "@lodge/protocol";
import { neutralise } from "./neutralise.ts";

type Pending = {
  readonly line: string;
  readonly key: string | null;
  readonly resolve: (receipt: WriteReceipt) => void;
  readonly reject: (error: unknown) => void;
};

/** What is in the file: complete lines by key, and a last line without newline. */
type Contents = {
  readonly lineByKey: Map<string, number>;
  lines: number;
  half: Buffer;
};

const NEWLINE = 0x0a;

function takeLine(contents: Contents, line: string): void {
  contents.lines += 1;
  const key = stdinKey(line);
  if (key !== null) contents.lineByKey.set(key, contents.lines);
}

async function readContents(path: string): Promise<Contents> {
  const contents: Contents = { lineByKey: new Map(), lines: 0, half: Buffer.alloc(0) };
  const splitter = new LineSplitter();
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const { bytes } of splitter.push(chunk)) takeLine(contents, decodeUtf8Lossy(bytes));
  }
  contents.half = Buffer.from(splitter.remainder());
  return contents;
}

export class Journal {
  readonly #file: FileHandle;
  readonly #contents: Contents;
  #queue: Pending[] = [];
  #isWriting = false;
  /** Something in the file may not be on the disk yet; of an earlier writer's nobody can say. */
  #isUnsynced = true;

  private constructor(file: FileHandle, contents: Contents) {
    this.#file = file;
    this.#contents = contents;
  }

  static async open(path: string): Promise<Journal> {
    const file = await open(
      path,
      constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      return new Journal(file, await readContents(path));
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** The number of the line that was written under this key; null: none. */
  find(key: string): number | null {
    return this.#contents.lineByKey.get(key) ?? null;
  }

  /** Resolves once the line, or the earlier one of its key, is on the disk. */
  append(line: string): Promise<WriteReceipt> {
    if (line.includes("\n")) {
      return Promise.reject(new TypeError("a line to stdin has no newline in it"));
    }
    return new Promise((resolve, reject) => {
      this.#queue.push({ line, key: stdinKey(line), resolve, reject });
      if (!this.#isWriting) void this.#writeAll();
    });
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    while (this.#queue.length > 0) await this.#writeBatch(this.#queue.splice(0));
    this.#isWriting = false;
  }

  /** Settles every writer of the batch; never rejects. */
  async #writeBatch(batch: readonly Pending[]): Promise<void> {
    const written: { pending: Pending; receipt: WriteReceipt }[] = [];
    let failure: unknown = null;
    for (const pending of batch) {
      const earlier = pending.key === null ? null : this.find(pending.key);
      if (earlier !== null) {
        written.push({ pending, receipt: { journalLine: earlier, duplicate: true } });
        continue;
      }
      // After a failure (a full disk) the rest of the batch is refused: order is part of the promise.
      if (failure === null) failure = await this.#write(pending.line);
      if (failure !== null) pending.reject(failure);
      else {
        const receipt = { journalLine: this.#contents.lines, duplicate: false };
        written.push({ pending, receipt });
      }
    }
    try {
      if (this.#isUnsynced) await this.#file.datasync();
      this.#isUnsynced = false;
      for (const { pending, receipt } of written) pending.resolve(receipt);
    } catch (error) {
      for (const { pending } of written) pending.reject(error);
    }
  }

  /** null: the line is complete in the file. Otherwise what went wrong; a half of it may be there. */
  async #write(line: string): Promise<unknown> {
    const bytes = Buffer.from(`${line}\n`);
    try {
      const { half } = this.#contents;
      if (half.byteLength > 0 && !isBeginning(half, bytes)) {
        await this.#writeBytes(Buffer.from(neutralise(half) ?? "\n"));
        if (this.#resendsLastLine(line)) return null;
      }
      await this.#writeBytes(bytes.subarray(this.#contents.half.byteLength));
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Ending the half line may have completed another key's line; this one's is still to be written. */
  #resendsLastLine(line: string): boolean {
    const key = stdinKey(line);
    return key !== null && this.find(key) !== null;
  }

  async #writeBytes(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.byteLength;) {
      const { bytesWritten } = await this.#file.write(bytes, at);
      this.#isUnsynced = true;
      this.#absorb(bytes.subarray(at, at + bytesWritten));
      at += bytesWritten;
    }
  }

  /** What is now in the file, also after a write that ended early. */
  #absorb(bytes: Buffer): void {
    const half = Buffer.concat([this.#contents.half, bytes]);
    const end = half.indexOf(NEWLINE);
    if (end >= 0) takeLine(this.#contents, half.subarray(0, end).toString());
    this.#contents.half = end < 0 ? half : half.subarray(end + 1);
  }
}

const isBeginning = (half: Buffer, line: Buffer): boolean =>
  half.byteLength < line.byteLength && line.subarray(0, half.byteLength).equals(half);
