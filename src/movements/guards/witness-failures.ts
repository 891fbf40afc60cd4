import type { SeenRow } from "../../journal/journal.ts";
import { movementNouns } from "../../journal/movement.ts";
import { Failure } from "../../values/failure.ts";
import { withoutEnding } from "../../values/text/text-end.ts";
import type { MoneyOrder } from "../order.ts";

/** A row that a statement has shown, in words. */
export function seenWords({ accountNo, reference }: SeenRow): string {
  return `${reference} in the statement of ${accountNo}, by an order that this journal does not know`;
}

/** The failure of an order that rows of the statement look like. */
export function doubtful({ kind, reference }: MoneyOrder, doubts: readonly string[]): Failure {
  return new Failure(
    "usage",
    `The statement shows what may be this ${movementNouns[kind]}: ${doubts.join("; ")}. Nothing was sent.`,
    {
      hint: "If it is the same payment, it was paid. If it is another one, add --again.",
      money: "unknown",
      reference,
    },
  );
}

/** The failure of a batch with orders that rows of the statement look like. */
export function doubtfulRows(violations: readonly (readonly [reference: string, why: string])[]): Failure {
  return new Failure(
    "usage",
    `The statement shows what may be ${violations.length} of these orders; nothing was sent.`,
    {
      hint: "Take out those that were paid. If they are other payments, add --again.",
      money: "unknown",
      details: Object.fromEntries(violations),
    },
  );
}

/**
 * The failure of an order before which the statement cannot be read.
 * @param isDue true where `--check-statement never` would send the order
 */
export function unreadStatement({ kind, reference }: MoneyOrder, cause: Failure, isDue: boolean): Failure {
  const { message, requestId, http, reason, details, hint = "Try again later." } = cause;
  const known = { money: "not moved", reference, requestId, http, reason, details, cause } as const;
  // Credentials that are refused for reading are refused for money, too.
  if (cause.ending === "setup" && http !== 403) return new Failure("setup", message, { ...known, hint });
  return new Failure(
    "unavailable",
    `The statement cannot be read, and the journal may not know whether this ${movementNouns[kind]} was paid before; nothing was sent. ${message}`,
    {
      ...known,
      hint: isDue
        ? `${withoutEnding(hint, ".")}. To send it without asking the statement: --check-statement never`
        : hint,
    },
  );
}
