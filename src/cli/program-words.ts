import { commandWords } from "../values/text/command-words.ts";
import { violation } from "../values/violation.ts";

/**
 * Reads the command line of a program that we run without a shell: `--exec "./book.sh --verbose"`.
 * @returns a reader that throws a usage `Failure` for text that names no program
 */
export function programWords(example: string): (text: string, field: string) => readonly string[] {
  return (text, field) => {
    const words = commandWords(text);
    if (words !== undefined && words.length > 0 && words[0] !== "") return words;
    const problem = words === undefined ? "has a quote that is not closed" : "names no program";
    throw violation({ field, text, problem, example });
  };
}
