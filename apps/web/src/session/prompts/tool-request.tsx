/**
 * What a tool would be given, in the shape that reads best for it: a command as a command, a change
 * as a diff, anything else field by field. Whatever the shape, nothing of the input is left out.
 */
import { ErrorBoundary, lazy, Match, Show, Suspense, Switch } from "solid-js";
import type { PromptState } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { VisibleText } from "../../ui/visible-text.tsx";
import { PromptFields, PromptRest, type WholeInput } from "./prompt-input.tsx";

const PromptDiff = lazy(async () => ({ default: (await import("./prompt-diff.tsx")).PromptDiff }));

type Input = Readonly<Record<string, unknown>>;

export function ToolRequest(props: { readonly prompt: PromptState; readonly whole: WholeInput }) {
  const input = () => props.prompt.input;
  const without = (...names: readonly string[]): Input =>
    Object.fromEntries(Object.entries(input()).filter(([name]) => !names.includes(name)));
  const text = (name: string) => props.whole.textOf(input()[name] ?? "");
  const isCommand = () => props.prompt.toolName === "Bash" && "command" in input();
  const isEdit = () =>
    props.prompt.toolName === "Edit" && "old_string" in input() && "new_string" in input();
  const isWrite = () => props.prompt.toolName === "Write" && "content" in input();

  return (
    <div class="prompt-input">
      <Switch fallback={<PromptFields input={input()} whole={props.whole} />}>
        <Match when={isCommand()}>
          <pre class="prompt-command" tabindex="0" aria-label={t("prompt.command")} role="group">
            <VisibleText text={text("command")} />
          </pre>
          <PromptFields input={without("command")} whole={props.whole} />
        </Match>
        <Match when={isEdit()}>
          <FilePath text={text("file_path")} />
          <ErrorBoundary
            fallback={<BothTexts before={text("old_string")} after={text("new_string")} />}
          >
            <Suspense
              fallback={<BothTexts before={text("old_string")} after={text("new_string")} />}
            >
              <PromptDiff before={text("old_string")} after={text("new_string")} />
            </Suspense>
          </ErrorBoundary>
          <PromptFields
            input={without("file_path", "old_string", "new_string")}
            whole={props.whole}
          />
        </Match>
        <Match when={isWrite()}>
          <FilePath text={text("file_path")} note={t("prompt.newContent")} />
          <pre class="prompt-text" tabindex="0" aria-label={t("prompt.newContent")} role="group">
            <VisibleText text={text("content")} />
          </pre>
          <PromptFields input={without("file_path", "content")} whole={props.whole} />
        </Match>
      </Switch>
      <PromptRest whole={props.whole} />
    </div>
  );
}

function FilePath(props: { readonly text: string; readonly note?: string }) {
  return (
    <p class="prompt-path">
      <code>
        <VisibleText text={props.text} />
      </code>
      <Show when={props.note}>{(note) => <span class="hint">{note()}</span>}</Show>
    </p>
  );
}

function BothTexts(props: { readonly before: string; readonly after: string }) {
  return (
    <dl class="fields">
      <div class="field-pair">
        <dt>old_string</dt>
        <dd>
          <pre tabindex="0">
            <VisibleText text={props.before} />
          </pre>
        </dd>
      </div>
      <div class="field-pair">
        <dt>new_string</dt>
        <dd>
          <pre tabindex="0">
            <VisibleText text={props.after} />
          </pre>
        </dd>
      </div>
    </dl>
  );
}
