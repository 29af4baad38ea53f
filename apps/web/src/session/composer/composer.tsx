/**
 * Where a person writes. Enter sends, Shift+Enter makes a line; on a touch screen the button sends.
 * While Claude works, Enter queues and Ctrl+Enter steers. Nothing written here answers a prompt.
 */
import { createEffect, createSignal, createUniqueId, on, onMount, Show } from "solid-js";
import type { SlashCommand } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useSessionRoom } from "../session-context.ts";
import { AttachmentList } from "./attachment-list.tsx";
import { CommandList, optionId } from "./command-list.tsx";
import { createAttachments, type Attachments } from "./create-attachments.ts";
import { createDraft, type DraftStore } from "./create-draft.ts";
import type { Stop } from "./create-stop.ts";
import { completeCommand, matchCommands } from "./match-commands.ts";
import { Pickers } from "./pickers.tsx";
import { StopButton } from "./stop-button.tsx";

const MOST_ROWS = 12;

export type ComposerProps = {
  readonly draftKey: string;
  readonly storage: DraftStore;
  /** Enter makes a line here, as on any phone. */
  readonly isTouch: boolean;
  /** A text that could not be sent and goes back to where it was written. */
  readonly takenBack?: string;
  readonly stop: Stop;
  /** ↑ in an empty field: the last message that waits is to be edited. */
  readonly onEditLast?: () => void;
  readonly attachments?: Attachments;
};

