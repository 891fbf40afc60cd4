/** Questions to a person on a terminal, drawn on stderr so that stdout stays the result's. */
export interface Prompts {
  /** Ends in `(y/N)`: the default is no. */
  confirm(message: string): Promise<boolean>;
  /** The same, and `e` is taken for a wish to change something first. */
  confirmOrEdit(message: string): Promise<"yes" | "no" | "edit">;
  text(question: Question): Promise<string>;
  /** What is typed is not shown. */
  secret(question: Question): Promise<string>;
  choose<T extends string>(message: string, choices: readonly Choice<T>[]): Promise<T>;
  /** A list that narrows down as the person types. */
  search<T extends string>(message: string, find: (typed: string) => readonly Choice<T>[]): Promise<T>;
}

export interface Question {
  readonly message: string;
  readonly initial?: string | undefined;
  /** True, or what is wrong and what to type instead. */
  readonly check?: ((typed: string) => true | string) | undefined;
  /** How what is typed is shown while it is typed, such as in groups of three digits. */
  readonly show?: ((typed: string) => string) | undefined;
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly name: string;
}

/** The person ended the question (Ctrl-C, Ctrl-D, a closed terminal), or a signal did. */
export class PromptAborted extends Error {
  override readonly name = "PromptAborted";
}
