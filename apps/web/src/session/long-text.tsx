import { createSignal, Match, Show, Switch } from "solid-js";
import { isBlobRef, type BlobRef, type Text } from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { Button } from "../ui/button.tsx";
import { formatBytes } from "../ui/format.ts";
import { useSessionRoom } from "./session-context.ts";

/** A text of the log: whole, or its two ends and a way to the rest. */
export function LongText(props: { readonly text: Text }) {
  return (
    <Show when={asBlob(props.text)} fallback={props.text as string}>
      {(ref) => <BlobText blob={ref().$blob} />}
    </Show>
  );
}

function BlobText(props: { readonly blob: BlobRef["$blob"] }) {
  const room = useSessionRoom();
  const [whole, setWhole] = createSignal<string | null>(null);
  const [phase, setPhase] = createSignal<"folded" | "loading" | "failed">("folded");

  async function load() {
    setPhase("loading");
    try {
      setWhole(await room.readBlob(props.blob.id));
    } catch {
      setPhase("failed");
    }
  }

  return (
    <Switch
      fallback={
        <>
          {props.blob.head}
          <span class="cut">
            <Button tone="quiet" isBusy={phase() === "loading"} onClick={() => void load()}>
              {t(
                phase() === "failed" ? "text.loadAgain" : "text.showAll",
                formatBytes(props.blob.size),
              )}
            </Button>
          </span>
          {props.blob.tail}
        </>
      }
    >
      <Match when={whole() !== null}>{whole()}</Match>
    </Switch>
  );
}

const asBlob = (text: Text) => (isBlobRef(text) ? text : null);
