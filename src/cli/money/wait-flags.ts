import { commandWords } from "../../values/command-words.ts";
import { parseDuration } from "../../values/duration.ts";
import { parseListenAddress } from "../../values/listen-address.ts";
import { misuse } from "../../values/misuse.ts";
import { anyText, flagName, option, toggle } from "../input.ts";
import type { FlagValues } from "../input.ts";

/** What a command takes whose outcome comes by a callback. */
export const waitFlags = {
  callbackUrl: option({
    value: "URL",
    summary: "Where the service reports the outcome; the profile's callbackUrl when left out.",
    group: "waiting",
    read: anyText,
  }),
  wait: toggle({ summary: "Wait for the outcome, and end with it.", group: "waiting" }),
  waitFor: option({
    value: "3m",
    summary: "How long to wait at most.",
    group: "waiting",
    read: (text, name) => parseDuration(text, name),
  }),
  listen: option({
    value: "HOST:PORT",
    summary: "Where to listen for the callback; 127.0.0.1:0, any free port, when left out.",
    group: "waiting",
    read: parseListenAddress,
  }),
  tunnel: option({
    value: '"CMD {port}"',
    summary: "A program that makes the port reachable; the first https URL that it prints is used.",
    group: "waiting",
    read: parseTunnel,
  }),
  confirmStatement: toggle({ summary: "Wait until the statement shows it, too.", group: "waiting" }),
} as const;

export type WaitFlags = FlagValues<typeof waitFlags>;

/** The flags that mean nothing without `--wait`, as they were typed. */
export function flagsOfWaiting({ waitFor, listen, tunnel, confirmStatement }: Partial<WaitFlags>): string[] {
  const given = { waitFor, listen, tunnel, confirmStatement: confirmStatement || undefined };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${flagName(name)}`]));
}

/**
 * The words of a tunnel's command line.
 * @throws {Failure} usage
 */
function parseTunnel(text: string, field: string): readonly string[] {
  const words = commandWords(text);
  if (words !== undefined && words.length > 0 && words[0] !== "") return words;
  const problem = words === undefined ? "has a quote that is not closed" : "names no program";
  throw misuse({ field, text, problem, example: '"cloudflared tunnel --url http://127.0.0.1:{port}"' });
}
