/** The daemon's log: JSON lines that nothing in them can turn into something else on a terminal. */
import { pino, type Logger } from "pino";

/** JSON escapes what is below space; DEL, the C1 controls and the line separators it leaves as they are. */
// oxlint-disable-next-line no-irregular-whitespace
const UNSAFE = /[\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

export const escapeControls = (line: string): string =>
  line.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);

export type LogOptions = { readonly level: string; readonly write: (line: string) => void };

export const createLog = ({ level, write }: LogOptions): Logger =>
  pino({ level, base: { part: "runner" } }, { write: (line) => write(escapeControls(line)) });
