/** AskUserQuestion: what is asked, read from the tool's input, and the answers in the shape the CLI takes. */

export type QuestionOption = {
  readonly label: string;
  readonly description: string;
  /** What choosing it would look like, as plain text; "": nothing to see. */
  readonly preview: string;
};
export type Question = {
  readonly question: string;
  readonly header: string;
  readonly options: readonly QuestionOption[];
  readonly isMultiple: boolean;
};
/** What was picked for one question, and what was written beside it. */
export type Choice = { readonly labels: readonly string[]; readonly other: string };
export const NO_CHOICE: Choice = { labels: [], other: "" };

/** The questions, or null: the input is not what this form knows, and is shown as it is. */
export function parseQuestions(
  input: Readonly<Record<string, unknown>>,
): readonly Question[] | null {
  const { questions } = input;
  if (!Array.isArray(questions) || questions.length === 0) return null;
  const parsed = questions.map(parseQuestion);
  return parsed.every((question) => question !== null) ? parsed : null;
}

function parseQuestion(value: unknown): Question | null {
  if (typeof value !== "object" || value === null) return null;
  const { question, header, options, multiSelect } = value as Readonly<Record<string, unknown>>;
  if (typeof question !== "string" || !Array.isArray(options)) return null;
  const parsed = options.map((option: unknown) => {
    const { label, description, preview } = (option ?? {}) as Readonly<Record<string, unknown>>;
    return typeof label === "string"
      ? { label, description: textOf(description), preview: textOf(preview) }
      : null;
  });
  if (!parsed.every((option) => option !== null)) return null;
  return {
    question,
    header: textOf(header),
    options: parsed,
    isMultiple: multiSelect === true,
  };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

export const isAnswered = (choice: Choice) =>
  choice.labels.length > 0 || choice.other.trim() !== "";

/** By the question's own text; several picks are joined, as the CLI does it. */
export function encodeAnswers(
  questions: readonly Question[],
  choices: readonly Choice[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    questions.map((question, index) => {
      const { labels, other } = choices[index] ?? NO_CHOICE;
      return [
        question.question,
        [...labels, other.trim()].filter((text) => text !== "").join(", "),
      ];
    }),
  );
}
