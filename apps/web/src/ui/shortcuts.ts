/**
 * Keys of the whole page. A plain key acts only where nobody writes and nothing lies above the page;
 * no key of the page answers a prompt.
 */
export type Shortcut = {
  readonly key: string;
  /** Also while writing. */
  readonly isEverywhere?: boolean;
  readonly act: () => void;
};

const WRITTEN_IN = "input, textarea, select, [contenteditable]";
const ABOVE_THE_PAGE = "[role=dialog], [role=menu], [role=alertdialog]";

export function handleShortcut(event: KeyboardEvent, shortcuts: readonly Shortcut[]): void {
  if (event.defaultPrevented || event.isComposing) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(ABOVE_THE_PAGE) || document.querySelector(ABOVE_THE_PAGE) !== null) return;
  const isWriting = target?.closest(WRITTEN_IN) !== null && target !== null;
  const shortcut = shortcuts.find(
    ({ key, isEverywhere }) => key === event.key && (isEverywhere === true || !isWriting),
  );
  if (shortcut === undefined) return;
  event.preventDefault();
  shortcut.act();
}
