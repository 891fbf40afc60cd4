import type { Row } from "../../report/report.ts";
import { endings } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import { Numeral } from "../../values/json.ts";
import { amountOf } from "../../values/money/amount.ts";

/** The columns on a terminal; sums other than zero are in the note. */
export const shownFields: readonly Field[] = [
  { name: "account", kind: "id", role: "who" },
  { name: "result", kind: "id", role: "state" },
  { name: "closing", kind: "amount", role: "money" },
  { name: "closingPerBook", kind: "amount", title: "per book", role: "money" },
  { name: "currency", kind: "id", role: "money" },
  { name: "note", kind: "text", title: "", role: "what", whole: true },
];
const openSums = [
  ["inTransit", "in transit"],
  ["outstanding", "outstanding"],
  ["bankFirst", "bank first"],
  ["feesNotInBook", "fees not in book"],
  ["unexplained", "unexplained"],
] as const;

/** A row as a terminal shows it. */
export function shownRow(row: Row): Row {
  return { ...row, result: resultOf(row), note: noteFor(row) };
}

function resultOf({ exit }: Row): string {
  const code = exit instanceof Numeral ? Number(exit.text) : endings.bug.exit;
  return code === endings.ok.exit ? "agrees" : code === endings.mismatch.exit ? "differs" : "failed";
}

function noteFor(row: Row): string {
  const sums = openSums.flatMap(([name, words]) => {
    const sum = amountOf(row[name]);
    return sum && !sum.isZero ? [`${words} ${sum.grouped(2)}`] : [];
  });
  const note = row["note"];
  return [...(typeof note === "string" && note !== "" ? [note] : []), ...sums].join("; ");
}
