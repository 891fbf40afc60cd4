import type { Output } from "../host/host.ts";
import { alteredOutput } from "./altered-output.ts";
import type { Application } from "./application.ts";
import type { Token } from "./line/tokens.ts";

/** Words behind `partner` that can be a command. */
const suggested = /\bpartner ([a-z]+(?: [a-z]+)*)/g;
/** Flags with which a suggestion says itself whose it is, or asks for no account. */
const isComplete = /(?:^| )(?:-p|--profile|--all-profiles|--help)\b/;
/** A name that a shell takes as it is. */
const plainName = /^[\w-]+$/;

/** What stands for the profile where a message does not know which one is used. */
const unnamed = /\bpartner profile set NAME\b/g;

/**
 * An output whose suggested commands name the profile that the command line named: typed as they are, they are about the
 * same account. Where the command line named none, every byte stays.
 */
export function suggesting(output: Output, tokens: readonly Token[], application: Application): Output {
  const profile = argumentProfile(tokens, application) ?? flaggedProfile(tokens);
  if (profile === undefined || !plainName.test(profile)) return output;
  return alteredOutput(output, (text) =>
    text
      .replaceAll(suggested, (command: string, words: string, at: number) => {
        const [line = ""] = text.slice(at + "partner ".length).split(/\n|\bpartner /, 1);
        return isAboutAccount(words, application) && !isComplete.test(line)
          ? command.replace("partner", `partner -p ${profile}`)
          : command;
      })
      .replaceAll(unnamed, `partner profile set ${profile}`),
  );
}

function flaggedProfile(tokens: readonly Token[]): string | undefined {
  return tokens.flatMap((token) => (token.kind === "option" && token.key === "profile" ? [token.text] : [])).at(-1);
}

/** The profile of `profile check NAME`, which counts over `--profile`. */
function argumentProfile(tokens: readonly Token[], { ofProfile }: Application): string | undefined {
  const words = tokens.flatMap((token) => (token.kind === "argument" ? [token.text] : []));
  const command = ofProfile.find((id) => words.join(":").startsWith(`${id}:`));
  return command === undefined ? undefined : words[command.split(":").length];
}

/** True where the longest run of words that names a command names one that works with an account. */
function isAboutAccount(words: string, { catalog, withoutAccount }: Application): boolean {
  for (let id = words.replaceAll(" ", ":"); id !== ""; id = id.slice(0, Math.max(id.lastIndexOf(":"), 0)))
    if (Object.hasOwn(catalog, id)) return !withoutAccount.some((other) => id.startsWith(other));
  return false;
}
