/** A tool asks to run. Allowing is never the default, never the focus, and never without sight of the whole input. */
import { createSignal, For, Match, Show, Switch } from "solid-js";
import type { AnswerBody, PermissionUpdate } from "@lodge/protocol";
import { t } from "../../i18n/t.ts";
import { Button } from "../../ui/button.tsx";
import { VisibleText } from "../../ui/visible-text.tsx";
import { useSessionRoom } from "../session-context.ts";
import type { CardProps } from "./card-props.ts";
import { createAnswer } from "./create-answer.ts";
import { DenyForm } from "./deny-form.tsx";
import { EditForm } from "./edit-form.tsx";
import { describeSuggestion } from "./describe-suggestion.ts";
import { PromptCard } from "./prompt-card.tsx";
import { createWholeInput } from "./prompt-input.tsx";
import { ToolRequest } from "./tool-request.tsx";

export function PermissionCard(props: CardProps) {
  const room = useSessionRoom();
  const answer = createAnswer({
    prompt: () => props.prompt,
    send: room.session.answer,
    isArmed: () => props.isArmed(),
    onAnswered: () => props.onAnswered(),
  });
  const whole = createWholeInput(() => props.prompt.input, room.readBlob);
  const [doing, setDoing] = createSignal<"deciding" | "denying" | "editing">("deciding");
  const allow = (facts: Partial<Pick<AnswerBody, "updatedInput" | "updatedPermissions">> = {}) => {
    if (whole.isWhole()) answer.give({ behavior: "allow", ...facts });
  };
  const isAllowOff = () => answer.isOff() || !whole.isWhole();

  return (
    <PromptCard
      prompt={props.prompt}
      heading={t("prompt.permission", props.prompt.displayName || props.prompt.toolName)}
      phase={answer.phase()}
    >
      <Reasons {...props} />
      <Show when={doing() !== "editing"}>
        <ToolRequest prompt={props.prompt} whole={whole} />
      </Show>
      <Switch>
        <Match when={doing() === "denying"}>
          <DenyForm
            label={t("prompt.denyMessage")}
            submit={t("prompt.deny")}
            isBusy={answer.isOff()}
            onDeny={(message) => answer.give({ behavior: "deny", message })}
            onBack={() => setDoing("deciding")}
          />
        </Match>
        <Match when={doing() === "editing"}>
          <EditForm
            input={whole.restored()}
            isOff={isAllowOff()}
            onAllow={(updatedInput) => allow({ updatedInput })}
            onBack={() => setDoing("deciding")}
          />
        </Match>
        <Match when={doing() === "deciding"}>
          <div class="prompt-acts">
            <Button
              isOff={answer.isOff()}
              onClick={() => answer.give({ behavior: "deny", message: "" })}
            >
              {t("prompt.deny")}
            </Button>
            <Button isOff={answer.isOff()} onClick={() => setDoing("denying")}>
              {t("prompt.denyWith")}
            </Button>
            <Button isOff={isAllowOff()} onClick={() => whole.isWhole() && setDoing("editing")}>
              {t("prompt.edit")}
            </Button>
            <Button tone="primary" isOff={isAllowOff()} onClick={() => allow()}>
              {t("prompt.allow")}
            </Button>
          </div>
          <For each={props.prompt.suggestions}>
            {(update) => (
              <Always
                update={update}
                isOff={isAllowOff()}
                onAllow={() => allow({ updatedPermissions: [update] })}
              />
            )}
          </For>
        </Match>
      </Switch>
    </PromptCard>
  );
}

function Reasons(props: CardProps) {
  const facts = () =>
    [
      // Often the CLI only repeats what stands in the input anyway.
      [t("prompt.what"), isInInput(props.prompt) ? null : props.prompt.description],
      [t("prompt.why"), props.prompt.reason],
      [t("prompt.blockedPath"), props.prompt.blockedPath],
      [t("prompt.directory"), props.cwd],
    ].filter((fact): fact is [string, string] => typeof fact[1] === "string" && fact[1] !== "");
  return (
    <dl class="prompt-facts">
      <For each={facts()}>
        {([name, text]) => (
          <div>
            <dt>{name}</dt>
            <dd>
              <VisibleText text={text} />
            </dd>
          </div>
        )}
      </For>
    </dl>
  );
}

const isInInput = ({ description, input }: CardProps["prompt"]) =>
  Object.values(input).includes(description);

function Always(props: {
  readonly update: PermissionUpdate;
  readonly isOff: boolean;
  readonly onAllow: () => void;
}) {
  const suggestion = () => describeSuggestion(props.update);
  return (
    <div class="prompt-always">
      <div>
        <p>{t("prompt.alwaysMakes", suggestion().scope)}</p>
        <ul>
          <For each={suggestion().rules}>
            {(rule) => (
              <li>
                <code>
                  <VisibleText text={rule} />
                </code>
              </li>
            )}
          </For>
        </ul>
        <Show when={suggestion().meaning}>
          {(meaning) => (
            <p class="hint">
              <VisibleText text={meaning()} />
            </p>
          )}
        </Show>
      </div>
      <Button isOff={props.isOff} onClick={() => props.onAllow()}>
        {t("prompt.allowAlways")}
      </Button>
    </div>
  );
}
