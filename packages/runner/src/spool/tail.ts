/**
 * Follows a file that a process appends to and yields its complete lines, each once.
 *
 * It reads only when the consumer asks for the next line, so memory holds one chunk and one line
 * however far the file runs ahead. It does not trust the wake-ups to come in order or at all to
 * mean anything: each only makes it read to the end again.
 */
import { open } from "node:fs/promises";
import type { Position, ProcessLine } from "@lodge/protocol";
import { LineAssembler } from "./line-assembler.ts";
import type { Wakeup } from "./wakeup.ts";

const CHUNK_BYTES = 64 * 1024;
/** Eight times the longest line ever seen from the CLI. */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

export type TailOptions = {
  readonly path: string;
  readonly from: Position;
  /** Woken when the file may have grown, when its writer is gone, and when the tail is to stop. */
  readonly news: Wakeup;
  /** Nobody can write to the file any more: read to the end, then stop. */
  readonly isOver: () => boolean;
  /** The reader lost interest. */
  readonly isStopped: () => boolean;
  readonly now: () => number;
  readonly maxLineBytes?: number;
};

export async function* tailLines(options: TailOptions): AsyncGenerator<ProcessLine, void, void> {
  const { news, now } = options;
  const assembler = new LineAssembler(options.from, options.maxLineBytes ?? MAX_LINE_BYTES);
  const file = await open(options.path, "r");
  try {
    let position = options.from.offset;
    const scratch = Buffer.allocUnsafeSlow(CHUNK_BYTES);
    while (!options.isStopped()) {
      // Both are asked before the read: what is written after that is announced after that.
      const generation = news.generation;
      const wasOver = options.isOver();
      const { bytesRead } = await file.read(scratch, 0, CHUNK_BYTES, position);
      if (bytesRead > 0) {
        position += bytesRead;
        const at = now();
        for (const line of assembler.push(Buffer.from(scratch.subarray(0, bytesRead)))) {
          if (options.isStopped()) return;
          yield { ...line, at };
        }
      } else if (wasOver) {
        const last = assembler.end();
        if (last !== null) yield { ...last, at: now(), cut: true };
        return;
      } else {
        await news.after(generation);
      }
    }
  } finally {
    await file.close();
  }
}
