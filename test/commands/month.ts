import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";
import { ask, ok } from "./served.ts";

/** A row of a wallet's statement, without its balance: `+` credits, `-` debits. */
export type Line = readonly [tranRefNo: string, day: string, amount: string, narration?: string];

/** A statement that adds up from an opening of 1,000,000.00, amounts with two digits. */
export function statementOf(lines: readonly Line[]): string {
  return `[${rowsOf(lines).join(",")}]`;
}

/** The rows of such a statement. */
export function rowsOf(lines: readonly Line[]): readonly string[] {
  let cents = 100_000_000n;
  return lines.map(([tranRefNo, day, amount, narration = "n"]) => {
    const change = BigInt(amount.replace(/[+.]/g, ""));
    cents += change;
    const size = amount.slice(1);
    const [credit, debit] = change < 0n ? ["0.00", size] : [size, "0.00"];
    const at = `${day} 08:00:00`;
    const text = [tranRefNo, at, at, narration, change < 0n ? "DR" : "CR"].map((value) => JSON.stringify(value));
    const [ref, valueDate, txnDate, words, way] = text;
    const balance = `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
    return `{"tranRefNo":${ref},"valueDate":${valueDate},"txnDate":${txnDate},"narration":${words},"debitOrCredit":${way},"amountCredited":${credit},"amountDebited":${debit},"balance":${balance}}`;
  });
}

/** Writes a book and returns its path. */
export function bookFile(text: string | Uint8Array): string {
  const path = join(temporaryFolder(), "book.csv");
  writeFileSync(path, text);
  return path;
}

/** Reconciles October with a book of `reference,amount,date`, or with the columns that the flags name. */
export async function october(statement: readonly Line[], book: string | Uint8Array, flags = "") {
  const path = bookFile(book);
  const asked = await ask(
    `reconcile --account 42 --month 2026-10 --book ${path} ${flags}`,
    ok(statementOf(statement)),
    {
      now: Date.UTC(2026, 10, 20, 9),
    },
  );
  return { ...asked, path };
}
