/** Questions to a person on a terminal, drawn on stderr: stdout is for the result. */
export interface Prompts {
  /** Asks with `(y/N)`: the default is no. */
  confirm(message: string): Promise<boolean>;
  /** The same, plus `e` to change something first. */
  confirmOrEdit(message: string): Promise<"yes" | "no" | "edit">;
  text(question: Question): Promise<string>;
  /** The typed text is not shown. */
  secret(question: Question): Promise<string>;
  choose<T extends string>(message: string, choices: readonly Choice<T>[]): Promise<T>;
  /** A list that narrows down as the person types. */
  search<T extends string>(message: string, find: (typed: string) => readonly Choice<T>[]): Promise<T>;
}

export interface Question {
  readonly message: string;
  readonly initial?: string | undefined;
  /** True for a valid value, else a message: what is wrong, and what to type instead. */
  readonly check?: ((typed: string) => true | string) | undefined;
  /** Formats the text while it is typed, for example in groups of three digits. */
  readonly show?: ((typed: string) => string) | undefined;
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly name: string;
  /** What stays on the screen once it is chosen; default: `name`. */
  readonly short?: string | undefined;
}

/** The choice that goes back from a list of what can be changed. */
export const noChange = { value: "", name: "Nothing: back to the question" } as const;

/** The person ended the question (Ctrl-C, Ctrl-D, a closed terminal), or a signal did. */
export class PromptAborted extends Error {
  override readonly name = "PromptAborted";
}

/**
 * The answer to questions that can be left.
 * @returns undefined where Ctrl-C ends them
 * @throws {PromptAborted} where a signal ends them: the run stops
 */
export async function unlessLeft<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof PromptAborted) || signal.aborted) throw error;
    return undefined;
  }
}
