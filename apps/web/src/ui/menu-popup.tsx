/** The menu itself: arrow keys, type-ahead, escape and the way back to the button are the library's. */
import { DropdownMenu } from "@kobalte/core/dropdown-menu";
import { createSignal, For, Match, onMount, Show, Switch } from "solid-js";
import { Icon } from "./icon.tsx";
import type { MenuChoice, MenuEntry, MenuItem } from "./menu.tsx";

export function MenuPopup(props: {
  readonly anchor: () => HTMLElement;
  readonly labelledBy: string;
  readonly entries: readonly MenuEntry[];
  readonly placement: "bottom-end" | "bottom-start" | "top-start" | "top-end";
  readonly onClose: () => void;
}) {
  const [isOpen, setIsOpen] = createSignal(false);
  onMount(() => setIsOpen(true));
  const change = (open: boolean) => {
    setIsOpen(open);
    if (!open) props.onClose();
  };
  return (
    <DropdownMenu
      open={isOpen()}
      onOpenChange={change}
      placement={props.placement}
      // The page beside it stays what it is: pressing there closes the menu.
      modal={false}
      gutter={4}
      overflowPadding={8}
      getAnchorRect={() => props.anchor().getBoundingClientRect()}
    >
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          class="menu"
          aria-labelledby={props.labelledBy}
          onCloseAutoFocus={(event: Event) => {
            event.preventDefault();
            // Unless what was chosen has put the focus somewhere else already.
            const { activeElement } = document;
            if (activeElement === null || activeElement === document.body) props.anchor().focus();
          }}
        >
          <For each={props.entries}>
            {(entry) => (
              <Switch fallback={<DropdownMenu.Separator class="menu-line" />}>
                <Match when={entry.kind === "act" ? entry : null}>
                  {(item) => <Act item={item()} />}
                </Match>
                <Match when={entry.kind === "choice" ? entry : null}>
                  {(choice) => <Choice choice={choice()} onDone={() => change(false)} />}
                </Match>
              </Switch>
            )}
          </For>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu>
  );
}

function Act(props: { readonly item: MenuItem }) {
  return (
    <DropdownMenu.Item
      class="menu-item"
      data-tone={props.item.tone}
      disabled={props.item.isOff ?? false}
      // After the menu has given the focus back, so that a dialog opened here finds its way back too.
      onSelect={() => setTimeout(() => props.item.onSelect())}
    >
      <Show when={props.item.icon}>{(name) => <Icon name={name()} />}</Show>
      <span class="menu-text">
        {props.item.label}
        <Show when={props.item.hint}>
          <span class="hint">{props.item.hint}</span>
        </Show>
      </span>
    </DropdownMenu.Item>
  );
}

function Choice(props: { readonly choice: MenuChoice; readonly onDone: () => void }) {
  const choose = (value: string) => {
    if (value !== props.choice.value) props.choice.onChoose(value);
    props.onDone();
  };
  return (
    <DropdownMenu.RadioGroup value={props.choice.value} onChange={choose}>
      <DropdownMenu.GroupLabel class="menu-label">{props.choice.label}</DropdownMenu.GroupLabel>
      <For each={props.choice.options}>
        {(option) => (
          <DropdownMenu.RadioItem
            class="menu-item"
            value={option.value}
            disabled={option.isOff ?? false}
          >
            <DropdownMenu.ItemIndicator>
              <Icon name="check" />
            </DropdownMenu.ItemIndicator>
            <span class="menu-text">
              {option.label}
              <Show when={option.hint}>
                <span class="hint">{option.hint}</span>
              </Show>
            </span>
          </DropdownMenu.RadioItem>
        )}
      </For>
    </DropdownMenu.RadioGroup>
  );
}
