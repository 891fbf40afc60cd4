import type { Format } from "../../report/options.ts";
import type { Batches, Findings, Report, Row } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import type { Examination, InvalidWebhook, ValidWebhook } from "./examination.ts";

/** The columns of a list of verified webhooks. */
const verificationFields: readonly Field[] = [
  { name: "file", kind: "id", role: "what" },
  { name: "verdict", kind: "id", role: "state" },
  { name: "id", kind: "id", role: "detail" },
  { name: "timestamp", kind: "time", role: "when" },
  { name: "reason", kind: "text", role: "what", whole: true },
  { name: "hint", kind: "text", machineOnly: true },
  { name: "payload", kind: "text", machineOnly: true },
];

/** The note on a valid webhook without an id. */
export const withoutId = "It has no transaction.id: webhook listen keeps such events apart.";
/** How many are rendered at a time: each payload may be very large. */
const batchRows = 50;

/** A file with its examination, or the failure to read it. */
export interface ExaminedFile {
  readonly name: string;
  readonly outcome: Examination | Failure;
}

/** The failure of a webhook that isn't valid. */
export function invalidWebhook(name: string, { verdict, why, hint }: InvalidWebhook): Failure {
  return new Failure("mismatch", `${name}: ${verdict}. ${why}`, { hint, reason: verdict });
}

/**
 * The payload's document in the machine formats: one object, its numbers with the signed digits. In CSV, members of
 * nested objects are columns, such as `transaction.amountCredit`.
 */
export function payloadReport({ payload }: ValidWebhook, format: Format): Report {
  if (format !== "csv") return { shape: "record", columns: "fromRows", record: payload };
  const record = flattened(payload);
  return { shape: "record", columns: Object.entries(record).map(fieldOf), record };
}

function flattened(document: JsonObject, within = ""): JsonObject {
  const cells = Object.entries(document).flatMap(([name, value]): [string, JsonValue][] =>
    isJsonObject(value) ? Object.entries(flattened(value, `${within}${name}.`)) : [[within + name, value]],
  );
  return Object.fromEntries(cells);
}

function fieldOf([name, value]: [string, JsonValue]): Field {
  const isAccount = name.endsWith("accountNo");
  return { name, kind: value instanceof Numeral ? "amount" : isAccount ? "id" : "text" };
}

/** A row for each file. The worst result decides how the run ends, after all are shown. */
export function verificationReport(files: AsyncIterable<ExaminedFile>): Report {
  const counts: Counts = { all: 0, invalid: 0, unread: 0 };
  return {
    shape: "rows",
    columns: verificationFields,
    rows: rowsOf(files, counts),
    whenEmpty: "There is no file.",
    findings: () => findingsOf(counts),
  };
}

interface Counts {
  all: number;
  invalid: number;
  unread: number;
}

async function* rowsOf(files: AsyncIterable<ExaminedFile>, counts: Counts): Batches {
  let batch: Row[] = [];
  for await (const { name, outcome } of files) {
    counts.all += 1;
    if (outcome instanceof Failure) counts.unread += 1;
    else if (outcome.verdict !== "valid") counts.invalid += 1;
    batch.push({ file: name, ...cellsOf(outcome) });
    if (batch.length < batchRows) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function cellsOf(outcome: Examination | Failure): Row {
  if (outcome instanceof Failure) {
    return { verdict: "not read", id: null, timestamp: null, reason: outcome.message, hint: null, payload: null };
  }
  if (outcome.verdict !== "valid") {
    return {
      verdict: outcome.verdict,
      id: null,
      timestamp: null,
      reason: outcome.why,
      hint: outcome.hint,
      payload: null,
    };
  }
  const { transactionId: id = null, timestamp, payload } = outcome;
  return { verdict: "valid", id, timestamp, reason: id === null ? withoutId : null, hint: null, payload };
}

function findingsOf({ all, invalid, unread }: Counts): Findings {
  const valid = all - invalid - unread;
  if (valid === all) return { notes: [`All ${all} are valid.`] };
  const rest = unread === 0 ? "" : ` ${unread} cannot be read.`;
  const message = `${valid} of ${all} are valid.${rest}`;
  const hint = "Each row says why; --output json says what to try, too.";
  return { notes: [], carried: new Failure(invalid > 0 ? "mismatch" : "usage", message, { hint }) };
}
