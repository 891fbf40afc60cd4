import * as Args from "@oclif/core/args";
import * as Flags from "@oclif/core/flags";
import { flagName } from "../values/text/flag-name.ts";
import { filesInWords } from "./common-flags.ts";
import type { FileFormat } from "../report/file-format.ts";
import type { Flags as FlagSpecs, Positionals } from "./line/input.ts";

/** The parts of a command that its usage line shows. */
export interface Used {
  readonly args: Positionals;
  readonly flags: FlagSpecs;
  readonly rest?: string | undefined;
}

/** The usage line: the command's arguments and required flags, including those that a toggle can replace. */
export function usageOf({ args, flags, rest }: Used): string {
  const words = Object.entries(args).map(([name, { required }]) => {
    const word = flagName(name).toUpperCase();
    return required ? word : `[${word}]`;
  });
  // `[ACCOUNT] [ACCOUNT...]` says nothing that its second word alone doesn't.
  if (rest !== undefined && rest === words.at(-1)?.replace("]", "...]")) words.pop();
  const needed = Object.entries(flags).flatMap(([key, flag]) =>
    flag.kind === "option" && (flag.required || flag.unless !== undefined) ? [`--${flagName(key)} ${flag.value}`] : [],
  );
  // Words for another program come last, after `--`.
  const [after, last] = rest?.startsWith("--") === true ? [[], [rest]] : [rest ?? [], []];
  return ["<%= command.id %>", ...words, ...needed].concat(after, "[--flags]", last).join(" ");
}

/** The description of a command, and of the files that it can make. */
export function descriptionOf(description: string | undefined, fileFormats: readonly FileFormat[] | undefined): string {
  const files = fileFormats === undefined ? undefined : filesInWords(fileFormats);
  return [description, files].filter((part) => part !== undefined).join("\n\n");
}

/** Arguments in oclif's form. A missing one is never read from stdin. */
export function oclifArgs(positionals: Positionals) {
  return Object.fromEntries(
    Object.entries(positionals).map(([name, { summary, required, words }]) => [
      flagName(name),
      Args.string({
        description: summary,
        required,
        ignoreStdin: true,
        ...(words === undefined ? {} : { options: words }),
      }),
    ]),
  );
}

/** Flags in oclif's form, for help and completion; oclif's parser is not used. */
export function oclifFlags(flags: FlagSpecs) {
  return Object.fromEntries(
    Object.entries(flags).map(([key, flag]) => {
      const shared = { summary: flag.summary, ...given("char", flag.char), ...given("helpGroup", flag.group) };
      if (flag.kind === "toggle") return [flagName(key), Flags.boolean(shared)];
      const { many, required, value, words } = flag;
      const options = words === undefined ? {} : { options: words };
      const taken = { ...shared, ...options, helpValue: value, required, noCacheDefault: true };
      return [
        flagName(key),
        many ? Flags.string({ ...taken, multiple: true, multipleNonGreedy: true }) : Flags.string(taken),
      ];
    }),
  );
}

function given(name: string, value: string | undefined): Record<string, string> {
  return value === undefined ? {} : { [name]: value };
}
