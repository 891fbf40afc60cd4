import { run, words } from "../partner.ts";
import { unplugged } from "../fuzz/unplugged.ts";
import type { Reader } from "./reader.ts";
import { answered, file } from "./reader.ts";

const formats = ["table", "json", "csv", "hledger", "ofx", "camt053", "html", "xlsx", "beancount"];
const members: Readonly<Record<string, readonly string[]>> = {
  narration: formats,
  tranRefNo: ["table", "csv", "ofx"],
  valueDate: ["table", "xlsx", "hledger"],
  amountCredited: ["table", "json", "camt053"],
  balance: ["table", "csv", "xlsx"],
};

/** Rows of a statement in each of their output forms, and next to a book. */
export const statementReaders: readonly Reader[] = [
  ...Object.entries(members).flatMap(([member, formats]) =>
    formats.map((format) =>
      answered(`${member} as ${format}`, `wallet statement 42 --month 2026-02 --output ${format}`, (run) =>
        rowsOf({ [member]: run }),
      ),
    ),
  ),
  answered("narration on a terminal", "wallet statement 42 --month 2026-02 --chart", (run) =>
    rowsOf({ narration: run }),
  ),
  answered("narration into the ledger", "ledger sync 42 --start-date 2026-02-01", (run) =>
    rowsOf({ accountNo: "42", currency: "TZS", narration: run }),
  ),
  {
    name: "narration beside a book",
    takes: "files",
    read: (hostile) => {
      const book = file("beside.csv", "reference,amount,date\nA,5,2026-02-01\n");
      const line = "reconcile --account 42 --month 2026-02 --book-reference reference --book-amount amount";
      const world = unplugged({ status: 200, body: rowsOf({ narration: hostile }) });
      return run([...words(line), "--book-date", "date", "--book", book], world);
    },
  },
];

function rowsOf(members: Readonly<Record<string, string>>): string {
  const usual = { tranRefNo: "T1", valueDate: "2026-02-01", narration: "rent", debitOrCredit: "CR" };
  return JSON.stringify([{ ...usual, amountCredited: 5, amountDebited: 0, balance: 5, ...members }]);
}
