/** Says each finished message of Claude to who listens, once, when it is whole; never what was there before. */
import { createEffect, createSignal, untrack } from "solid-js";
import type { Session } from "../../live/create-session.ts";
import { t } from "../../i18n/t.ts";
import { previewText } from "../../ui/blob-text.ts";

/** Longer ones are read in the transcript itself. */
const SAID_UNITS = 600;

export function Announcer(props: { readonly session: Session }) {
  const [said, setSaid] = createSignal("");
  /** Up to here it was there when the page was opened, or has been said. */
  let heard: number | null = null;
  createEffect(() => {
    props.session.version();
    const isReady = props.session.hydrationPhase() === "ready";
    untrack(() => {
      const events = props.session.events();
      const head = events.at(-1)?.seq ?? 0;
      if (!isReady) return;
      const from = heard ?? head;
      heard = head;
      const texts: string[] = [];
      for (let at = events.length - 1; at >= 0; at--) {
        const event = events[at];
        if (event === undefined || event.seq <= from) break;
        if (event.type !== "content" || event.data.parentToolUseId !== null) continue;
        for (const block of event.data.blocks)
          if (block.type === "text") texts.unshift(previewText(block.text));
      }
      if (texts.length > 0) void speak(texts.join("\n\n")).then(setSaid);
    });
  });
  return (
    <p class="visually-hidden" role="status" aria-live="polite">
      {said()}
    </p>
  );
}

async function speak(text: string): Promise<string> {
  const { speakMarkdown } = await import("./markdown/speak-markdown.ts");
  const plain = speakMarkdown(text);
  return plain.length > SAID_UNITS
    ? t("announce.long", plain.slice(0, SAID_UNITS))
    : t("announce.said", plain);
}
