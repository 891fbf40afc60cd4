import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Rows } from "../../src/contract/endpoint.ts";
import { walletEntryShape } from "../../src/statements/entry.ts";
import type { StatementFormat } from "../../src/statements/formats/encoders.ts";
import { fileFormats } from "../../src/statements/formats/encoders.ts";
import { statementFile } from "../../src/statements/statement-file.ts";
import { Day } from "../../src/values/time/day.ts";
import type { JsonObject } from "../../src/values/json.ts";
import { Numeral } from "../../src/values/json.ts";
import { memoryHost } from "../memory-host.ts";

const day = new Day(20_500);

/** Characters with a meaning in one of the formats, more often than others. */
const text = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      ...Array.from(`<>&;"'\\()[]{}|=@*!~#^:,/-+ \t\r\n\0\u001b\u0085\u2028\u00a0\u202e\ud800\uffff`),
      "]]>",
      "&amp;",
      "\n2026-01-01 *",
    ),
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
  ),
  maxLength: 60,
});
const rows = fc.array(
  fc.record({ reference: fc.oneof(text, fc.constantFrom("A", "A#2", "")), narration: text, sender: text }),
  {
    minLength: 1,
    maxLength: 6,
  },
);
type Texts = { readonly reference: string; readonly narration: string; readonly sender: string };

/** Checks that in a file of this format no text of a row became anything but text. */
const forms: Readonly<Partial<Record<StatementFormat, (file: string, texts: readonly Texts[]) => void>>> = {
  ofx(file, { length }) {
    const [, body = ""] = file.split("\n\n");
    expect(body.match(/<STMTTRN>/g)).toHaveLength(length);
    for (const line of body.trimEnd().split("\n")) expect(line).toMatch(/^<\/?[A-Z0-9]+>(?:[^<>&]|&(?:amp|lt|gt);)*$/);
    const ids = Array.from(body.matchAll(/<FITID>(.+)/g), ([, id]) => id);
    expect(new Set(ids).size).toBe(length);
  },
  camt053(file, { length }) {
    expect(file.match(/<Ntry>/g)).toHaveLength(length);
    expect(file.match(/<\/Ntry>/g)).toHaveLength(length);
    expect(file.replaceAll(/<[?/]?[A-Za-z]+(?: [A-Za-z]+="[^"<>]*"| encoding="UTF-8"\?)*>/g, "")).not.toMatch(
      /[<>]|&(?!amp;|lt;|gt;)/,
    );
  },
  hledger(file, { length }) {
    const [, , , ...transactions] = file.split("\n\n");
    expect(transactions).toHaveLength(length);
    for (const transaction of transactions)
      expect(transaction).toMatch(
        /^2026-02-16 \* \([^()\n]*\)[^;\n]*\n(?: {2}; senderAccountName: [^\n,]*\n)? {2}assets:partner:42 {2}1\.00 TZS = \d\.00 TZS\n {2}\S+:\S+\n?$/,
      );
  },
  beancount(file, { length }) {
    const [, , , ...entries] = file.split("\n\n");
    expect(entries).toHaveLength(length + 1);
    for (const entry of entries.slice(0, -1))
      expect(entry).toMatch(
        /^2026-02-16 \* "(?:[^"\\\n]|\\["\\])*"(?: "(?:[^"\\\n]|\\["\\])*")?\n {2}reference: "(?:[^"\\\n]|\\["\\])*"\n(?: {2}senderAccountName: "(?:[^"\\\n]|\\["\\])*"\n)? .+\n .+$/,
      );
  },
  xero(file, { length }) {
    expect(file.trimEnd().split("\n")).toHaveLength(length + 1);
    for (const line of file.trimEnd().split("\n").slice(1))
      expect(line).toMatch(/^16\/02\/2026,1\.00(?:,(?:[^",]*|"(?:[^"]|"")*")){4}$/);
  },
  quickbooks(file, { length }) {
    expect(file.trimEnd().split("\n")).toHaveLength(length + 1);
    for (const line of file.trimEnd().split("\n").slice(1))
      expect(line).toMatch(/^16\/02\/2026,(?:[^",]*|"(?:[^"]|"")*"),1\.00$/);
  },
};

test.each(Object.entries(forms))("%s: texts of a row cannot change the structure of the file", async (name, check) => {
  const property = fc.asyncProperty(rows, async (texts) => {
    const file = await written(name, texts);
    // oxlint-disable-next-line no-control-regex
    expect(file).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]/);
    expect(file.isWellFormed()).toBe(true);
    check(file, texts);
  });
  await fc.assert(property, { numRuns: 300 });
});

/** The file of an empty wallet that receives 1.00 with each row. */
async function written(format: string, texts: readonly Texts[]): Promise<string> {
  const list = texts.map(({ reference, narration, sender }, index) => ({
    tranRefNo: reference,
    valueDate: `${day.toString()} 08:00:00`,
    narration,
    senderAccountName: sender,
    amountCredited: new Numeral("1"),
    balance: new Numeral(String(index + 1)),
  }));
  const name = fileFormats.find((known) => known === format) ?? "ofx";
  const report = statementFile(name, oneBatch(list), {
    accountNo: "42",
    accountKind: "wallet",
    period: { startDate: day, endDate: day },
    shape: walletEntryShape,
    strict: false,
    files: memoryHost().files,
    account: () => Promise.resolve({ name: undefined, currency: "TZS", balance: undefined }),
    laterRows: () => Promise.resolve(undefined),
  });
  let file = "";
  for await (const piece of report.content) file += piece;
  return file;
}

function oneBatch(list: readonly JsonObject[]): Rows {
  return {
    async *[Symbol.asyncIterator]() {
      yield list;
    },
  };
}
