/** What the scripted model says in `lodge demo`: enough for a newcomer to see text, tool prompts and a slow answer. */
import type { Rule } from "./rules.ts";
import { TOUR_RULES } from "./tour-rules.ts";

const DENIED = "doesn't want|does not want|rejected|denied|not allowed";

const MENU = [
  "Hello! I am a **scripted model**: the real Claude CLI is running here, only its answers are made up.",
  "",
  "Try one of these:",
  "",
  "- `run a command`: I ask to run one, and you allow or deny it",
  "- `write a file`: I ask to write one, and you see what would be in it",
  "- `something slow`: I talk for half a minute, so that you can stop me, reload the page or kill a process",
  "- `think`: I think before I answer",
  "- `tour: tools`, or `markdown`, `tasks`, `subagent`, `question`, `plan`, `web`, `limit`, `error`: what a session can show",
  "",
  "For the real thing, log the `claude` CLI in and start Lodge with `npm start`.",
].join("\\n");

const SLOW = [
  "Here is a slow answer. While it runs you may stop it, open the session in a second window or reload the page:",
  "nothing that was shown gets lost. Every line of the process goes into an append-only log before anyone sees it,",
  "and what you are reading is a fold of that log. You could even kill -9 the server now and start it again:",
  "this turn would still be going, because a process outlives what watches it.",
  "That is all there is to say, and it was said slowly.",
].join(" ");

export const DEMO_RULES: readonly Rule[] = [
  // The CLI asks for a title without offering tools.
  { when: { tools: false }, reply: '@text {"title":"A first session"}' },
  ...TOUR_RULES,
  {
    when: { text: "[Cc]ommand|[Tt]ool|[Bb]ash", tool_result: DENIED },
    reply: "@then\n@text Then I leave it. The log keeps who said no, and when.",
  },
  {
    when: { text: "[Cc]ommand|[Tt]ool|[Bb]ash" },
    reply: [
      "@text I would like to run a command. You are asked first.",
      '@tool Bash {"command":"echo Hello from Lodge | tee hello.txt && ls -l","description":"Say hello and list the directory"}',
      "@then",
      "@text It ran, and this was the end of its output:\\n\\n```\\n{{match:.*$}}\\n```",
    ],
  },
  {
    when: { text: "[Ff]ile|[Ww]rite|[Ee]dit", tool_result: DENIED },
    reply: "@then\n@text Then I leave it. Nothing was written.",
  },
  {
    when: { text: "[Ff]ile|[Ww]rite|[Ee]dit" },
    reply: [
      "@text I would like to write a file. You are asked first.",
      '@tool Write {"file_path":"{{cwd}}/haiku.txt","content":"A house for sessions\\nlights stay on when you go home\\nthe log remembers\\n"}',
      "@then",
      "@text It is written: `haiku.txt`.",
    ],
  },
  { when: { text: "[Ss]low|[Ll]ong" }, reply: `@slow 400\n@text ${SLOW}` },
  {
    when: { text: "[Tt]hink" },
    reply:
      "@slow 80\n@think A question about thinking. I should think about it for a moment.\n@text I thought about it: yes.",
  },
  { reply: `@slow 15\n@text ${MENU}` },
];
