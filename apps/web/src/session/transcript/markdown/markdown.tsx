/**
 * Markdown, by a part of the page that is loaded beside the session's events. Until it is there the
 * text stands as it was written.
 */
import { lazy, Suspense } from "solid-js";

const MarkdownView = lazy(() =>
  import("./markdown-view.tsx").then((module) => ({ default: module.MarkdownView })),
);

/** Asks for it now, so that it is there when the first text is. */
export function loadMarkdown(): void {
  void MarkdownView.preload();
}

export function Markdown(props: { readonly text: string; readonly isGrowing?: boolean }) {
  return (
    <Suspense fallback={<p class="markdown-raw">{props.text}</p>}>
      <MarkdownView text={props.text} isGrowing={props.isGrowing ?? false} />
    </Suspense>
  );
}
