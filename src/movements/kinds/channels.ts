import { documentedChannels, seenChannels } from "../../contract/collection.ts";
import { documentedServiceCodes } from "../../contract/extensions/payout.ts";
import { Failure } from "../../values/failure.ts";
import { isSlipOf } from "../../values/text/closest.ts";
import { quote } from "../../values/text/text.ts";

/**
 * The specification is silent: operators' prefixes after 255, as they are commonly known. Numbers are portable, so a
 * mismatch is a warning.
 */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  VODACOM: ["72", "74", "75", "76", "79"],
  AIRTEL: ["78", "68", "69"],
  TIGO: ["71", "65", "67", "77"],
  HALOTEL: ["62", "61"],
};
const kenyan = "254";

/** The country of a channel: its first letters, as in `TZ-TIGO-C2B` (spec 4.5); where they say none, the number's. */
export function countryOf(channel: string, msisdn: string): "TZ" | "KE" {
  if (/^(?:TZ|KE)-/.test(channel)) return channel.startsWith("KE-") ? "KE" : "TZ";
  return msisdn.startsWith(kenyan) ? "KE" : "TZ";
}

/**
 * Reads the channel of a collection. Unknown ones are accepted, as any may exist.
 * @throws {Failure} usage: `AIRTEL`, where `TZ-AIRTEL-C2B` was meant
 */
export const readChannel = channelReader([...documentedChannels, ...seenChannels], "specification");

/**
 * Reads the channel of a payout. Unknown ones are accepted, as any may exist.
 * @throws {Failure} usage: `AIRTEL`, where `TZ-AIRTEL-B2C` was meant
 */
export const readPayoutChannel = channelReader(documentedServiceCodes, "documentation");

function channelReader(known: readonly string[], source: string): (text: string, field: string) => string {
  return (text, field) => {
    const meant = meantChannels(text, known);
    if (known.includes(text) || meant.length === 0) return text;
    const message = `${field} ${quote(text)} isn't a channel that the ${source} names. Did you mean ${meant.join(" or ")}?`;
    throw new Failure("usage", message, { details: { [field]: message } });
  };
}

/** Channels that the word is a part of; if there are none, those of which it is a mistyped part. */
function meantChannels(text: string, known: readonly string[]): readonly string[] {
  const word = text.toUpperCase().replace(/[\s_]+/g, "-");
  const same = known.filter((channel) => partsOf(channel).includes(word));
  return same.length > 0 ? same : known.filter((channel) => partsOf(channel).some((part) => isSlipOf(word, part)));
}

/** `TZ-TIGO-C2B`, `TIGO-C2B`, `TZ-TIGO` and `TIGO`. */
function partsOf(channel: string): readonly string[] {
  const [country = "", operator = "", way = ""] = channel.split("-");
  return [channel, `${operator}-${way}`, `${country}-${operator}`, operator];
}

/** The channel of the operator with the number's prefix; undefined where there is none. */
export function channelOf(msisdn: string, channels: readonly string[]): string | undefined {
  if (msisdn.startsWith(kenyan)) return channels.find((channel) => channel.startsWith("KE-SAFARICOM-"));
  const [operator] = Object.entries(prefixes).find(([, usual]) => usual.includes(msisdn.slice(3, 5))) ?? [];
  return operator === undefined ? undefined : channels.find((channel) => channel.includes(`-${operator}-`));
}

/** Why a channel cannot reach a number, in words that follow the channel's name; undefined where it may. */
export function countryViolation(channel: string, msisdn: string): string | undefined {
  const isKenyan = msisdn.startsWith(kenyan);
  if (isKenyan === (countryOf(channel, msisdn) === "KE")) return undefined;
  return `${channel} is not a channel of ${isKenyan ? "Kenya, where numbers begin with 254" : "Tanzania, where numbers begin with 255"}`;
}

/** Remarks about a channel and a number that don't stop the order. */
export function channelWarnings(
  channel: string,
  msisdn: string,
  known: readonly string[],
  source = "specification",
): string[] {
  const isKnown = known.includes(channel) || channel.startsWith("KE-SAFARICOM-");
  const warnings = isKnown
    ? []
    : [`The ${source} does not name the channel ${channel} (it names ${known.join(", ")}); it is sent as it is.`];
  const operator = Object.keys(prefixes).find((name) => channel.includes(`-${name}-`));
  const usual = operator === undefined ? undefined : prefixes[operator];
  if (usual !== undefined && !usual.includes(msisdn.slice(3, 5)))
    warnings.push(
      `${msisdn} does not look like a number of ${operator}; numbers can move between operators, so it is sent as it is.`,
    );
  return warnings;
}
