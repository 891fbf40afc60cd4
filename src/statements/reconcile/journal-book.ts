import { createHash } from "node:crypto";
import { decodeJson } from "../../contract/wire.ts";
import type { Journal } from "../../journal/journal.ts";
import type { Movement, MovementState } from "../../journal/movement.ts";
import { movementNouns } from "../../journal/movement.ts";
import { amountOf } from "../../values/amount.ts";
import { dayInDarEsSalaam, startOfDayInDarEsSalaam } from "../../values/day.ts";
import type { Decimal } from "../../values/decimal.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import type { Period } from "../../values/period.ts";
import { textIn } from "../entry.ts";
import type { Book, BookEntry } from "./book.ts";
import type { Source } from "./source.ts";

/** The account that is looked at, as far as it is known. */
export interface AccountInQuestion {
  readonly accountNo: string;
  /** Spec 2.4: `DEFAULT COLLECTION` and others; undefined where nobody said it. */
  readonly type: string | undefined;
  readonly currency: string | undefined;
}

/** An order can take weeks to be settled, and its row then lies in the period. */
const daysBefore = 31;
/** Orders whose money moved, or may have: the others are no entries of a book. */
const bookedStates: ReadonlySet<MovementState> = new Set(["accepted", "pending", "unknown", "sending"]);

/**
 * Takes in the orders of the journal that touch the account. What was refused or never sent moved no money; where the
 * statement has its reference all the same, that is said.
 * @throws {Failure} setup | unavailable
 */
export async function readJournalBook(
  journal: Journal,
  scope: string,
  { account, asked, book }: { readonly account: AccountInQuestion; readonly asked: Period; readonly book: Book },
): Promise<Source> {
  const since = startOfDayInDarEsSalaam(asked.startDate.addDays(-daysBefore));
  const digest = createHash("sha256");
  let rows = 0;
  for await (const movement of journal.list({ scope, since })) {
    for (const entry of entriesOf(movement, account)) {
      rows += 1;
      digest.update(`${JSON.stringify([movement.id, movement.state, movement.requestHash])}\n`);
      if (bookedStates.has(movement.state)) book.add(entry);
      else book.warn(movement.reference, `${stateNote(movement)}, and should not be in the statement`);
    }
  }
  return { source: "journal", name: journal.id, rows, sha256: digest.digest("hex") };
}

/** What the order does to the account. */
function entriesOf(movement: Movement, account: AccountInQuestion): BookEntry[] {
  const { reference, openedAt, transactionId, state } = movement;
  const [request, response] = [objectIn(movement.request), objectIn(movement.response ?? "")];
  const shared = {
    reference,
    day: dayInDarEsSalaam(openedAt).serial,
    aliases: [transactionId ?? "", textIn(response, "transactionRef")].filter((alias) => alias !== ""),
    note: state === "accepted" ? undefined : stateNote(movement),
  };
  return changesOf(movement, request, account).map((change) => ({ ...shared, ...change }));
}

type Change = Pick<BookEntry, "amount" | "perhaps">;

function changesOf(
  { kind }: Movement,
  request: JsonObject,
  { accountNo, type, currency }: AccountInQuestion,
): Change[] {
  const amounts = (name: string) => {
    const amount = amountOf(request[name]);
    return amount ? [amount] : [];
  };
  if (kind === "transfer") {
    const [leaves, comes] = [textIn(request, "from") === accountNo, textIn(request, "to") === accountNo];
    const amount = amounts("amount");
    return [...(leaves ? taken(amount) : []), ...(comes ? amount.map((size) => ({ amount: size })) : [])];
  }
  if (kind === "withdraw") return textIn(request, "accountNo") === accountNo ? taken(amounts("amount")) : [];
  // Spec is silent on which wallet a collection goes to and a remittance is paid from; both requests name none.
  if (kind === "collect") {
    if (type?.endsWith("DISBURSEMENT") === true) return [];
    const isOurs = type === "DEFAULT COLLECTION" && isOf(currency, textIn(request, "channel"));
    return amounts("amount").map((amount) => ({ amount, perhaps: !isOurs }));
  }
  if (type?.endsWith("COLLECTION") === true) return [];
  const side = textIn(request, "senderCurrency") === currency && currency !== "TZS" ? "senderAmount" : "receiverAmount";
  return taken(amounts(side)).map((change) => ({ ...change, perhaps: true }));
}

function taken(amounts: readonly Decimal[]): Change[] {
  return amounts.map((amount) => ({ amount: amount.negate() }));
}

/** Channels begin with the country: `TZ-TIGO-C2B` brings shillings of Tanzania. */
function isOf(currency: string | undefined, channel: string): boolean {
  return currency !== undefined && currency.slice(0, 2) === channel.slice(0, 2);
}

function stateNote({ id, kind, state }: Movement): string {
  const noun = movementNouns[kind];
  const is = state === "sending" ? "unknown" : state === "prepared" ? "unsent" : state;
  const open = is === "unknown" || is === "pending";
  return `the journal has this ${noun} as ${is}${open ? ` (partner journal resolve ${id})` : ""}`;
}

function objectIn(text: string): JsonObject {
  try {
    const value = decodeJson(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
