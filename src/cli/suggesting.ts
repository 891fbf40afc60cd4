import type { Output } from "../host/host.ts";
import { alteredOutput } from "./altered-output.ts";
import type { Application } from "./application.ts";
import type { LineToken } from "./line/tokens.ts";

/** Quoted text is a person's own, or a value on a command line; inside JSON its quotes are escaped. */
const quoted = String.raw`(?<=^|[\s(=])(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\".*?\\")`;
const everyQuoted = new RegExp(quoted, "g");
/** A quoted text, or words behind `partner` that can be a command. */
const suggested = new RegExp(String.raw`${quoted}|\bpartner ([a-z]+(?: [a-z]+)*)`, "g");
/** The members of an error in JSON that suggest commands. */
const suggestingMembers = /"(?:message|hint)":"(?:[^"\\]|\\.)*"/g;
/** Flags by which a suggestion already names its account, or needs none. */
const isComplete = /(?:^| )(?:-p|--profile|--all-profiles|--help)\b/;
/** A field of an order in a question: it is shown exactly as it will be sent. */
const isField = /^ {2}\S/;
/** A name that a shell takes as it is. */
const plainName = /^[\w-]+$/;

/** The placeholder for the profile, where a message does not know which one is used. */
const unnamed = /\bpartner profile set NAME\b/g;

/**
 * An output whose suggested commands name the profile of the command line, so that they mean the same account when they
 * are typed as shown. A person's own text, such as a description, stays as it is. Where the command line names no
 * profile, every byte does.
 */
export function suggesting(output: Output, tokens: readonly LineToken[], application: Application): Output {
  const profile = argumentProfile(tokens, application) ?? flaggedProfile(tokens);
  if (profile === undefined || !plainName.test(profile)) return output;
  const naming = (text: string) => withProfile(text, profile, application);
  return alteredOutput(output, (text) =>
    text
      .split("\n")
      .map((line) => {
        if (isField.test(line)) return line;
        return line.startsWith("{") ? line.replaceAll(suggestingMembers, naming) : naming(line);
      })
      .join("\n"),
  );
}

function withProfile(line: string, profile: string, application: Application): string {
  return line
    .replaceAll(suggested, (found: string, words: string | undefined, at: number) => {
      if (words === undefined || !isAboutAccount(words, application)) return found;
      const after = line.slice(at + "partner ".length).replaceAll(everyQuoted, "''");
      const [flags = ""] = after.split(/\bpartner /, 1);
      return isComplete.test(flags) ? found : found.replace("partner", `partner -p ${profile}`);
    })
    .replaceAll(unnamed, `partner profile set ${profile}`);
}

function flaggedProfile(tokens: readonly LineToken[]): string | undefined {
  return tokens.flatMap((token) => (token.kind === "option" && token.key === "profile" ? [token.text] : [])).at(-1);
}

/** The profile of `profile check NAME`, which overrides `--profile`. */
function argumentProfile(tokens: readonly LineToken[], { ofProfile }: Application): string | undefined {
  const words = tokens.flatMap((token) => (token.kind === "argument" ? [token.text] : []));
  const command = ofProfile.find((id) => words.join(":").startsWith(`${id}:`));
  return command === undefined ? undefined : words[command.split(":").length];
}

/** True where the longest run of words that names a command leads to a command for an account. */
function isAboutAccount(words: string, { catalog, withoutAccount }: Application): boolean {
  for (let id = words.replaceAll(" ", ":"); id !== ""; id = id.slice(0, Math.max(id.lastIndexOf(":"), 0)))
    if (Object.hasOwn(catalog, id)) return !withoutAccount.some((other) => id.startsWith(other));
  return false;
}
