import {
  cashColumns,
  compareColumns,
  customersColumns,
  feesColumns,
  flowColumns,
  openColumns,
  periodColumn,
  rowColumns,
} from "../../src/app/books/columns.ts";
import { statusColumns } from "../../src/app/ledger/status.ts";
import { traceWords } from "../../src/find/trace.ts";
import { resultFields } from "../../src/statements/reconcile/result/result-row.ts";
import { classes } from "../../src/statements/reconcile/rows/verdicts.ts";
import type { Field } from "../../src/values/field.ts";
import { profileField } from "../../src/values/field.ts";
import type { Schema } from "./form.ts";
import {
  amount,
  count,
  day,
  either,
  flag,
  hash,
  listOf,
  moment,
  nullable,
  object,
  oneOf,
  rowOf,
  text,
} from "./form.ts";

const shown: readonly string[] = classes;
const figure = nullable(amount);
const percent: Schema = { type: "number" };

const part = object({
  reference: text,
  amount,
  date: nullable(text),
  bookLine: nullable(count),
  narration: nullable(text),
});
const matched = rowOf([...resultFields, { name: "parts", kind: "text" }], {
  nullable: [
    "reference",
    "statementAmount",
    "bookAmount",
    "difference",
    "date",
    "note",
    "narration",
    "counterparty",
    "statementRow",
    "bookLine",
    "parts",
  ],
  precisely: { class: oneOf(...shown), parts: listOf(part, "Rows that are one together.") },
});
const totals = object({ statementAmount: amount, bookAmount: amount, difference: amount });
const reconciliation = object({
  account: text,
  period: object({ startDate: day, endDate: day }),
  ...Object.fromEntries(["opening", "credits", "debits", "fees", "closing"].map((name) => [name, figure])),
  addsUp: flag,
  ...Object.fromEntries(
    [
      "closingPerBook",
      "inTransit",
      "outstanding",
      "bankFirst",
      "feesNotInBook",
      "onlyInStatement",
      "onlyInBook",
      "differences",
      "ignored",
      "ignoredBefore",
      "unexplained",
    ].map((name) => [name, figure]),
  ),
  counts: object(Object.fromEntries(shown.map((name) => [name, count])), { optional: shown }),
  totals: object(Object.fromEntries(shown.map((name) => [name, totals])), { optional: shown }),
  sources: listOf(object({ source: text, name: text, rows: count, sha256: hash })),
  rows: listOf(matched),
});
const accountFigures = [
  "closing",
  "closingPerBook",
  "inTransit",
  "outstanding",
  "bankFirst",
  "feesNotInBook",
  "unexplained",
];
const ofEvery = object(
  {
    account: text,
    exit: count,
    matched: count,
    exceptions: count,
    ...Object.fromEntries(accountFigures.map((name) => [name, figure])),
    currency: text,
    note: text,
  },
  {
    optional: ["matched", "exceptions", ...accountFigures],
    description: "With --all: a row for each account.",
  },
);

/** A row of a report: `period` with --by, `profile` with --all-profiles. */
function figures(fields: readonly Field[], description: string, nullables: readonly string[] = []): Schema {
  const before = fields.some(({ name }) => name === "period") ? [profileField] : [profileField, periodColumn];
  const precisely = fields.some(({ name }) => name === "percent") ? { percent } : {};
  return rowOf([...before, ...fields], {
    description,
    optional: ["profile", "period"],
    nullable: nullables,
    precisely,
  });
}

const traceEvent = object({
  at: text,
  what: oneOf(...traceWords),
  account: text,
  amount: nullable(amount),
  currency: text,
  reference: text,
  text,
});

/** The ledger, and what comes out of it. */
export const monthEndSchemas: Readonly<Record<string, Schema>> = {
  close: listOf(
    rowOf([profileField, ...cashColumns, { name: "state", kind: "text" }, { name: "note", kind: "text" }], {
      optional: ["profile"],
      precisely: { state: oneOf("proved", "open") },
    }),
  ),
  find: listOf(
    object({ profile: text, state: text, sentence: text, events: listOf(traceEvent) }, { optional: ["profile"] }),
  ),
  "ledger:accept": object({
    account: text,
    row: nullable(text),
    gap: nullable(amount),
    evidence: text,
    by: text,
    at: moment,
  }),
  "ledger:sql": listOf(
    { type: "object", additionalProperties: { type: ["string", "number", "null"] } },
    "The columns of the SELECT. Amounts are numbers, other texts and whole numbers are what the database says.",
  ),
  "ledger:status": listOf(
    rowOf(statusColumns(true), {
      optional: ["profile"],
      nullable: ["from", "to", "closing", "live", "breaksAt"],
      precisely: { from: day, to: day, state: oneOf("proved", "broken", "unsynced") },
    }),
  ),
  reconcile: either(reconciliation, listOf(ofEvery)),
  report: listOf(
    either(
      figures(cashColumns, "report cash"),
      figures(flowColumns, "report flow"),
      figures(feesColumns, "report fees", ["percent"]),
      figures(customersColumns, "report customers"),
      figures(openColumns, "report open", ["amount"]),
      figures(compareColumns("", ""), "report compare", ["percent"]),
      figures(rowColumns, "With --rows: a row behind a figure.", ["balance"]),
    ),
  ),
  "rules:check": listOf(
    object({
      rule: nullable(count),
      label: nullable(text),
      does: nullable(text),
      account: text,
      reference: nullable(text),
      amount: nullable(amount),
      date: nullable(text),
      narration: nullable(text),
      counterparty: nullable(text),
      in: oneOf("statement", "book"),
      bookLine: nullable(count),
    }),
  ),
};
