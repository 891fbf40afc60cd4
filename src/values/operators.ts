import { kenyanCode } from "./msisdn.ts";

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

/** The operator with the number's prefix; undefined where there is none. */
export function operatorOf(msisdn: string): string | undefined {
  const known = Object.entries(prefixes).find(([, usual]) => usual.includes(msisdn.slice(3, 5)));
  return msisdn.startsWith(kenyanCode) ? undefined : known?.[0];
}

/** A remark about a number that is not usual for the operator in a channel or code, such as `TZ-TIGO-B2C`. */
export function operatorWarning(channel: string, msisdn: string): string | undefined {
  const operator = Object.keys(prefixes).find((name) => channel.includes(`-${name}-`));
  if (operator === undefined || prefixes[operator]?.includes(msisdn.slice(3, 5)) === true) return undefined;
  return `${msisdn} does not look like a number of ${operator}; numbers can move between operators, so it is sent as it is.`;
}
