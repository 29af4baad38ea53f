/** Who is here, and what is theirs to set: the page's appearance, the keyboard, the way out. */
import { useNavigate } from "@solidjs/router";
import { t } from "../i18n/t.ts";
import { useLodge } from "../live/lodge-context.ts";
import { THEMES, useTheme, type Theme } from "../ui/create-theme.ts";
import { Menu, type MenuEntry } from "../ui/menu.tsx";

export function AccountMenu(props: {
  readonly onSignOut: () => void;
  readonly onShowKeys: () => void;
}) {
  const { me } = useLodge();
  const navigate = useNavigate();
  const { theme, setTheme } = useTheme();
  const entries = (): readonly MenuEntry[] => [
    {
      kind: "choice",
      label: t("theme.label"),
      value: theme(),
      options: THEMES.map((value) => ({ value, label: t(`theme.${value}`) })),
      onChoose: (value) => setTheme(value as Theme),
    },
    { kind: "line" },
    {
      kind: "act",
      icon: "keyboard",
      label: t("keys.open"),
      onSelect: () => props.onShowKeys(),
    },
    ...(me().role === "admin"
      ? [
          {
            kind: "act",
            icon: "spark",
            label: t("components.title"),
            onSelect: () => navigate("/components"),
          } as const,
        ]
      : []),
    { kind: "line" },
    { kind: "act", icon: "leave", label: t("auth.signOut"), onSelect: () => props.onSignOut() },
  ];
  return (
    <Menu placement="top-start" entries={entries()}>
      <span class="avatar" aria-hidden="true">
        {[...me().name][0]?.toUpperCase()}
      </span>
      <span class="who" title={me().login}>
        {me().name}
      </span>
      <span class="visually-hidden">{t("account.menu")}</span>
    </Menu>
  );
}
