import { Prng } from "../../src/simulator/prng.ts";
import { Day } from "../../src/values/time/day.ts";
import type { Line } from "../commands/ledger-desk.ts";
import { ledgerDesk } from "../commands/ledger-desk.ts";

// Months of a wallet, played from a seed: some rows have no value date, others are booked on an earlier one. Rows
// appear late, vanish, come back, or get their value date, and a sync reads them completely, in part, or further back
// than before. Cases without a right answer are excluded: a value date in another month than the booking, when each
// month is read by itself; a value date in the future; the order of an account when no answer has two rows of it.

const wallet = "9000112233";
const firstDay = Day.parse("2026-08-01") ?? fail();
/** A period of so many days is read as a whole; a longer one, month by month. */
const spans = { whole: 55, byMonth: 110 } as const;
const amounts: readonly [number, ...number[]] = [5, -5, 5, -3, 7, 2, 100];
const noDay = { valueDate: "" };

/** A row, in the order of booking. `day` is the day for which the service counts it, also without a value date. */
interface Booked extends Line {
  readonly booked: number;
  readonly amount: number;
}

/** What the service has on a day, and the part that is read. Days count from the first one. */
interface Step {
  readonly lines: readonly Booked[];
  readonly today: number;
  /** The first day; undefined: the end of the last sync. */
  readonly from: number | undefined;
  /** The first day that any sync has read. */
  readonly first: number;
}

export interface Told {
  readonly steps: readonly Step[];
  readonly isNewestFirst: boolean;
}

/** The story of a seed. */
export function tell(seed: number): Told {
  const teller = new Teller(new Prng(seed));
  return teller.tell();
}

class Teller {
  readonly #chance: Prng;
  readonly #isByMonth: boolean;
  readonly #hasBackdated: boolean;
  readonly #hasTwins: boolean;
  #lines: readonly Booked[] = [];
  #today: number;
  #references = 0;

  constructor(chance: Prng) {
    this.#chance = chance;
    this.#isByMonth = this.#is(2);
    this.#hasBackdated = this.#is(2);
    this.#hasTwins = this.#is(3);
    this.#today = this.#isByMonth ? spans.byMonth : spans.whole;
  }

