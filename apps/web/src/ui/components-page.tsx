/** All components in all states, on one page, for whoever works on them. The samples are no texts of the interface. */
import { Navigate } from "@solidjs/router";
import { createSignal, For, onMount, Show, type JSX } from "solid-js";
import type { SessionListItem } from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { useLodge } from "../live/lodge-context.ts";
import { SessionItem } from "../sessions/session-item.tsx";
import { Banner } from "./banner.tsx";
import { Button, IconButton } from "./button.tsx";
import "./components-page.css";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { THEMES, useTheme } from "./create-theme.ts";
import { Dialog } from "./dialog.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Field } from "./field.tsx";
import { Icon, ICON_NAMES } from "./icon.tsx";
import { Menu } from "./menu.tsx";
import { Segments } from "./segments.tsx";
import { VisibleText } from "./visible-text.tsx";

const COLOURS = [
  ["sunk", "ink"],
  ["paper", "ink"],
  ["surface", "ink-soft"],
  ["raised", "ink-faint"],
  ["hover", "ink-soft"],
  ["accent", "on-accent"],
  ["accent-wash", "accent"],
  ["amber-wash", "amber"],
  ["brick-wash", "brick"],
  ["brick", "on-brick"],
  ["added", "ink"],
  ["removed", "ink"],
] as const;
const TONES = ["plain", "primary", "quiet", "danger", "destroy"] as const;

/** For whoever builds the page: they are admins, also of a Lodge on their own machine. */
export function ComponentsPage() {
  const { me } = useLodge();
  return (
    <Show when={me().role === "admin"} fallback={<Navigate href="/" />}>
      <Components />
    </Show>
  );
}

function Components() {
  onMount(() => {
    document.title = `${t("components.title")} · ${t("app.name")}`;
  });
  const { theme, setTheme } = useTheme();
  return (
    <div class="page components">
      <header class="page-head">
        <h1>{t("components.title")}</h1>
      </header>
      <p class="hint">{t("components.about")}</p>
      <Segments
        label={t("theme.label")}
        value={theme()}
        options={THEMES.map((value) => ({ value, label: t(`theme.${value}`) }))}
        onChoose={setTheme}
      />
      <Part title={t("components.colours")}>
        <div class="swatches">
          <For each={COLOURS}>
            {([ground, ink]) => (
              <div style={{ background: `var(--${ground})`, color: `var(--${ink})` }}>
                {ground} / {ink}
              </div>
            )}
          </For>
        </div>
      </Part>
      <Part title={t("components.type")}>
        <p class="type-xxl">A house for sessions</p>
        <p class="type-xl">Nothing seen is ever lost</p>
        <p class="type-l">The log is the truth</p>
        <p>What is shown about a session is a fold of its log, and nothing beside it.</p>
        <p class="hint">A hint says what is to be known, smaller and softer.</p>
        <p>
          <code>const house = await Lodge.open("./sessions");</code>
        </p>
        <p dir="auto">نص من اليمين إلى اليسار مع code بينهما</p>
      </Part>
      <Buttons />
      <Fields />
      <Above />
      <Part title={t("components.tags")}>
        <div class="row">
          <span class="tag">plain</span>
          <span class="tag" data-tone="amber">
            waits
          </span>
          <span class="tag" data-tone="brick">
            failed
          </span>
          <kbd>Shift</kbd>
          <kbd>?</kbd>
          <VisibleText text={"rm\u202e -rf\u200b /"} />
        </div>
      </Part>
      <Part title={t("components.states")}>
        <div class="states">
          <EmptyState icon="spark" act={<Button>Begin</Button>}>
            Nothing here yet, and what to do about it.
          </EmptyState>
          <EmptyState icon="alert" tone="brick" act={<Button>Try again</Button>}>
            The server cannot be reached.
          </EmptyState>
          <div class="stack">
            <span class="skeleton" />
            <span class="skeleton" />
            <span class="skeleton" />
          </div>
        </div>
      </Part>
      <Part title={t("components.banners")}>
        <Banner tone="info">Something to know.</Banner>
        <Banner tone="warning">Something to mind.</Banner>
        <Banner tone="danger">
          This device is offline. <Button tone="quiet">Try now</Button>
        </Banner>
      </Part>
      <Rows />
      <Part title={t("components.icons")}>
        <div class="icons">
          <For each={ICON_NAMES}>
            {(name) => (
              <span>
                <Icon name={name} />
                {name}
              </span>
            )}
          </For>
        </div>
      </Part>
    </div>
  );
}

function Part(props: { readonly title: string; readonly children: JSX.Element }) {
  return (
    <section class="part">
      <h2>{props.title}</h2>
      {props.children}
    </section>
  );
}

function Buttons() {
  return (
    <Part title={t("components.buttons")}>
      <For each={TONES}>
        {(tone) => (
          <div class="row">
            <Button tone={tone}>{tone}</Button>
            <Button tone={tone} isBusy>
              {tone}, busy
            </Button>
            <Button tone={tone} isOff>
              {tone}, off
            </Button>
            <IconButton tone={tone} icon="plus" label={`${tone}, a sign`} />
          </div>
        )}
      </For>
    </Part>
  );
}

