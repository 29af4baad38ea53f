/** A text of the log, which may be in the blob store: what of it is at hand, and the way to the rest. */
import { createSignal, type Accessor } from "solid-js";
import { isBlobRef, type Text } from "@lodge/protocol";
import { useSessionRoom } from "../../session-context.ts";

export type WholeText = {
  /** All of it; null: it is not here. */
  readonly whole: Accessor<string | null>;
  /** The blob it is in, while it is not here. */
  readonly missing: Accessor<{
    readonly head: string;
    readonly tail: string;
    readonly size: number;
  } | null>;
  readonly phase: Accessor<"ready" | "loading" | "failed">;
  readonly load: () => Promise<void>;
};

export function createWholeText(text: Accessor<Text>): WholeText {
  const room = useSessionRoom();
  const [loaded, setLoaded] = createSignal<{ id: string; text: string } | null>(null);
  const [phase, setPhase] = createSignal<"ready" | "loading" | "failed">("ready");
  const blob = () => {
    const now = text();
    return isBlobRef(now) ? now.$blob : null;
  };
  const whole = () => {
    const ref = blob();
    if (ref === null) return text() as string;
    const found = loaded();
    return found?.id === ref.id ? found.text : null;
  };

  async function load() {
    const ref = blob();
    if (ref === null || phase() === "loading") return;
    setPhase("loading");
    try {
      setLoaded({ id: ref.id, text: await room.readBlob(ref.id) });
      setPhase("ready");
    } catch {
      setPhase("failed");
    }
  }

  return { whole, missing: () => (whole() === null ? blob() : null), phase, load };
}
