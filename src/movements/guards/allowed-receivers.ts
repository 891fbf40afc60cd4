import type { Receiver } from "../../journal/requests/movement-request.ts";
import { movementForms } from "../../journal/requests/movement-kinds.ts";
import type { MovementKind } from "../../journal/movement.ts";
import { isSameNumber } from "../../values/msisdn.ts";

/** Nine digits may be a wallet's number, which says nothing about a mobile one. */
const bareDigits = /^\d{9}$/;

/**
 * Why `allow.to` keeps money from a receiver, in words; undefined where it doesn't. A wallet counts by its number. The
 * account of a remittance or payout counts by `CODE:ACCOUNT`, and a mobile one also by its number alone, however that
 * is written.
 */
export function receiverViolation(
  kind: MovementKind,
  receiver: Receiver | undefined,
  allowed: readonly string[],
): string | undefined {
  if (receiver === undefined) return undefined;
  const listed = allowed.join(", ");
  const { account, institution } = receiver;
  if (movementForms[kind].receiver?.institution === undefined)
    return allowed.includes(account) ? undefined : `${account} is not one of ${listed}`;
  if (allowed.some((entry) => allows(entry, receiver))) return undefined;
  const named = `${institution ?? ""}:${account}`;
  const why = allowed.includes(account) ? "; a number alone means mobile money only" : "";
  const entry = allowedEntry(kind, receiver);
  return `${named} is not one of ${listed}${why}${entry === undefined ? "" : `. To allow it, add ${entry}`}`;
}

/**
 * The entry of `allow.to` that allows a receiver. Undefined where the list cannot name it: a comma in an account would
 * make two entries of it, and the second one would allow another receiver.
 */
export function allowedEntry(kind: MovementKind, { account, institution, channel }: Receiver): string | undefined {
  const written = channel === "MOBILE" ? account.replaceAll(/\s/g, "") : account;
  const hasInstitution = movementForms[kind].receiver?.institution !== undefined;
  const entry = hasInstitution ? `${institution ?? ""}:${written}` : written;
  return /[\s,]/.test(entry) ? undefined : entry;
}

/** True where an entry of the list means this receiver of a remittance or payout. */
function allows(entry: string, { account, institution, channel }: Receiver): boolean {
  const colon = entry.indexOf(":");
  const isMobile = channel === "MOBILE";
  if (colon < 0) return isMobile && (entry === account || (!bareDigits.test(entry) && isSameNumber(entry, account)));
  if (entry.slice(0, colon) !== institution) return false;
  const number = entry.slice(colon + 1);
  return number === account || (isMobile && isSameNumber(number, account));
}
