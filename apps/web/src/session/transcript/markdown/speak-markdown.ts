import { lexMarkdown } from "./lex-markdown.ts";
import { plainTextOf } from "./plain-text.ts";

/** Markdown as it is read aloud. */
export const speakMarkdown = (text: string): string => plainTextOf(lexMarkdown(text)).trim();
