import type { Batches, Row, RowsReport } from "../../../report/report.ts";
import type { Field } from "../../../values/field.ts";
import type { JsonValue } from "../../../values/json.ts";
import { amountOf } from "../../../values/money/amount.ts";
import { formatMoney } from "../../../values/money/money.ts";

/** What a terminal shows of a row: everything that explains it is one text below it. */
const shownFields = [
  { name: "date", kind: "time", role: "when" },
  { name: "class", kind: "id", role: "state" },
  { name: "reference", kind: "id", role: "what" },
  { name: "statementAmount", kind: "amount", title: "statement", role: "money" },
  { name: "bookAmount", kind: "amount", title: "book", role: "money" },
  { name: "note", kind: "text", title: "", role: "what", whole: true },
] as const satisfies readonly Field[];

/** The report as a person sees it at a terminal; programs get it unchanged. */
export function personView(report: RowsReport): RowsReport {
  const { rows, currency } = report;
  return { ...report, columns: shownFields, onTerminal: shownFields, rows: explained(rows, currency) };
}

async function* explained(rows: RowsReport["rows"], currency: string | undefined): Batches {
  for await (const batch of rows) yield [batch].flat().map((row) => ({ ...row, note: noteOf(row, currency) }));
}

/** The difference, and the texts of an open row; of a matched row only remarks that a person needs. */
function noteOf(row: Row, currency: string | undefined): string {
  const [stated, booked, difference] = [row["statementAmount"], row["bookAmount"], amountOf(row["difference"])];
  const differs = amountOf(stated) && amountOf(booked) && difference && !difference.isZero;
  const words = row["class"] === "matched" ? [] : [textOf(row["counterparty"]), textOf(row["narration"])];
  const gap = differs ? `difference ${formatMoney(difference, currency)}` : "";
  return [gap, ...words, textOf(row["note"])].filter((text) => text !== "").join("; ");
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
