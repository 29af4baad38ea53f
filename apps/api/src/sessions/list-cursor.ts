/** The list's cursor: where the last page ended, opaque to clients. */
import { z } from "zod";
import { HttpError } from "../http/http-error.ts";

const shape = z.tuple([z.int(), z.uuid()]);

export const writeCursor = (last: { readonly lastEventAt: number; readonly id: string }): string =>
  Buffer.from(JSON.stringify([last.lastEventAt, last.id])).toString("base64url");

export function readCursor(text: string): { lastEventAt: number; id: string } {
  try {
    const [lastEventAt, id] = shape.parse(
      JSON.parse(Buffer.from(text, "base64url").toString("utf8")),
    );
    return { lastEventAt, id };
  } catch {
    throw new HttpError("bad_cursor", "cursor: not one of ours.");
  }
}
