/** The page that shows all components in all states, for whoever works on them. */
export const enComponents = {
  "components.title": "Components",
  "components.about":
    "Every part of the page in every state. Choose an appearance; walk through with Tab.",
  "components.colours": "Colours",
  "components.type": "Type",
  "components.buttons": "Buttons",
  "components.fields": "Fields",
  "components.choices": "Choices",
  "components.menus": "Menus and dialogs",
  "components.tags": "Tags, keys, hidden characters",
  "components.states": "Nothing there, waiting, wrong",
  "components.banners": "Banners",
  "components.rows": "Sessions in the list",
  "components.icons": "Signs",
} as const;