export function Composer(props: ComposerProps) {
  const room = useSessionRoom();
  const id = createUniqueId();
  // oxlint-disable-next-line solid/reactivity -- a composer lives in one session; its key does not change
  const draft = createDraft(props.storage, props.draftKey);
  // oxlint-disable-next-line solid/reactivity -- given once
  const attachments = props.attachments ?? createAttachments();
  const [isDropping, setIsDropping] = createSignal(false);
  let field: HTMLTextAreaElement | undefined;
  let picker: HTMLInputElement | undefined;
  const isBusy = () => room.session.status() === "streaming";
  const isEmpty = () => draft.text().trim() === "" && attachments.blocks().length === 0;
  const isOff = () => isEmpty() || attachments.isReading();

  createEffect(
    on(
      () => props.takenBack,
      (text) => {
        if (text) draft.setText([draft.text(), text].filter((part) => part !== "").join("\n\n"));
      },
    ),
  );

  // Ready to write, unless a keyboard would cover the page or a prompt wants to be read first.
  onMount(() => {
    if (!props.isTouch && room.session.state().prompts.length === 0) field?.focus();
  });

  function send(deliver: "queue" | "steer") {
    if (isOff()) return;
    const contentBlocks = attachments.blocks();
    room.session.send(draft.text(), {
      deliver: isBusy() ? deliver : "queue",
      ...(contentBlocks.length === 0 ? {} : { contentBlocks }),
    });
    draft.setText("");
    attachments.clear();
    commands.close();
  }

  const commands = createCommands({
    text: draft.text,
    caret: () => field?.selectionStart ?? 0,
    onComplete: (text) => {
      draft.setText(text);
      field?.focus();
      field?.setSelectionRange(text.length, text.length);
    },
  });

  function onKeyDown(event: KeyboardEvent) {
    // While an input method composes, every key belongs to it.
    if (event.isComposing || commands.onKey(event)) return;
    if (event.key === "ArrowUp" && draft.text() === "" && props.onEditLast !== undefined) {
      event.preventDefault();
      props.onEditLast();
      return;
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    const isSteer = event.ctrlKey || event.metaKey;
    if (props.isTouch && !isSteer) return;
    event.preventDefault();
    send(isSteer ? "steer" : "queue");
  }

  const takeFiles = (event: Event, data: DataTransfer | null) => {
    const files = [...(data?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    attachments.add(files);
  };

  return (
    <form
      class="composer"
      data-dropping={isDropping() ? "" : undefined}
      onSubmit={(event) => {
        event.preventDefault();
        send("queue");
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setIsDropping(true);
      }}
      onDragLeave={() => setIsDropping(false)}
      onDrop={(event) => {
        setIsDropping(false);
        takeFiles(event, event.dataTransfer);
      }}
    >
      <Show when={commands.matches()}>
        {(matches) => (
          <CommandList
            id={`${id}-commands`}
            commands={matches()}
            active={commands.active()}
            onChoose={commands.choose}
          />
        )}
      </Show>
      <AttachmentList attachments={attachments} />
      <label class="visually-hidden" for={id}>
        {t("composer.label")}
      </label>
      <textarea
        id={id}
        ref={field}
        class="composer-field"
        dir="auto"
        value={draft.text()}
        rows={Math.min(MOST_ROWS, draft.text().split("\n").length)}
        placeholder={t(isBusy() ? "composer.placeholderBusy" : "composer.placeholder")}
        aria-describedby={`${id}-hint`}
        aria-autocomplete="list"
        aria-controls={commands.isOpen() ? `${id}-commands` : undefined}
        aria-activedescendant={
          commands.isOpen() ? optionId(`${id}-commands`, commands.active()) : undefined
        }
        onInput={(event) => {
          draft.setText(event.currentTarget.value);
          commands.look();
        }}
        onBlur={() => commands.close()}
        onPaste={(event) => takeFiles(event, event.clipboardData)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-acts">
        <input
          ref={picker}
          type="file"
          accept="image/png,image/jpeg,image/gif,image/webp"
          multiple
          hidden
          onChange={(event) => {
            attachments.add([...(event.currentTarget.files ?? [])]);
            event.currentTarget.value = "";
            field?.focus();
          }}
        />
        <IconButton icon="picture" label={t("attach.add")} onClick={() => picker?.click()} />
        <Pickers />
        <span class="composer-send">
          <StopButton stop={props.stop} />
          <Show when={isBusy()}>
            <Button isOff={isOff()} title={t("composer.steerHint")} onClick={() => send("steer")}>
              <Icon name="steer" />
              {t("composer.sendSteer")}
            </Button>
          </Show>
          <Button type="submit" tone="primary" isOff={isOff()} title={t("composer.hint")}>
            <Icon name="send" />
            {t(isBusy() ? "composer.sendQueue" : "composer.send")}
          </Button>
        </span>
        <p class="visually-hidden" id={`${id}-hint`}>
          {t(isBusy() ? "composer.hintBusy" : "composer.hint")}
        </p>
      </div>
    </form>
  );
}

/** Which commands fit, and which of them is meant. Arrow keys move, Tab or Enter takes it, Escape puts the list away. */
function createCommands(options: {
  readonly text: () => string;
  readonly caret: () => number;
  readonly onComplete: (text: string) => void;
}) {
  const { session } = useSessionRoom();
  const [isLooking, setIsLooking] = createSignal(false);
  const [active, setActive] = createSignal(0);
  const matches = () => {
    const offered = session.state().commands;
    if (!isLooking() || offered.length === 0) return null;
    return matchCommands(offered, options.text(), options.caret());
  };
  const isOpen = () => (matches()?.length ?? 0) > 0;
  const close = () => setIsLooking(false);
  const choose = (command: SlashCommand) => {
    close();
    options.onComplete(completeCommand(command, options.text()));
  };
  return {
    matches,
    isOpen,
    active: () => Math.min(active(), Math.max(0, (matches()?.length ?? 1) - 1)),
    choose,
    close,
    look: () => {
      setIsLooking(true);
      setActive(0);
    },
    /** true: the key was for the list. */
    onKey: (event: KeyboardEvent): boolean => {
      const found = matches();
      if (found === null || found.length === 0) return false;
      const meant = found[Math.min(active(), found.length - 1)];
      switch (event.key) {
        case "ArrowDown":
        case "ArrowUp": {
          const step = event.key === "ArrowDown" ? 1 : -1;
          setActive((at) => (at + step + found.length) % found.length);
          break;
        }
        case "Tab":
        case "Enter":
          if (event.shiftKey || meant === undefined) return false;
          // A command that is written out is sent, not completed.
          if (event.key === "Enter" && options.text() === `/${meant.name}`) return false;
          choose(meant);
          break;
        case "Escape":
          close();
          break;
        default:
          return false;
      }
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}
