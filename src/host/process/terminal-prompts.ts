import { isatty, ReadStream } from "node:tty";
import { styleText } from "node:util";
import { createPromptModule } from "inquirer";
import type { Choice, Prompts, Question } from "./prompts.ts";
import { pasteInput } from "./pasted-input.ts";
import { PromptAborted } from "./prompts.ts";

const visibleChoices = 10;
const yesOrNo = /^(?:y|yes|n|no|)$/i;
const yesNoOrEdit = /^(?:y|yes|n|no|e|edit|)$/i;

/** Asks for a letter. A wrong answer is cleared: otherwise the next letter would be typed after it. */
async function askLetter(terminal: PromptTerminal, message: string, answers: RegExp, advice: string): Promise<string> {
  const typed: string = await ask(terminal, {
    type: "input",
    message: `${message} (y/N)`,
    validate: (answer: string) => answers.test(answer.trim()) || advice,
    theme: { validationFailureMode: "clear" },
  });
  return typed.trim().charAt(0).toLowerCase();
}

/** Once something is chosen, the hint on searching is dropped. */
function searchWords(message: string, status: string): string {
  return styleText("bold", status === "done" ? message : `${message} (type to search)`);
}

/** How the problem with an answer is shown. */
function problemWords(terminal: PromptTerminal): (problem: string) => string {
  return (problem) => styleText("red", inLines(`> ${problem}`, terminal, "\n"));
}

/** Breaks a choice that is longer than a line between words, so that no amount is cut in two. */
function fitted<T extends string>(choices: readonly Choice<T>[], terminal: PromptTerminal): Choice<T>[] {
  return choices.map((choice) => ({
    ...choice,
    short: choice.short ?? choice.name,
    name: inLines(choice.name, terminal, "\n    "),
  }));
}

/** Breaks a text into lines between words; inquirer itself breaks it anywhere. */
function inLines(text: string, { output }: PromptTerminal, lineBreak: string): string {
  const columns = ("columns" in output && Number(output.columns)) || 80;
  const width = Math.max(columns - lineBreak.length, 20);
  return [...text.matchAll(new RegExp(`(.{1,${width}})(?: +|$)`, "gu"))].map(([, line]) => line).join(lineBreak);
}

/** Where questions are drawn and typed. */
export interface PromptTerminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/** The mode of a closed terminal can't be set: Node makes that an error which ends the process, with a stack. */
function letClose(input: NodeJS.ReadableStream): void {
  if (!(input instanceof ReadStream) || Object.hasOwn(input, "setRawMode")) return;
  const set = input.setRawMode.bind(input);
  input.setRawMode = (isRaw) => (isatty(Number(Reflect.get(input, "fd"))) ? set(isRaw) : input);
}

/** Asks without showing what is typed: only that something was. */
async function askSecret(terminal: PromptTerminal, { message, check = () => true }: Question): Promise<string> {
  const pasting = pasteInput(terminal.input, terminal.output);
  let entered = "";
  const validate = (typed: string) => {
    const result = check((entered = typed));
    // A person cannot see what the next keys would be added to.
    if (result !== true) pasting.startOver();
    return result;
  };
  // What stays on the screen shows that something was entered, but not how long it is.
  const answer = () => (entered === "" ? "" : "[hidden]");
  try {
    return await ask(
      { ...terminal, input: pasting.input },
      { type: "password", message, toggleMask: false, validate, theme: { style: { answer } } },
    );
  } finally {
    pasting.release();
  }
}

/** Questions asked by inquirer. Each rejects with `PromptAborted` when there will be no answer. */
export function terminalPrompts(terminal: PromptTerminal): Prompts {
  letClose(terminal.input);
  return {
    confirm: async (message) => (await askLetter(terminal, message, yesOrNo, "Type y for yes, or n for no.")) === "y",
    async confirmOrEdit(message) {
      const letter = await askLetter(
        terminal,
        message,
        yesNoOrEdit,
        "Type y to send it, n not to send it, or e to edit.",
      );
      return letter === "y" ? "yes" : letter === "e" ? "edit" : "no";
    },
    text: ({ message, initial, check = () => true, show = (typed) => typed }) =>
      ask(terminal, {
        type: "input",
        message,
        default: initial,
        validate: check,
        transformer: show,
        theme: {
          style: {
            error: problemWords(terminal),
            defaultAnswer: (offered: string) => styleText("dim", `(${show(offered)})`),
          },
        },
      }),
    secret: (question) => askSecret(terminal, question),
    choose: (message, choices) =>
      ask(terminal, {
        type: "select",
        message,
        choices: fitted(choices, terminal),
        pageSize: visibleChoices,
        loop: false,
      }),
    search: (message, find) =>
      ask(terminal, {
        type: "search",
        message,
        source: (typed = "") => fitted(find(typed), terminal),
        pageSize: visibleChoices,
        theme: { style: { message: searchWords } },
      }),
  };
}

/** Properties of an inquirer question, except its name. */
type Properties = { readonly type: string; readonly message: string } & Readonly<Record<string, unknown>>;

async function ask<T>(terminal: PromptTerminal, question: Properties): Promise<T> {
  const { input, output } = terminal;
  // If stdin has already ended, inquirer would wait until the process ends with exit code 0.
  if (!input.readable) throw new PromptAborted("There is no terminal left to answer the question");
  const ended = new AbortController();
  const end = () => ended.abort();
  let isBack = false;
  const back = () => {
    isBack = true;
    process.nextTick(() => (isBack = false));
  };
  // When Ctrl-D or the terminal's end closes the line, inquirer only pauses, and waits forever. After Ctrl-Z and fg the
  // line pauses as well, within SIGCONT: then the question goes on.
  const pause = () => (isBack ? process.nextTick(() => input.resume()) : end());
  process.prependListener("SIGCONT", back);
  const listeners = [
    ["pause", pause],
    ["end", end],
    ["close", end],
  ] as const;
  for (const [event, listener] of listeners) input.on(event, listener);
  const prompt = createPromptModule({
    input,
    output,
    signal: AbortSignal.any([terminal.signal, ended.signal]),
  });
  try {
    const { answer } = await prompt<{ answer: T }>([{ ...question, name: "answer" }]);
    return answer;
  } catch (error) {
    const aborted = error instanceof Error && ["ExitPromptError", "AbortPromptError"].includes(error.name);
    throw aborted ? new PromptAborted("The question was not answered", { cause: error }) : error;
  } finally {
    process.off("SIGCONT", back);
    for (const [event, listener] of listeners) input.off(event, listener);
    // After Ctrl-Z and fg the line counts as paused already, and leaves its input open: the program would not end.
    input.pause();
  }
}
