/** Which of the CLI's commands a text that begins with "/" may be about to become. */
import type { SlashCommand } from "@lodge/protocol";

const MOST = 50;

/** null: nobody is writing a command. */
export function matchCommands(
  commands: readonly SlashCommand[],
  text: string,
  caret: number,
): readonly SlashCommand[] | null {
  const typed = /^\/(\S*)$/.exec(text.slice(0, caret))?.[1]?.toLowerCase();
  // Only while the name itself is being written.
  if (typed === undefined || /^\S/.test(text.slice(caret))) return null;
  const rank = ({ name }: SlashCommand) => {
    const lower = name.toLowerCase();
    if (lower.startsWith(typed)) return 0;
    return lower.split(/[:_-]/).some((part) => part.startsWith(typed)) ? 1 : 2;
  };
  const matches = commands.filter(
    ({ name, description }) =>
      name.toLowerCase().includes(typed) ||
      (typed.length > 2 && description.toLowerCase().includes(typed)),
  );
  return matches
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
    .slice(0, MOST);
}

/** The text once a command was chosen: its name and room for what it takes. */
export const completeCommand = (command: SlashCommand, text: string): string =>
  `/${command.name} ${text.replace(/^\/\S*\s*/, "")}`;