  tell(): Told {
    let first = this.#is(2) ? 0 : this.#chance.integer(0, this.#today - 5);
    const isNewestFirst = this.#is(2);
    for (let count = this.#chance.integer(0, 10); count > 0; count -= 1) this.#book(this.#is(4));
    for (const amount of [1000, 300]) this.#book(false, { booked: first, amount });
    const steps: Step[] = [{ lines: this.#lines, today: this.#today, from: first, first }];
    for (let count = this.#chance.integer(2, 4); count > 0; count -= 1) {
      for (let edits = this.#chance.integer(0, 2); edits > 0; edits -= 1) this.#edit();
      if (this.#is(2)) this.#today += this.#chance.integer(0, this.#isByMonth ? 24 : 2);
      const from = count === 1 ? first : this.#chance.pick([undefined, first, Math.max(0, first - 30)]);
      first = Math.min(first, from ?? first);
      steps.push({ lines: this.#lines, today: this.#today, from, first });
    }
    return { steps, isNewestFirst };
  }

  #edit(): void {
    const what = this.#chance.integer(1, 4);
    const at = this.#chance.integer(0, this.#lines.length - 1);
    const line = this.#lines[at];
    if (what <= 2 || line === undefined) return this.#book(this.#is(8));
    if (what === 3) this.#lines = this.#lines.toSpliced(at, 1);
    else this.#lines = this.#lines.with(at, { ...line, more: {} });
  }

  /** Books a row behind all rows that are booked no later. */
  #book(
    isUndated: boolean,
    { booked, amount } = { booked: this.#chance.integer(0, this.#today - 1), amount: this.#chance.pick(amounts) },
  ): void {
    const isTwin = this.#hasTwins && this.#is(3);
    const ref = isTwin ? "T" : `R${(this.#references += 1)}`;
    const day = dayAt(isUndated || booked === 0 ? booked : this.#valueDay(booked));
    const line = { ref, day, booked, amount, ...(isUndated ? { more: noDay } : {}) };
    const at = this.#lines.findLastIndex((other) => other.booked <= booked) + 1;
    this.#lines = this.#lines.toSpliced(at, 0, line);
  }

  #valueDay(booked: number): number {
    if (!this.#hasBackdated || !this.#is(4)) return booked;
    const day = Math.max(0, booked - this.#chance.integer(1, 6));
    return this.#isByMonth && dayAt(day).slice(0, 7) !== dayAt(booked).slice(0, 7) ? booked : day;
  }

  /** True one time in so many. */
  #is(times: number): boolean {
    return this.#chance.integer(1, times) === 1;
  }
}

/** Plays a story through the front door. @returns what is wrong */
export async function wrongIn({ steps, isNewestFirst }: Told, environment: Environment = {}): Promise<string[]> {
  const { onDay, write } = await ledgerDesk();
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await onDay(dayAt(0), "journal migrate", { environment });
  let known = 0;
  for (const [number, step] of steps.entries()) {
    const { lines, today, from, first } = step;
    const partner = async (line: string) => (await onDay(dayAt(today), line, { environment })).stdout;
    write({ [wallet]: { lines, isNewestFirst } });
    const sync = `ledger sync${from === undefined ? "" : ` --start-date ${dayAt(from)}`}`;
    const period = `--start-date ${dayAt(first)} --end-date ${dayAt(today)}`;
    const read = async () => {
      await partner(sync);
      return [await partner(`ledger statement ${wallet} ${period} --json`), await partner("ledger status --json")];
    };
    // Rows that the ledger had before it went further back may have been booked between the new ones.
    if (first < known) await partner(sync);
    known = first;
    const [statement = "", status = ""] = await read();
    const wrong = from === first ? wrongNow(step, { isNewestFirst, statement, status }) : [];
    if (String(await read()) !== String([statement, status])) wrong.push("a second sync changes it");
    if (wrong.length > 0) return [`step ${number}, ${sync} on ${dayAt(today)}`, ...wrong];
  }
  return [];
}

interface Shown {
  readonly isNewestFirst: boolean;
  /** JSON texts, empty where there is none. */
  readonly statement: string;
  readonly status: string;
}

/** The differences between a ledger whose days were all read again and the service. */
function wrongNow({ lines, today, first }: Step, { isNewestFirst, statement, status }: Shown): string[] {
  const rows: readonly { readonly tranRefNo: string; readonly balance: number }[] = JSON.parse(statement || "[]");
  const held = rows.map(({ tranRefNo, balance }) => `${tranRefNo} ${balance}`);
  const served = servedRows(lines, dayAt(first), dayAt(today));
  const wanted = served.map(({ ref, balance }) => `${ref} ${balance}`);
  const orders = isNewestFirst ? [wanted.toReversed(), wanted] : [wanted];
  const isProved = JSON.parse(status || "[{}]")[0].state === "proved";
  return [
    ...(orders.some((order) => String(order) === String(held))
      ? []
      : [`it has ${String(held)}; not ${String(wanted)}`]),
    ...(served.length === 0 || isProved === isWhole(served, lines) ? [] : [`it is proved: ${isProved}`]),
  ];
}

type Environment = Readonly<Record<string, string>>;

interface Served extends Booked {
  readonly balance: number;
}

/** The rows of the service for these days, with its balances. */
function servedRows(lines: readonly Booked[], start: string, end: string): readonly Served[] {
  let balance = 0;
  return lines
    .map((line) => ({ ...line, balance: (balance += line.amount) }))
    .filter(({ day }) => day >= start && day <= end);
}

/** True if the shown balances follow from each other, up to the wallet's balance. */
function isWhole(served: readonly Served[], lines: readonly Booked[]): boolean {
  const live = lines.reduce((sum, { amount }) => sum + amount, 0);
  return (
    served.at(-1)?.balance === live &&
    served.every(({ balance, amount }, at) => at === 0 || served[at - 1]?.balance === balance - amount)
  );
}

function dayAt(number: number): string {
  return firstDay.addDays(number).toString();
}

function fail(): never {
  throw new Error("the calendar of the test is wrong");
}