function Fields() {
  const [picked, setPicked] = createSignal<"one" | "two" | "three">("two");
  return (
    <>
      <Part title={t("components.fields")}>
        <div class="field-row">
          <Field label="Text" hint="With a hint.">
            {(id, hint) => <input id={id} aria-describedby={hint} placeholder="Empty" />}
          </Field>
          <Field label="Wrong" hint="An absolute path, beginning with /">
            {(id, hint) => (
              <input id={id} class="mono" aria-invalid="true" aria-describedby={hint} value="src" />
            )}
          </Field>
          <Field label="Select">
            {(id) => (
              <select id={id}>
                <option>Ask before acting</option>
                <option>Accept edits</option>
              </select>
            )}
          </Field>
        </div>
        <Field label="Many lines">
          {(id) => (
            <textarea id={id} rows={2} dir="auto">
              Text that may be long.
            </textarea>
          )}
        </Field>
      </Part>
      <Part title={t("components.choices")}>
        <Segments
          label="One of three"
          value={picked()}
          options={(["one", "two", "three"] as const).map((value) => ({ value, label: value }))}
          onChoose={setPicked}
        />
        <div class="choice-cards">
          <label class="choice-card">
            <input type="radio" name="sample" checked />
            <span>
              <strong>Chosen</strong>
              <span class="hint">What it means.</span>
            </span>
          </label>
          <label class="choice-card">
            <input type="radio" name="sample" />
            <span>
              <strong>Another</strong>
              <span class="hint">What that would mean.</span>
            </span>
          </label>
        </div>
      </Part>
    </>
  );
}

function Above() {
  const [open, setOpen] = createSignal<"dialog" | "confirm" | null>(null);
  const [mode, setMode] = createSignal("ask");
  return (
    <Part title={t("components.menus")}>
      <div class="row">
        <Menu
          tone="plain"
          entries={[
            { kind: "act", icon: "pencil", label: "Rename…", onSelect: () => undefined },
            {
              kind: "act",
              icon: "archive",
              label: "Archive",
              hint: "It can be taken back.",
              onSelect: () => undefined,
            },
            { kind: "act", icon: "stop", label: "Off", isOff: true, onSelect: () => undefined },
            { kind: "line" },
            {
              kind: "act",
              icon: "bin",
              tone: "danger",
              label: "Delete…",
              onSelect: () => setOpen("confirm"),
            },
          ]}
        >
          Acts <Icon name="chevron" />
        </Menu>
        <Menu
          tone="plain"
          entries={[
            {
              kind: "choice",
              label: "Permissions",
              value: mode(),
              options: [
                { value: "ask", label: "Ask", hint: "Before each act." },
                { value: "plan", label: "Plan", hint: "Nothing is changed." },
              ],
              onChoose: setMode,
            },
          ]}
        >
          Choice: {mode()} <Icon name="chevron" />
        </Menu>
        <Button onClick={() => setOpen("dialog")}>Dialog</Button>
        <Button onClick={() => setOpen("confirm")}>Confirmation</Button>
      </div>
      <Dialog isOpen={open() === "dialog"} title="A dialog" onClose={() => setOpen(null)}>
        <p>Escape closes it, and so does pressing beside it.</p>
        <Field label="Something">{(id) => <input id={id} />}</Field>
        <div class="dialog-acts">
          <Button tone="primary" onClick={() => setOpen(null)}>
            Done
          </Button>
        </div>
      </Dialog>
      <ConfirmDialog
        isOpen={open() === "confirm"}
        title="Delete this?"
        text="This cannot be taken back."
        confirm="Delete"
        onConfirm={() => Promise.resolve()}
        onClose={() => setOpen(null)}
      />
    </Part>
  );
}

const ROW: SessionListItem = {
  id: "00000000-0000-4000-8000-000000000000",
  title: "Make the parser faster",
  status: "idle",
  processAlive: true,
  activity: "idle",
  needsMe: 0,
  head: 1,
  lastEventAt: 0,
  createdAt: 0,
  lastError: null,
  costUsd: 0,
  archived: false,
  deleted: false,
  cwd: "/home/ada/parser",
  runnerId: null,
};
const ROWS: readonly Partial<SessionListItem>[] = [
  { needsMe: 2, status: "streaming", activity: "waiting", title: "Upgrade the database" },
  { status: "streaming", activity: "tool" },
  { title: "Ready to go on" },
  {
    processAlive: false,
    title: "Asleep, and with a name so long that it does not fit in any list",
  },
  { processAlive: false, lastError: "The model is overloaded", title: "In trouble" },
  { processAlive: false, title: "מעבר בין שפות" },
];

function Rows() {
  const now = Date.now();
  return (
    <Part title={t("components.rows")}>
      <ul class="row-samples">
        <For each={ROWS}>
          {(facts, index) => (
            <li>
              <SessionItem
                item={{ ...ROW, lastEventAt: now - index() * 47 * 60_000, ...facts }}
                now={now}
                acts={{ entriesFor: () => [], Dialogs: () => null }}
              />
            </li>
          )}
        </For>
      </ul>
    </Part>
  );
}
