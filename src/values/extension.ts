/**
 * Groups of endpoints that the specification doesn't have. Each is off until the profile turns it on.
 * - `payout`: money from a wallet to a mobile number or a bank account
 * - `collection-status`, `payment-status`: the status of a collection, or of a payout
 * - `wallets`: the main wallets' own balances and statements, and one wallet by its number
 */
export const extensionNames = ["payout", "collection-status", "payment-status", "wallets"] as const;
export type ExtensionName = (typeof extensionNames)[number];

/**
 * Reads extensions, separated by commas.
 * @returns the error, in words that follow the value's name, where an extension is unknown
 */
export function readExtensions(text: string): ReadonlySet<ExtensionName> | string {
  const names = text.split(",").map((name) => name.trim());
  const known = names.flatMap((name) => extensionNames.find((one) => one === name) ?? []);
  if (known.length === names.length) return new Set(known);
  return `must name extensions, with commas between them: ${extensionNames.join(", ")}`;
}
