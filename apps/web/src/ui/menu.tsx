/**
 * A button that opens a menu. The button is there at once; the menu comes with its own file when it
 * is first reached for, and is kept from then on.
 */
import { createSignal, createUniqueId, lazy, Show, Suspense, type JSX } from "solid-js";
import { Button, type ButtonProps } from "./button.tsx";
import type { IconName } from "./icon.tsx";

export type MenuItem = {
  readonly kind: "act";
  readonly label: string;
  readonly icon?: IconName;
  readonly tone?: "danger";
  readonly hint?: string;
  readonly isOff?: boolean;
  readonly onSelect: () => void;
};
export type MenuChoice = {
  readonly kind: "choice";
  readonly label: string;
  readonly value: string;
  readonly options: readonly {
    readonly value: string;
    readonly label: string;
    readonly hint?: string;
    readonly isOff?: boolean;
  }[];
  readonly onChoose: (value: string) => void;
};
export type MenuEntry = MenuItem | MenuChoice | { readonly kind: "line" };

/** Between pressing the button and the menu hearing of it as a press beside it. */
const ONE_PRESS_MS = 50;

const load = () => import("./menu-popup.tsx");
const MenuPopup = lazy(async () => ({ default: (await load()).MenuPopup }));

export function Menu(
  props: Pick<ButtonProps, "tone" | "shape" | "isOff"> & {
    /** What the button is called where its face does not say it. */
    readonly label?: string;
    readonly entries: readonly MenuEntry[];
    readonly placement?: "bottom-end" | "bottom-start" | "top-start" | "top-end";
    readonly children: JSX.Element;
  },
) {
  const id = createUniqueId();
  const [isOpen, setIsOpen] = createSignal(false);
  let trigger: HTMLButtonElement | undefined;
  let closedAt = Number.NEGATIVE_INFINITY;
  let pressedAt = 0;
  return (
    <>
      <Button
        ref={trigger}
        id={id}
        tone={props.tone ?? "quiet"}
        {...(props.shape === undefined ? {} : { shape: props.shape })}
        isOff={props.isOff ?? false}
        aria-haspopup="menu"
        aria-expanded={isOpen()}
        aria-label={props.label}
        title={props.label}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={(event) => {
          event.preventDefault();
          event.stopPropagation();
          // The press that closed it is not to open it again.
          if (event.detail === 0 || Math.abs(pressedAt - closedAt) > ONE_PRESS_MS) setIsOpen(true);
        }}
        onPointerDown={() => {
          pressedAt = performance.now();
        }}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown" || props.isOff === true) return;
          event.preventDefault();
          setIsOpen(true);
        }}
      >
        {props.children}
      </Button>
      <Show when={isOpen()}>
        <Suspense>
          <MenuPopup
            anchor={() => trigger as HTMLElement}
            labelledBy={id}
            entries={props.entries}
            placement={props.placement ?? "bottom-start"}
            onClose={() => {
              closedAt = performance.now();
              setIsOpen(false);
            }}
          />
        </Suspense>
      </Show>
    </>
  );
}
