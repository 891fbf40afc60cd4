/**
 * Spec is silent: operators' prefixes after 255, as they are known. Numbers are portable, so a mismatch is a warning.
 */
const prefixes: Readonly<Record<string, readonly string[]>> = {
  VODACOM: ["72", "74", "75", "76", "79"],
  AIRTEL: ["78", "68", "69"],
  TIGO: ["71", "65", "67", "77"],
  HALOTEL: ["62", "61"],
};
const kenyan = "254";

/** The country of a channel: its first letters. Spec 4.5: `TZ-TIGO-C2B`. */
export function countryOf(channel: string): "TZ" | "KE" {
  return channel.startsWith("KE-") ? "KE" : "TZ";
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
  if (isKenyan === (countryOf(channel) === "KE")) return undefined;
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
      `${msisdn} does not look like a number of ${operator}; numbers can be taken along, so it is sent as it is.`,
    );
  return warnings;
}
