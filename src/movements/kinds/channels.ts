import { documentedChannels, seenChannels } from "../../contract/collection.ts";
import { documentedServiceCodes } from "../../contract/extensions/payout.ts";
import { Failure } from "../../values/failure.ts";
import { isSlipOf } from "../../values/text/closest.ts";
import { quote } from "../../values/text/text.ts";
import { kenyanCode } from "../../values/msisdn.ts";
import { operatorOf, operatorWarning } from "../../values/operators.ts";

/** The country of a channel: its first letters, as in `TZ-TIGO-C2B` (spec 4.5); where they say none, the number's. */
export function countryOf(channel: string, msisdn: string): "TZ" | "KE" {
  if (/^(?:TZ|KE)-/.test(channel)) return channel.startsWith("KE-") ? "KE" : "TZ";
  return msisdn.startsWith(kenyanCode) ? "KE" : "TZ";
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
  if (msisdn.startsWith(kenyanCode)) return channels.find((channel) => channel.startsWith("KE-SAFARICOM-"));
  const operator = operatorOf(msisdn);
  return operator === undefined ? undefined : channels.find((channel) => channel.includes(`-${operator}-`));
}

/** Why a channel cannot reach a number, in words that follow the channel's name; undefined where it may. */
export function countryViolation(channel: string, msisdn: string): string | undefined {
  const isKenyan = msisdn.startsWith(kenyanCode);
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
  const warning = operatorWarning(channel, msisdn);
  return warning === undefined ? warnings : [...warnings, warning];
}
