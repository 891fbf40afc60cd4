import { parentReference } from "../contract/fee-row.ts";
import type { Day } from "../values/time/day.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import type { ExpectedRow } from "./expected-row.ts";

const simpleId = () => /^[\p{L}\p{N}_/-]+$/u;
const notInWords = () => /[^\p{L}\p{N}_/-]+/u;

/** What to look for in the statement of one wallet, for any number of orders. */
export class Interest {
  /** The first day that the rows of these orders can have. */
  first: Day;
  /** The last day that the rows of these orders can have. */
  last: Day;
  readonly #amounts = new Set<string>();
  readonly #ids = new Set<string>();
  /** Ids that are not a single word of a narration, since they contain characters such as spaces or dots. */
  readonly #oddIds = new Set<string>();

  constructor({ first, last }: Pick<ExpectedRow, "first" | "last">) {
    this.first = first;
    this.last = last;
  }

  add({ first, last, given = first, booked, ids }: ExpectedRow, accountNo: string): void {
    for (const day of [first, given]) if (day.compare(this.first) < 0) this.first = day;
    for (const day of [last, given]) if (day.compare(this.last) > 0) this.last = day;
    for (const wallet of booked)
      if (wallet.accountNo === accountNo) for (const amount of wallet.amounts) this.#amounts.add(amount.trimmed());
    for (const id of ids) (simpleId().test(id) ? this.#ids : this.#oddIds).add(id);
  }

  /** The lookup keys of a row: its amount, and each id in it; empty where no order needs the row. */
  keysOf(row: StatementRow): string[] {
    const { tranRefNo, narration, change } = row;
    const keys: string[] = [];
    const amount = change?.abs().trimmed();
    if (amount !== undefined && this.#amounts.has(amount)) {
      keys.push(amountKey(amount), signKey(change?.sign ?? 0, amount));
      if (tranRefNo !== "") keys.push(namedKey(tranRefNo));
    }
    const words = [tranRefNo, parentReference(tranRefNo), ...narration.split(notInWords())];
    for (const word of new Set(words)) if (this.#ids.has(word)) keys.push(idKey(word));
    for (const id of this.#oddIds) if (tranRefNo.includes(id) || narration.includes(id)) keys.push(idKey(id));
    return keys;
  }
}

/** All keys of the rows of an order in that wallet. */
export function keysFor({ booked, ids }: ExpectedRow, accountNo: string): string[] {
  const amounts = booked.flatMap((wallet) => (wallet.accountNo === accountNo ? wallet.amounts : []));
  return [...amounts.map((amount) => amountKey(amount.trimmed())), ...Array.from(ids, idKey)];
}

/** The keys of the rows that carry or name an id of an order, and of those with its amount on the other side. */
export function ownKeysFor({ booked, ids, side }: ExpectedRow, accountNo: string): string[] {
  const amounts = booked.flatMap((wallet) => (wallet.accountNo === accountNo ? wallet.amounts : []));
  const otherSigns = side === "debit" ? [0, 1] : [0, -1];
  const backs = amounts.flatMap((amount) => otherSigns.map((sign) => signKey(sign, amount.trimmed())));
  return [...Array.from(ids, idKey), ...Array.from(ids, namedKey), ...backs];
}

function signKey(sign: number, amount: string): string {
  return `sign ${sign} ${amount}`;
}

function namedKey(tranRefNo: string): string {
  return `row ${tranRefNo}`;
}

function amountKey(amount: string): string {
  return `amount ${amount}`;
}

function idKey(id: string): string {
  return `id ${id}`;
}
