/** What can be done with a session from outside it: rename, archive, delete. One owner of the dialogs these need. */
import { useLocation, useNavigate } from "@solidjs/router";
import { createSignal, Show, type JSX } from "solid-js";
import { ApiError } from "@lodge/client";
import type { SessionListItem } from "@lodge/protocol";
import { t } from "../i18n/t.ts";
import { useLodge } from "../live/lodge-context.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { describeError } from "../ui/describe-error.ts";
import type { MenuEntry } from "../ui/menu.tsx";
import { RenameDialog } from "./rename-dialog.tsx";

type Target = Pick<SessionListItem, "id" | "title" | "archived" | "status">;
export type SessionActs = {
  readonly entriesFor: (item: Target) => readonly MenuEntry[];
  /** The dialogs, and what went wrong; to be placed once. */
  readonly Dialogs: () => JSX.Element;
};

export function createSessionActs(options: {
  readonly onChanged: (item: SessionListItem) => void;
}): SessionActs {
  const { http } = useLodge();
  const navigate = useNavigate();
  const location = useLocation();
  const [renaming, setRenaming] = createSignal<Target | null>(null);
  const [deleting, setDeleting] = createSignal<Target | null>(null);
  const [error, setError] = createSignal<ApiError | null>(null);
  const nameOf = (item: Target | null) => item?.title ?? t("session.untitled");

  async function setArchived(item: Target, archived: boolean) {
    setError(null);
    try {
      options.onChanged(await http.patchSession(item.id, { archived }));
    } catch (failure) {
      setError(failure instanceof ApiError ? failure : null);
    }
  }
  async function rename(title: string) {
    const item = renaming();
    if (item !== null) options.onChanged(await http.patchSession(item.id, { title }));
  }
  async function remove() {
    const item = deleting();
    if (item === null) return;
    await http.deleteSession(item.id);
    if (location.pathname.endsWith(`/sessions/${item.id}`)) navigate("/");
  }

  return {
    entriesFor: (item) => [
      {
        kind: "act",
        icon: "pencil",
        label: t("act.rename"),
        onSelect: () => setRenaming(item),
      },
      {
        kind: "act",
        icon: "archive",
        label: t(item.archived ? "act.unarchive" : "act.archive"),
        onSelect: () => void setArchived(item, !item.archived),
      },
      { kind: "line" },
      {
        kind: "act",
        icon: "bin",
        tone: "danger",
        label: t("act.delete"),
        onSelect: () => setDeleting(item),
      },
    ],
    Dialogs: () => (
      <>
        <p class="acts-error form-error" role="alert">
          <Show when={error()}>{(failure) => t("act.failed", describeError(failure()))}</Show>
        </p>
        <RenameDialog
          isOpen={renaming() !== null}
          title={renaming()?.title ?? ""}
          onRename={rename}
          onClose={() => setRenaming(null)}
        />
        <ConfirmDialog
          isOpen={deleting() !== null}
          title={t("delete.title")}
          text={[
            t("delete.text", nameOf(deleting())),
            ...((deleting()?.status ?? "idle") === "idle" ? [] : [t("delete.running")]),
          ].join(" ")}
          confirm={t("delete.submit")}
          onConfirm={remove}
          onClose={() => setDeleting(null)}
        />
      </>
    ),
  };
}
