import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { serveStatements } from "../statements-served.ts";
import type { Line } from "./month.ts";
import { bookFile, rowsOf } from "./month.ts";

const shown = "--csv --columns class,reference,statementAmount,bookAmount,note --no-header";

/** A carry file, and months reconciled with it. A book has lines of `reference,amount,date`. */
export function carryDesk() {
  const carry = join(temporaryFolder(), "open.json");
  /** @param bank all rows that the bank has by then */
  const reconcile = async (month: string, bank: readonly Line[], book: string, flags = shown) => {
    const path = bookFile(`reference,amount,date\n${book}`);
    const service = await serveStatements({ statements: { "42": rowsOf(bank) } });
    const line = `reconcile --account 42 --month ${month} --book ${path} --carry ${carry} ${flags}`;
    const ended = await run(words(line), { environment: service.environment, now: Date.UTC(2026, 11, 20, 9) });
    return { ...ended, asked: service.asked };
  };
  return {
    carry,
    reconcile,
    /** What the file keeps as open at the end of a month. */
    openIn: (month: string): unknown => JSON.parse(readFileSync(carry, "utf8")).months[month],
  };
}
