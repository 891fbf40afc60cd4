import { collect } from "../../../contract/collection.ts";
import { violationsOf } from "../../../contract/request.ts";
import { parseDuration } from "../../../values/time/duration.ts";
import { flagName } from "../../../values/text/flag-name.ts";
import { violation } from "../../../values/violation.ts";
import { parseListenAddress } from "../../../values/addresses/listen-address.ts";
import type { FlagValues } from "../../../cli/line/input.ts";
import { anyText, option, toggle } from "../../../cli/line/input.ts";
import { programWords } from "../../../cli/program-words.ts";

/** @throws {Failure} usage where the service cannot call it */
function readCallbackUrl(text: string, name: string): string {
  const callbackUrl = anyText(text, name);
  const problem = violationsOf(collect, { callbackUrl })["callbackUrl"];
  if (problem === undefined) return callbackUrl;
  throw violation({ field: name, text, problem, example: "https://hooks.example/partner" });
}

/** The flags of commands whose outcome comes by a callback. */
export const waitFlags = {
  callbackUrl: option({
    value: "URL",
    summary: "Where the service reports the outcome (default: the profile's callbackUrl).",
    group: "waiting",
    read: readCallbackUrl,
  }),
  wait: toggle({ summary: "Wait for the outcome, and end with its exit code.", group: "waiting" }),
  waitFor: option({
    value: "3m",
    summary: "How long to wait at most (default: 3m).",
    group: "waiting",
    read: (text, name) => parseDuration(text, name, "3m"),
  }),
  listen: option({
    value: "HOST:PORT",
    summary: "Where to listen for the callback (default: 127.0.0.1:0, any free port).",
    group: "waiting",
    read: parseListenAddress,
  }),
  tunnel: option({
    value: '"CMD {port}"',
    summary: "A program that makes the port reachable; the first https URL that it prints is used.",
    group: "waiting",
    read: programWords('"cloudflared tunnel --url http://127.0.0.1:{port}"'),
  }),
  confirmStatement: toggle({ summary: "Wait until the statement shows it, too.", group: "waiting" }),
} as const;

export type WaitFlags = FlagValues<typeof waitFlags>;

/** The given flags that have no effect without `--wait`. */
export function flagsOfWaiting({ waitFor, listen, tunnel, confirmStatement }: Partial<WaitFlags>): string[] {
  const given = { waitFor, listen, tunnel, confirmStatement: confirmStatement || undefined };
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [`--${flagName(name)}`]));
}
