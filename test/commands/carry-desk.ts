import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./month.ts";
import { bookFile, statementOf } from "./month.ts";
import { ask, ok } from "./served.ts";

const shown = "--csv --columns class,reference,statementAmount,bookAmount,note --no-header";

/** A carry file, and months that are reconciled with it. A book is lines of `reference,amount,date`. */
export function carryDesk() {
  const carry = join(temporaryFolder(), "open.json");
  /** @param bank all rows that the bank has by then; the ones of the month and the days around it are served */
  const reconcile = (month: string, bank: readonly Line[], book: string, flags = shown) => {
    const path = bookFile(`reference,amount,date\n${book}`);
    const line = `reconcile --account 42 --month ${month} --book ${path} --carry ${carry} ${flags}`;
    return ask(line, ok(statementAround(month, bank)), { now: Date.UTC(2026, 11, 20, 9) });
  };
  return {
    reconcile,
    /** What the file keeps as open at the end of a month. */
    openIn: (month: string): unknown => JSON.parse(readFileSync(carry, "utf8")).months[month],
  };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, "2026-09-30".length);
}

/** The rows of a month and of two days before and after it, with the balances that they have among all. */
function statementAround(month: string, bank: readonly Line[]): string {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const [first, last] = [dayOf(Date.UTC(year, number - 1, -1)), dayOf(Date.UTC(year, number, 2))];
  return statementOf(bank, (day) => day >= first && day <= last);
}
