/**
 * What became of prompts that somebody else answered, or that nobody needs to answer any more: told
 * where the card was, so that it does not just vanish under the eyes of whoever was reading it.
 */
import { createEffect, createSignal, For, on, Show, type Accessor } from "solid-js";
import type { PromptState } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { IconButton } from "../../ui/button.tsx";
import { VisibleText } from "../../ui/visible-text.tsx";
import { useSessionRoom } from "../session-context.ts";

const MOST_NOTES = 3;

type Note = { readonly key: string; readonly text: string };
const keyOf = (prompt: Pick<PromptState, "runId" | "requestId">) =>
  `${prompt.runId} ${prompt.requestId}`;

export function createClosedNotes(options: {
  readonly prompts: Accessor<readonly PromptState[]>;
  /** Answered on this page: whoever did that knows. */
  readonly isOwn: (key: string) => boolean;
}): { readonly notes: Accessor<readonly Note[]>; readonly dismiss: (key: string) => void } {
  const { session, nameOf } = useSessionRoom();
  const [notes, setNotes] = createSignal<readonly Note[]>([]);

  createEffect(
    on(options.prompts, (now, before) => {
      const open = new Set(now.map(keyOf));
      const closed = (before ?? []).filter((prompt) => !open.has(keyOf(prompt)));
      const told = closed.flatMap((prompt): Note[] => {
        const key = keyOf(prompt);
        if (options.isOwn(key)) return [];
        const end = session.state().resolved.find((one) => keyOf(one) === key);
        if (end === undefined) return [];
        const who = end.by === null ? t("who.lodge") : nameOf(end.by.userId);
        const by = who === t("who.you") ? t("prompt.closed.youElsewhere") : who;
        const what = prompt.displayName || prompt.toolName || t("prompt.unknown");
        return [{ key, text: t(`prompt.closed.${end.outcome}`, what, by) }];
      });
      if (told.length > 0) setNotes((held) => [...held, ...told].slice(-MOST_NOTES));
    }),
  );

  return {
    notes,
    dismiss: (key) => setNotes((held) => held.filter((note) => note.key !== key)),
  };
}

export function ClosedNotes(props: {
  readonly notes: readonly Note[];
  readonly onDismiss: (key: string) => void;
}) {
  return (
    <div role="status">
      <Show when={props.notes.length > 0}>
        <ul class="closed-notes" aria-label={t("prompt.closedTitle")}>
          <For each={props.notes}>
            {(note) => (
              <li>
                <VisibleText text={note.text} />
                <IconButton
                  icon="close"
                  label={t("prompt.dismissNote")}
                  onClick={() => props.onDismiss(note.key)}
                />
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  );
}
