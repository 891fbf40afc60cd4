import { chainStart, hashLine } from "../../src/journal/history/chain-line.ts";
import { openSheet } from "../../src/sheets/sheet.ts";
import { unplugged } from "../fuzz/unplugged.ts";
import { run, words } from "../partner.ts";
import { row, xlsx } from "../sheets/xlsx-files.ts";
import type { Places, Reader } from "./reader.ts";
import { file, settled, typed } from "./reader.ts";

const book: Places = {
  "a cell": (run) => `reference,amount,date\n"${run}",1,2026-02-01\n`,
  "a bare cell": (run) => `reference,amount,date\n${run},1,2026-02-01\n`,
  "an amount": (run) => `reference,amount,date\nA,"${run}",2026-02-01\n`,
  "a day": (run) => `reference,amount,date\nA,1,${run}\n`,
  "a header": (run) => `${run}\nA,1,2026-02-01\n`,
  "a file": (run) => run,
};
const bookLine = words(
  "reconcile --account 42 --month 2026-02 --book-reference reference --book-amount amount --book-date date --book",
);

const batch: Places = {
  "a reference": (run) => `reference,from,to,amount,description\n"${run}",1,2,5,x\n`,
  "an amount": (run) => `reference,from,to,amount,description\nR,1,2,"${run}",x\n`,
  "an account": (run) => `reference,from,to,amount,description\nR,"${run}",2,5,x\n`,
  "a text": (run) => `reference,from,to,amount,description\nR,1,2,5,"${run}"\n`,
  "a header": (run) => `reference,from,to,amount,${run}\nR,1,2,5,x\n`,
  lines: (run) => `reference,from,to,amount,description\n${run}`,
};

const workbook: Places = {
  "a cell": (run) => row(2, run, 1),
  "a number": (run) => `<row r="2"><c r="A2"><v>${run}</v></c></row>`,
  "a name of a cell": (run) => `<row r="2"><c r="${run}"><v>1</v></c></row>`,
  "the XML": (run) => run,
};

const openItem = { side: "book", reference: "A", amount: 5, date: "2026-01-31", counterparty: "", since: "2026-01" };

/** Files next to a book: a person's decisions, accepted differences, and open items of the month before. */
const besides: Readonly<Record<string, Places>> = {
  "--decisions": {
    "a decision": (run) => `statementRow,bookLine,decision,by,note\n1,2,match,asha,"${run}"\n`,
    "a row": (run) => `statementRow,bookLine,decision,by,note\n${run},2,match,asha,x\n`,
  },
  "--rules": {
    "a pattern": (run) => `{"rules":[{"when":{"narration":${JSON.stringify(`/${run}/`)}},"then":{"fee":true}}]}`,
    "a file": (run) => run,
  },
  "--carry": {
    "a file": (run) => run,
    "a text": (run) =>
      JSON.stringify({ version: 1, account: "42", months: { "2026-01": [{ ...openItem, narration: run }] } }),
  },
};

/** Books, batches, and all other sheets. */
export const sheetReaders: readonly Reader[] = [
  ...Object.entries(book).map(([place, text]) =>
    typed(`a book: ${place}`, (run) => [...bookLine, file("book.csv", text(run))]),
  ),
  ...Object.entries(besides).flatMap(([flag, places]) =>
    Object.entries(places).map(([place, text]) =>
      typed(`${flag}: ${place}`, (run) => {
        const own = file("book.csv", "reference,amount,date\nA,5,2026-02-01\n");
        return [...bookLine, own, flag, file(flag === "--decisions" ? "beside.csv" : "beside.json", text(run))];
      }),
    ),
  ),
  ...Object.entries(batch).map(([place, text]) =>
    typed(`a batch: ${place}`, (run) => ["batch", "check", "--kind", "transfer", file("batch.csv", text(run))]),
  ),
  ...Object.entries(workbook).map(([place, xml]): Reader => ({
    name: `a workbook: ${place}`,
    takes: "files",
    async read(hostile) {
      const path = file("batch.xlsx", await xlsx({ sheets: { A: row(1, "reference", "amount") + xml(hostile) } }));
      return run(words(`batch check --kind transfer ${path}`), unplugged({ status: 200, body: "[]" }));
    },
  })),
  ...[7, 4096].map((bytes): Reader => ({
    name: `a sheet that comes ${bytes} bytes at a time`,
    takes: "files",
    read: (hostile) => settled(() => readSheet(`a,b\n"${hostile}`, bytes)),
  })),
  typed("an exported history: csv", (run) => ["journal", "verify", "--export", file("history.csv", run)]),
  typed("an exported history: ndjson", (run) => ["journal", "verify", "--export", file("history.ndjson", run)]),
  typed("an archive of any name", (run) => ["journal", "verify", file("archive", run)]),
  typed("a redact line of an exported history", (run) => [
    "journal",
    "verify",
    file("archive.ndjson", redactLine(run)),
  ]),
];

/** The first line of a chain, with a valid hash for any content. */
function redactLine(replaced: string): string {
  const cells: Readonly<Record<string, string>> = { number: "1", previous: chainStart, step: "redact", replaced };
  return `${JSON.stringify({ ...cells, hash: hashLine(chainStart, (name) => cells[name] ?? "") })}\n`;
}

async function readSheet(text: string, bytes: number): Promise<void> {
  const whole = Buffer.from(text);
  const host = {
    files: {
      facts: () => Promise.resolve(undefined),
      async *chunks() {
        for (let at = 0; at < whole.length; at += bytes) yield whole.subarray(at, at + bytes);
      },
    },
    signal: new AbortController().signal,
  };
  for await (const _ of (await openSheet(host, "x.csv", { ragged: "keep" })).rows);
}
