import { memberText } from "../../contract/webhooks/envelope.ts";
import type { JsonObject } from "../../values/json.ts";
import { textAt } from "./event-line.ts";

/** Which events are shown and delivered; all of them are stored. An undefined filter allows all. */
export interface EventFilter {
  /** Kinds: `transaction.created`. */
  readonly events?: readonly string[] | undefined;
  /** Account numbers. */
  readonly accounts?: readonly string[] | undefined;
}

/** True for an event that passes the filter. */
export function isWanted(event: { readonly payload: JsonObject }, { events, accounts }: EventFilter): boolean {
  return (
    allows(events, () => memberText(event.payload, "event")) &&
    allows(accounts, () => textAt(event.payload, "account", "accountNo"))
  );
}

function allows(allowed: readonly string[] | undefined, read: () => string | undefined): boolean {
  if (allowed === undefined) return true;
  const value = read();
  return value !== undefined && allowed.includes(value);
}
