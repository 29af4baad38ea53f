/**
 * What a tool would be given, whole and undisguised. Long values are loaded before anything can be
 * allowed: nobody can agree to what they could not have seen.
 */
import { createSignal, For, Show } from "solid-js";
import { isBlobRef } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { findBlobRefs } from "../../ui/blob-text.ts";
import { Button } from "../../ui/button.tsx";
import { formatBytes } from "../../ui/format.ts";
import { VisibleText } from "../../ui/visible-text.tsx";

export type WholeInput = {
  /** Nothing of the input is left out of what is shown. */
  readonly isWhole: () => boolean;
  readonly textOf: (value: unknown) => string;
  /** The input with every long text back in its place; only once it is whole. */
  readonly restored: () => Readonly<Record<string, unknown>>;
  readonly load: () => Promise<void>;
  readonly phase: () => "folded" | "loading" | "failed";
  readonly size: () => number;
};

export function createWholeInput(
  input: () => Readonly<Record<string, unknown>>,
  readBlob: (id: string) => Promise<string>,
): WholeInput {
  const [loaded, setLoaded] = createSignal<ReadonlyMap<string, string>>(new Map());
  const [phase, setPhase] = createSignal<"folded" | "loading" | "failed">("folded");
  const missing = () => findBlobRefs(input()).filter((ref) => !loaded().has(ref.$blob.id));

  const fill = (value: unknown): unknown => {
    if (isBlobRef(value)) {
      const { id, head, tail, size } = value.$blob;
      return loaded().get(id) ?? `${head}\n${t("prompt.leftOut", formatBytes(size))}\n${tail}`;
    }
    if (Array.isArray(value)) return value.map(fill);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, fill(inner)]));
  };

  return {
    isWhole: () => missing().length === 0,
    textOf: (value) => {
      const whole = fill(value);
      return typeof whole === "string" ? whole : JSON.stringify(whole, null, 2);
    },
    restored: () => fill(input()) as Readonly<Record<string, unknown>>,
    load: async () => {
      setPhase("loading");
      try {
        const texts = new Map(loaded());
        for (const { $blob } of missing()) texts.set($blob.id, await readBlob($blob.id));
        setLoaded(texts);
        setPhase("folded");
      } catch {
        setPhase("failed");
      }
    },
    phase,
    size: () => missing().reduce((sum, ref) => sum + ref.$blob.size, 0),
  };
}

export function PromptInput(props: {
  readonly input: Readonly<Record<string, unknown>>;
  readonly whole: WholeInput;
}) {
  return (
    <div class="prompt-input">
      <PromptFields input={props.input} whole={props.whole} />
      <PromptRest whole={props.whole} />
    </div>
  );
}

export function PromptFields(props: {
  readonly input: Readonly<Record<string, unknown>>;
  readonly whole: WholeInput;
}) {
  const entries = () => Object.entries(props.input);
  return (
    <Show when={entries().length > 0}>
      <dl class="fields">
        <For each={entries()}>
          {([name, value]) => (
            <div class="field-pair">
              <dt>
                <VisibleText text={name} />
              </dt>
              <dd>
                <pre tabindex="0">
                  <VisibleText text={props.whole.textOf(value)} />
                </pre>
              </dd>
            </div>
          )}
        </For>
      </dl>
    </Show>
  );
}

/** What of it is not here yet, and the way to it. */
export function PromptRest(props: { readonly whole: WholeInput }) {
  return (
    <Show when={!props.whole.isWhole()}>
      <p class="prompt-more">
        {t("prompt.notWhole")}{" "}
        <Button isBusy={props.whole.phase() === "loading"} onClick={() => void props.whole.load()}>
          {t(
            props.whole.phase() === "failed" ? "text.loadAgain" : "text.showAll",
            formatBytes(props.whole.size()),
          )}
        </Button>
      </p>
    </Show>
  );
}
