/**
 * A tour of what a session can show: for the demo, for pictures of the page, and for whoever works on
 * it. Each is asked for by its name, as in `tour: tools`.
 */
import type { Rule } from "./rules.ts";

const DENIED = "doesn't want|rejected|denied|not allowed";
const oneLine = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("{{", "{ {");
const text = (words: string): string => `@text ${oneLine(words)}`;
const tool = (name: string, input: unknown): string => `@tool ${name} ${JSON.stringify(input)}`;
const bash = (command: string, description: string): string =>
  tool("Bash", { command, description });

const tour = (name: string, ...reply: readonly string[]): readonly Rule[] => [
  {
    when: { text: `[Tt]our: ${name}`, tool_result: DENIED },
    reply: "@then\n@text Then I leave the tour here.",
  },
  { when: { text: `[Tt]our: ${name}` }, reply },
];

const MARKDOWN = `## A bound for the cache

The cache in \`src/cache.ts\` is **unbounded**; [the notes](https://example.com/notes) say why that was fine for a while.

1. Measure it
2. Bound it, by
   - a size
   - an age
3. Test it

- [x] read the code
- [ ] write the code

\`\`\`ts
/** Keeps the values that were asked for last. */
export class Cache<K, V> {
  readonly #items = new Map<K, V>();
  readonly #most: number;

  constructor(most = 100) {
    this.#most = most;
  }

  get(key: K): V | undefined {
    const value = this.#items.get(key);
    if (value !== undefined) this.#touch(key, value);
    return value;
  }
}
\`\`\`

| part | hits | misses |
| --- | ---: | ---: |
| sessions | 1,204 | 3 |
| accounts | 88 | 12 |

> Nothing that anybody has seen is lost.

כך נראית פסקה בעברית, עם \`code\` בתוכה.`;

const SOURCE = `export const most = 100;

export function get(map: Map<string, unknown>, key: string) {
  return map.get(key);
}
`;

const COLOURS = [
  String.raw`printf '\033[1mcache\033[0m\n'`,
  String.raw`printf '  \033[32m✓\033[0m keeps what was asked for last\n  \033[32m✓\033[0m forgets the rest\n'`,
  String.raw`printf '  \033[31m✗\033[0m is quick \033[2m(12 ms)\033[0m\n\n\033[41;97m FAIL \033[0m \033[33m1 of 3\033[0m\n'`,
  "exit 1",
].join("; ");

export const TOUR_RULES: readonly Rule[] = [
  ...tour(
    "markdown",
    "@think How is the cache used, and what would bound it? I look at the callers first.",
    text(MARKDOWN),
  ),
  ...tour(
    "tools",
    text("I look at the cache, give it types, and run its tests."),
    tool("Write", { file_path: "{{cwd}}/cache.ts", content: SOURCE }),
    "@then",
    tool("Read", { file_path: "{{cwd}}/cache.ts" }),
    "@then",
    "@think The key is a string; what comes back has no type yet.",
    tool("Edit", {
      file_path: "{{cwd}}/cache.ts",
      old_string: "(map: Map<string, unknown>, key: string) {",
      new_string: "<V>(map: Map<string, V>, key: string): V | undefined {",
    }),
    "@then",
    bash(COLOURS, "Run the tests"),
    "@then",
    bash("seq 1 400", "Count, at length"),
    "@then",
    text("The types are in place. One test is too slow; that was so before."),
  ),
  ...tour(
    "tasks",
    text("Three things to do; I write them down."),
    tool("TaskCreate", { subject: "Read the code", description: "All callers of the cache" }),
    tool("TaskCreate", { subject: "Bound the cache", description: "By size and by age" }),
    tool("TaskCreate", { subject: "Test it", description: "At its bound" }),
    "@then",
    tool("TaskUpdate", { taskId: "1", status: "completed" }),
    tool("TaskUpdate", { taskId: "2", status: "in_progress" }),
    "@then",
    text("The code is read. Next comes the bound."),
  ),
  ...tour(
    "subagent",
    text("I send somebody to look."),
    tool("Agent", {
      description: "Find the callers",
      subagent_type: "general-purpose",
      prompt: `@think Where to look?\n${bash("ls -a", "List the directory")}\n@then\n@text Nobody calls it yet: the directory is **empty**.`,
    }),
    "@then",
    text("There are no callers yet, so the bound can be chosen freely."),
  ),
  ...tour(
    "question",
    tool("AskUserQuestion", {
      questions: [
        {
          question: "What should bound the cache?",
          header: "Bound",
          multiSelect: true,
          options: [
            { label: "Size", description: "So many values, the oldest go first" },
            { label: "Age", description: "So many minutes, whatever the size" },
          ],
        },
        {
          question: "And when it is full?",
          header: "Full",
          multiSelect: false,
          options: [
            { label: "Forget", description: "The value is made again when it is asked for" },
            { label: "Refuse", description: "Nothing new is kept" },
          ],
        },
      ],
    }),
    "@then",
    text("Good, then I do it that way."),
  ),
  ...tour(
    "plan",
    tool("EnterPlanMode", {}),
    "@then",
    tool("ExitPlanMode", {
      plan: "# Bound the cache\n\n1. Give `Cache` a size, **100** unless said otherwise\n2. Forget what was asked for longest ago\n3. Test it at its bound\n\nNothing else changes.",
    }),
    "@then",
    text("Then I begin with the size."),
  ),
  ...tour(
    "web",
    tool("WebFetch", { url: "https://example.com/notes", prompt: "What do the notes say?" }),
    "@then",
    text("That is what could be found."),
  ),
  ...tour("error", "@error 401 type=authentication_error invalid x-api-key"),
  ...tour("limit", "@error 529 times=2 Overloaded", text("It answers again.")),
];
