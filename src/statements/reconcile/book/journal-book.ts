import { createHash } from "node:crypto";
import type { Journal } from "../../../journal/journal.ts";
import type { StatementBooking } from "../../../journal/requests/movement-kinds.ts";
import type { MovedAmount } from "../../../journal/requests/movement-request.ts";
import { movementForms } from "../../../journal/requests/movement-kinds.ts";
import {
  amountsIn,
  channelCountry,
  keptRow,
  requestOf,
  responseOf,
  requestText,
} from "../../../journal/requests/movement-request.ts";
import type { Movement, MovementKind, MovementState } from "../../../journal/movement.ts";
import { movementNouns } from "../../../journal/movement.ts";
import { Decimal } from "../../../values/money/decimal.ts";
import { Day, dayInDarEsSalaam, startOfDayInDarEsSalaam } from "../../../values/time/day.ts";
import type { JsonObject } from "../../../values/json.ts";
import { dayOfTimestamp } from "../../../values/time/wall-time.ts";
import type { Period } from "../../../values/time/period.ts";
import { entryOf, walletEntryShape } from "../../entry.ts";
import type { Book, BookEntry } from "./book.ts";
import type { ComparedSource } from "../source.ts";

/** The account that is reconciled, as far as it is known. */
export interface AccountInQuestion {
  readonly accountNo: string;
  /** Spec 2.4: `DEFAULT COLLECTION` and others; undefined where it is not known. */
  readonly type: string | undefined;
  readonly currency: string | undefined;
}

/** An order can take weeks to settle, so the row of an older one may be in the period. */
const daysBefore = 31;
/** Orders whose money moved, or may have moved: only these are entries of a book. */
const bookedStates: ReadonlySet<MovementState> = new Set(["accepted", "pending", "unknown", "sending"]);

/**
 * Adds the orders of the journal that concern the account. A reversed one has two entries, by the rows that proved it:
 * what was paid, and what came back. Refused and unsent orders moved no money; where the statement has their reference
 * anyway, a note says so.
 * @throws {Failure} setup | unavailable
 */
export async function readJournalBook(
  journal: Journal,
  scope: string,
  { account, asked, book }: { readonly account: AccountInQuestion; readonly asked: Period; readonly book: Book },
): Promise<ComparedSource> {
  const since = startOfDayInDarEsSalaam(asked.startDate.addDays(-daysBefore));
  const digest = createHash("sha256");
  const reversed: Movement[] = [];
  let rows = 0;
  for await (const movement of journal.list({ scope, since })) {
    if (movement.state === "reversed") reversed.push(movement);
    for (const entry of entriesOf(movement, account)) {
      rows += 1;
      digest.update(`${JSON.stringify([movement.id, movement.state, movement.requestHash])}\n`);
      if (bookedStates.has(movement.state)) book.add(entry);
      else if (movement.state !== "reversed")
        book.warn(movement.reference, `${stateNote(movement)}, and should not be in the statement`);
    }
  }
  for (const movement of reversed) {
    const proofs = (await journal.proofsOf(movement.id)).map(keptRow);
    const booked = entriesOf(movement, account);
    const entries = booked.flatMap((entry) => bothWays(entry, movement, proofs));
    for (const entry of entries) book.add(entry);
    if (entries.length < booked.length) book.warn(movement.reference, unprovedReversal(movement));
  }
  return { source: "journal", name: journal.id, rows, sha256: digest.digest("hex") };
}

/** The entries of an order for the account. */
function entriesOf(movement: Movement, account: AccountInQuestion): BookEntry[] {
  const { reference, openedAt, transactionId, state } = movement;
  const shared = {
    reference,
    day: dayInDarEsSalaam(openedAt).serial,
    aliases: [transactionId, requestText(responseOf(movement), "transactionRef")].flatMap((alias) =>
      alias ? [alias] : [],
    ),
    note: state === "accepted" ? undefined : stateNote(movement),
    isUncertain: state === "unknown" || state === "sending",
  };
  return changesOf(movement, account).map((change) => ({ ...shared, ...change }));
}

/** What was paid and what came back, each on the day of the row that proved it; nothing where no rows did. */
function bothWays(entry: BookEntry, { kind }: Movement, proofs: readonly JsonObject[]): BookEntry[] {
  const paidSign = movementForms[kind].direction === "leaves" ? -1 : 1;
  const rows = proofs.map((row) => {
    const { credit, debit, valueDate, reference } = entryOf(row, walletEntryShape);
    const change = (credit ?? Decimal.zero).subtract(debit ?? Decimal.zero);
    return { sign: change.sign, reference, day: Day.parse(dayOfTimestamp(valueDate) ?? "")?.serial };
  });
  const [paid, back] = [paidSign, -paidSign].map((sign) => rows.find((row) => row.sign === sign));
  if (paid?.day === undefined || back?.day === undefined) return [];
  const aliases = [...(entry.aliases ?? []), paid.reference, back.reference].filter((alias) => alias !== "");
  // A statement had both rows: neither is still to come.
  const shared = { ...entry, aliases, isUncertain: true };
  return [
    { ...shared, day: paid.day },
    { ...shared, day: back.day, amount: entry.amount.negate() },
  ];
}

type Change = Pick<BookEntry, "amount" | "perhaps">;

/** How each row that the order has in a statement of the account changes the balance. */
function changesOf(movement: Movement, account: AccountInQuestion): Change[] {
  const { kind } = movement;
  const request = requestOf(movement);
  const moved = amountIn(amountsIn(kind, request), account.currency);
  if (moved === undefined) return [];
  return movementForms[kind].bookings.flatMap((booking) => {
    const change = booking.side === "debit" ? moved.amount.negate() : moved.amount;
    if ("wallet" in booking)
      return requestText(request, booking.wallet) === account.accountNo ? [{ amount: change }] : [];
    if (isOfAnotherUse(booking, account)) return [];
    // Spec is silent on which wallet a collection goes to and a remittance is paid from; both requests name none.
    const isOurs = booking.walletType === account.type && isOf(account.currency, kind, request);
    return [{ amount: change, perhaps: !isOurs }];
  });
}

/** The amount in the account's currency; the first one where none is. */
function amountIn(amounts: readonly MovedAmount[], currency: string | undefined): MovedAmount | undefined {
  return amounts.find((side) => side.currency === currency) ?? amounts[0];
}

/** Spec 2.4: a wallet collects or disburses. */
function isOfAnotherUse(
  { walletType }: Extract<StatementBooking, { walletType: string }>,
  { type }: AccountInQuestion,
): boolean {
  return type?.endsWith(walletType === "DISBURSEMENT" ? "COLLECTION" : "DISBURSEMENT") === true;
}

/** Channels begin with the country: `TZ-TIGO-C2B` brings shillings of Tanzania. */
function isOf(currency: string | undefined, kind: MovementKind, request: JsonObject): boolean {
  const country = channelCountry(kind, request);
  return country !== undefined && currency?.slice(0, 2) === country;
}

/** A callback or the service reported the reversal; no statement shows it. */
function unprovedReversal({ id, kind }: Movement): string {
  return `the journal has this ${movementNouns[kind]} as reversed, but no row of a statement shows it (partner journal resolve ${id})`;
}

function stateNote({ id, kind, state }: Movement): string {
  const noun = movementNouns[kind];
  const is = state === "sending" ? "unknown" : state === "prepared" ? "unsent" : state;
  const open = is === "unknown" || is === "pending";
  return `the journal has this ${noun} as ${is}${open ? ` (partner journal resolve ${id})` : ""}`;
}
