import { splitProps, type JSX } from "solid-js";
import { Icon, type IconName } from "./icon.tsx";

export type ButtonProps = Omit<
  JSX.ButtonHTMLAttributes<HTMLButtonElement>,
  "class" | "disabled"
> & {
  readonly tone?: "primary" | "quiet" | "danger" | "destroy" | "plain";
  /** Under way: it keeps its place and its focus, and a second press does nothing. */
  readonly isBusy?: boolean;
  readonly isOff?: boolean;
  readonly shape?: "icon";
};

/** Never submits unless it says so, and never loses focus by being switched off. */
export function Button(props: ButtonProps) {
  const [own, rest] = splitProps(props, ["tone", "isBusy", "isOff", "shape", "onClick", "type"]);
  const isOff = () => own.isBusy === true || own.isOff === true;
  const press = (event: MouseEvent & { currentTarget: HTMLButtonElement; target: Element }) => {
    if (isOff()) {
      event.preventDefault();
      return;
    }
    if (typeof own.onClick === "function") own.onClick(event);
  };
  return (
    <button
      {...rest}
      type={own.type ?? "button"}
      class="button"
      data-tone={own.tone ?? "plain"}
      data-shape={own.shape}
      aria-disabled={isOff() ? "true" : undefined}
      aria-busy={own.isBusy ? "true" : undefined}
      onClick={press}
    />
  );
}

/** A sign to press. Its name is what it is called by voice and ear, and what pointing at it shows. */
export function IconButton(
  props: Omit<ButtonProps, "children" | "shape"> & {
    readonly icon: IconName;
    readonly label: string;
  },
) {
  const [own, rest] = splitProps(props, ["icon", "label", "tone"]);
  return (
    <Button
      {...rest}
      shape="icon"
      tone={own.tone ?? "quiet"}
      aria-label={own.label}
      title={own.label}
    >
      <Icon name={own.icon} />
    </Button>
  );
}
