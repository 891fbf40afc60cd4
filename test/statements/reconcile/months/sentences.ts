import type { Line } from "../../../commands/month.ts";
import { months } from "./months.ts";

/** A row of a bank or of a book. */
interface Row {
  readonly day: string;
  readonly reference: string;
  readonly amount: string;
  readonly words: string;
}

/** What belongs together according to a person: numbers of the bank's rows and lines of the book. */
export interface Pair {
  readonly bank: readonly Row[];
  readonly book: readonly Row[];
}

export interface Month {
  readonly statement: readonly Line[];
  readonly book: string;
  /** The pairs a person finds, by name. */
  readonly pairs: ReadonlySet<string>;
}

/** A month of the table: its statement, its book and the pairs a person finds. */
export function monthOf(name: string): Month {
  const pairs = (months[name] ?? "").trim().split("\n").map(pairIn);
  const bank = pairs.flatMap((pair) => pair.bank).toSorted((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  const book = pairs.flatMap((pair) => pair.book);
  const inPeriod = bank.filter(({ day }) => day.startsWith("2026-10"));
  const found = pairs.filter((pair) => pair.bank.length > 0 && pair.book.length > 0);
  return {
    statement: bank.map(({ reference, day, amount, words }): Line => [reference, day, amount, words]),
    book: `reference,amount,date,description\n${book.map(({ reference, amount, day, words }) => `${reference},${amount.replace("+", "")},${day},${words}\n`).join("")}`,
    pairs: new Set(
      found.map((pair) =>
        namePair(
          numbersOf(pair).map((row) => inPeriod.indexOf(row) + 1),
          pair.book.map((row) => book.indexOf(row) + 2),
        ),
      ),
    ),
  };
}

/** One name for a pair, whatever its order. */
export function namePair(rows: readonly number[], lines: readonly number[]): string {
  const [left, right] = [rows, lines].map((numbers) => numbers.toSorted((a, b) => a - b).join("+"));
  return `${left} = ${right}`;
}

/** The bank's rows without deducted fees, which have no rows in the result. */
function numbersOf({ bank }: Pair): readonly Row[] {
  const paid = bank.filter(({ reference }) => !/-PAY(?:IN|OUT)$/.test(reference));
  return paid.length === 0 ? bank : paid;
}

function pairIn(line: string): Pair {
  const [bank = "", book = ""] = line.split("|");
  return { bank: rowsIn(bank), book: rowsIn(book) };
}

function rowsIn(side: string): Row[] {
  return side.trim() === "" ? [] : side.split(" & ").map(rowIn);
}

function rowIn(text: string): Row {
  const [, day = "", reference = "", amount = "", words = ""] = /^(\S+) (\S+) (\S+) ?(.*)$/.exec(text.trim()) ?? [];
  const date = day.includes("-") ? `2026-${day}` : `2026-10-${day.padStart(2, "0")}`;
  return { day: date, reference: reference === "-" ? "" : reference, amount: `${amount}.00`, words };
}
