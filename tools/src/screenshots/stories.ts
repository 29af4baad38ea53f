/** The sessions that the pictures show: what was asked, and what the scripted model answers. */
import type { Rule } from "../model-server/index.ts";

export type Story = {
  readonly title: string;
  readonly prompt: string;
  readonly reply: readonly string[];
  readonly facts?: Readonly<Record<string, unknown>>;
};

const call = (name: string, input: unknown) => `@tool ${name} ${JSON.stringify(input)}`;
const bash = (command: string, description: string) => call("Bash", { command, description });

const PARSER = `export function parseLine(line) {
  const at = line.indexOf("=");
  if (at === -1) return null;
  return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}
`;

export const STORIES = {
  talk: {
    title: "Make the settings parser strict",
    prompt: "The settings parser takes lines without a key. Find out why and write a test first.",
    reply: [
      "@think The parser splits at the first equals sign. A line that begins with it has an empty key.",
      "@text I will look at the parser and at what is tested today.",
      bash(
        `mkdir -p src && printf '%b' ${JSON.stringify(PARSER)} > src/settings.js; ls src`,
        "List the sources",
      ),
      "@then",
      '@text The parser takes `=value`: `indexOf` finds the sign at **0**, and nothing asks whether there is a key in front of it.\\n\\n```js\\nif (at <= 0) return null;\\n```\\n\\nThree lines are affected:\\n\\n| line | today | should be |\\n| --- | --- | --- |\\n| `=x` | `[\\"\\", \\"x\\"]` | refused |\\n| ` =x` | `[\\"\\", \\"x\\"]` | refused |\\n| `a=` | `[\\"a\\", \\"\\"]` | as it is |\\n\\nI will write the test for the first two and then make the change.',
    ],
    facts: { permissionMode: "acceptEdits" },
  },
  command: {
    title: "Upgrade the database",
    prompt: "Bring the development database to the newest schema.",
    reply: [
      "@text The schema is two versions behind. I take a copy first, then migrate.",
      bash(
        "pg_dump app_dev > backup.sql\nnpm run db:migrate -- --to latest\nrm -rf tmp/cache\u200b/*",
        "Copy the database, migrate it, empty the cache",
      ),
      "@then",
      "@text Done.",
    ],
  },
  edit: {
    title: "Say what the parser refuses",
    prompt: "Make the parser say why it refuses a line.",
    reply: [
      bash(`mkdir -p src && printf '%b' ${JSON.stringify(PARSER)} > src/settings.js`, "Begin"),
      "@then",
      call("Read", { file_path: "{{cwd}}/src/settings.js" }),
      "@then",
      "@text It should return a reason instead of `null`.",
      call("Edit", {
        file_path: "{{cwd}}/src/settings.js",
        old_string: '  const at = line.indexOf("=");\n  if (at === -1) return null;',
        new_string:
          '  const at = line.indexOf("=");\n  if (at === -1) return { refused: "no equals sign" };\n  if (at === 0) return { refused: "no key" };',
      }),
      "@then",
      "@text Done.",
    ],
  },
  questions: {
    title: "Where should uploads live?",
    prompt: "Plan where uploads are kept.",
    reply: [
      call("AskUserQuestion", {
        questions: [
          {
            question: "Where should uploaded files live?",
            header: "Storage",
            options: [
              { label: "On disk", description: "Simple, and backed up with the machine" },
              { label: "Object storage", description: "One more service, and no limit to size" },
            ],
            multiSelect: false,
          },
          {
            question: "Which of these are to be accepted?",
            header: "Types",
            options: [
              { label: "Pictures", description: "Redrawn before they are kept" },
              { label: "PDF", description: "Kept as they are" },
            ],
            multiSelect: true,
          },
        ],
      }),
      "@then",
      "@text Good.",
    ],
  },
  plan: {
    title: "Move the queue out of memory",
    prompt: "Plan how jobs survive a restart.",
    reply: [
      call("ExitPlanMode", {
        plan: "# Jobs that survive a restart\n\n1. **One table**, `jobs`, with a state and a deadline\n2. The worker claims with `for update skip locked`\n3. A job is deleted when its result is written, in one transaction\n\nWhat stays as it is: the names of the jobs, and who may start them.\n\n```sql\nselect * from jobs where state = 'ready' limit 1 for update skip locked;\n```",
      }),
      "@then",
      "@text Off we go.",
    ],
    facts: { permissionMode: "plan" },
  },
  several: {
    title: "Check three services",
    prompt: "Look whether all three services answer.",
    reply: [
      "@text I ask all three at once.",
      bash("curl -fsS http://accounts.internal/healthz", "Ask the accounts service"),
      bash("curl -fsS http://mail.internal/healthz", "Ask the mail service"),
      bash("curl -fsS http://search.internal/healthz", "Ask the search service"),
      "@then",
      "@text All well.",
    ],
  },
  slow: {
    title: "Describe the architecture",
    prompt: "Describe how the parts work together, for a newcomer.",
    reply: [
      "@slow 120",
      `@text ${"Each part owns what it writes and nothing else. A request comes in at the door, is looked at once, and leaves a fact behind it; everything that is shown later is read from those facts. ".repeat(60)}`,
    ],
  },
  failed: {
    title: "Translate the manual",
    prompt: "Translate the manual.",
    reply: ["@error 400 type=invalid_request_error The request is not valid."],
  },
} as const satisfies Readonly<Record<string, Story>>;
export type StoryName = keyof typeof STORIES;

export const RULES: readonly Rule[] = Object.values(STORIES).map((story: Story) => ({
  when: { text: `${story.prompt.replaceAll(/[.?]/g, ".")}$`, tools: true },
  reply: story.reply,
}));
