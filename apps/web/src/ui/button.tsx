import { splitProps, type JSX } from "solid-js";

export type ButtonProps = Omit<
  JSX.ButtonHTMLAttributes<HTMLButtonElement>,
  "class" | "disabled"
> & {
  readonly tone?: "primary" | "quiet" | "danger" | "plain";
  /** Under way: it keeps its place and its focus, and a second press does nothing. */
  readonly isBusy?: boolean;
  readonly isOff?: boolean;
};

/** Never submits unless it says so, and never loses focus by being switched off. */
export function Button(props: ButtonProps) {
  const [own, rest] = splitProps(props, ["tone", "isBusy", "isOff", "onClick", "type"]);
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
      aria-disabled={isOff() ? "true" : undefined}
      aria-busy={own.isBusy ? "true" : undefined}
      onClick={press}
    />
  );
}
