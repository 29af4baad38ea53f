import { createSignal, onCleanup } from "solid-js";
import { t } from "../../../i18n/t.ts";

const SAID_MS = 1_600;

/** Copies, and says so for a moment. */
export function CopyButton(props: { readonly text: string }) {
  const [phase, setPhase] = createSignal<"ready" | "copied" | "failed">("ready");
  let timer: ReturnType<typeof setTimeout> | undefined;
  onCleanup(() => clearTimeout(timer));

  async function copy() {
    clearTimeout(timer);
    setPhase((await copyText(props.text)) ? "copied" : "failed");
    timer = setTimeout(() => setPhase("ready"), SAID_MS);
  }

  return (
    <button type="button" class="copy" data-phase={phase()} onClick={() => void copy()}>
      <span aria-live="polite">{t(`copy.${phase()}`)}</span>
    </button>
  );
}

/** Over plain HTTP from another host browsers have no clipboard to write to: there it is selected and cut out. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.className = "visually-hidden";
    const focused = document.activeElement;
    document.body.append(field);
    field.select();
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else works without a secure context
    const isDone = document.execCommand("copy");
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isDone;
  }
}
