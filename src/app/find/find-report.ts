import type { Payment } from "../../find/payments.ts";
import type { TraceEvent } from "../../find/trace.ts";
import type { Report, Row } from "../../report/report.ts";
import type { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import { Numeral } from "../../values/json.ts";
import { formatMoney } from "../../values/money/money.ts";
import { visible } from "../../values/text/text.ts";
import { pad } from "../../report/terminal/cut-text.ts";
import { widthOf } from "../../report/terminal/text-width.ts";
import { profileField } from "../../values/field.ts";
import { inDarEsSalaam } from "../../values/time/wall-time.ts";
import type { Session } from "../session.ts";

/** A payment, and the profile that knows it where several were asked. */
export interface Shown extends Payment {
  readonly profile?: string | undefined;
}

const eventFields = [
  { name: "at", kind: "time", role: "when" },
  { name: "what", kind: "text", role: "state" },
  { name: "account", kind: "id", role: "who" },
  { name: "amount", kind: "amount", role: "money" },
  { name: "currency", kind: "id", role: "money" },
  { name: "reference", kind: "id", role: "what" },
  { name: "text", kind: "text", role: "detail" },
] as const satisfies readonly Field[];

/** A spreadsheet has a line for each event, with the number of its payment. */
const flatFields: readonly Field[] = [
  { name: "payment", kind: "count", role: "what" },
  { name: "state", kind: "id", role: "state" },
  ...eventFields,
];
const paymentFields: readonly Field[] = [
  { name: "state", kind: "id", role: "state" },
  { name: "sentence", kind: "text", role: "what" },
  { name: "events", kind: "text", role: "detail" },
];

/** The payments in the format that was asked for: people get a timeline of each. */
export function findReport(
  payments: readonly Shown[],
  session: Session,
  outcome: { readonly notes: readonly string[]; readonly carried: Failure | undefined },
): Report {
  const { format, result } = session;
  const findings = () => outcome;
  const own = payments.some(({ profile }) => profile !== undefined) ? [profileField] : [];
  const isRows = format === "json" || format === "ndjson";
  if (isRows && result.file === undefined)
    return {
      shape: "rows",
      columns: [...own, ...paymentFields],
      rows: payments.map(jsonOf),
      whenEmpty: "",
      findings,
    };
  if (format === "table" && result.file === undefined && result.columns === undefined && result.sort === undefined)
    return { shape: "file", isProse: true, content: timelines(payments, result.width), findings };
  return {
    shape: "rows",
    columns: [...own, ...flatFields],
    rows: payments.flatMap((payment, at) => payment.events.map((event) => flatRow(payment, event, at + 1))),
    whenEmpty: "",
    findings,
  };
}

function jsonOf({ profile, state, sentence, events }: Shown): Row {
  return { ...(profile === undefined ? {} : { profile }), state, sentence, events: events.map(eventOf) };
}

function flatRow({ profile, state }: Shown, event: TraceEvent, number: number): Row {
  const own = profile === undefined ? {} : { profile };
  return { ...own, payment: Numeral.of(number), state, ...eventOf(event) };
}

function eventOf({ at, what, account, amount, currency, reference, text }: TraceEvent) {
  const digits = amount === null ? null : new Numeral(amount.toString());
  return { at, what, account, amount: digits, currency, reference, text };
}

/** A sentence first, then a line for each event; where a line would be too wide, the event's words go below it. */
async function* timelines(payments: readonly Shown[], width = Infinity): AsyncGenerator<string> {
  for (const [at, payment] of payments.entries()) {
    const lines = payment.events.map(cellsOf);
    const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...lines.map((cells) => widthOf(cells[column] ?? ""))));
    const beside = lines.map((cells) => `  ${besideOf(cells, widths)}  ${cells[4]}`.trimEnd());
    const isWide = beside.some((line) => widthOf(line) > width);
    const below = () => lines.flatMap((cells) => [`  ${besideOf(cells, widths)}`.trimEnd(), `    ${cells[4]}`]);
    const shown = isWide ? below().filter((line) => line.trim() !== "") : beside;
    const whose = payment.profile === undefined ? "" : `${payment.profile}: `;
    yield `${at === 0 ? "" : "\n"}${whose}${visible(payment.sentence)}\n${shown.map((line) => `${line}\n`).join("")}`;
  }
}

/** When, what, where and how much, each in its column. */
function besideOf(cells: readonly string[], widths: readonly number[]): string {
  return widths.map((width, column) => pad(cells[column] ?? "", width, column === 3 ? "right" : "left")).join("  ");
}

function cellsOf({ at, what, account, amount, currency, reference, text }: TraceEvent): string[] {
  const money =
    amount === null ? "" : `${formatMoney(amount, currency === "" ? undefined : currency)} ${currency}`.trimEnd();
  const words = [reference, text].filter((word) => word !== "").join("  ");
  return [inDarEsSalaam(at).slice(0, "2026-10-01T08:00:00".length).replace("T", " "), what, account, money, words].map(
    visible,
  );
}
