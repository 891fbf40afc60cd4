import { keyFields } from "../../src/app/approvals/signing/key-report.ts";
import { submittedFields } from "../../src/app/approvals/submitted-report.ts";
import { countFields } from "../../src/app/batch/counts.ts";
import { submittedStates } from "../../src/approvals/submitted-batch.ts";
import { evidences, movementKinds, movementStates } from "../../src/journal/movement.ts";
import { auditFields } from "../../src/movements/audit-trail.ts";
import { rowStates } from "../../src/movements/batch/result.ts";
import { exportedFields, exportFields, eventFields, listedFields } from "../../src/movements/journal-report.ts";
import { decodedFields } from "../../src/movements/look/decoded-row.ts";
import { movementFields } from "../../src/movements/movement-report.ts";
import { receiptFields } from "../../src/movements/receipt.ts";
import { remittanceFields } from "../../src/remittance/fields.ts";
import type { Field } from "../../src/values/field.ts";
import type { Schema } from "./form.ts";
import {
  amount,
  anything,
  anyObject,
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
  withDescription,
} from "./form.ts";
import { walletEntry } from "./reading.ts";

const kind = oneOf(...movementKinds);
const state = oneOf(...movementStates);
const evidence = nullable(oneOf(...evidences));
/** What the service answered: its JSON, or the text that it was. */
const response = withDescription(
  anything,
  "The service's answer: its JSON, or its text where it isn't JSON; null without one.",
);
const inMovement = {
  kind,
  state,
  openedAt: moment,
  settledAt: nullable(moment),
  evidence,
  request: anyObject,
  response,
};

const movement = movementRow(movementFields, ["requestId"]);
const masked = {
  method: oneOf("POST"),
  url: text,
  headers: object({ "x-account-id": nullable(text), "x-secret-key": oneOf("[secret]") }),
  request: anyObject,
};
const dryRun = object(
  { dryRun: { const: true }, kind, reference: text, ...masked },
  { description: "With --dry-run: the request as it would be sent." },
);
const order = either(withDescription(movement, "The movement, in whatever state it is."), dryRun);

/** Columns of a submitted batch that are always there. */
const settled: ReadonlySet<string> = new Set([
  "batch",
  "state",
  "rows",
  "submittedBy",
  "submittedAt",
  "account",
  "digest",
]);
const submitted = rowOf(submittedFields, {
  nullable: submittedFields.flatMap(({ name }) => (settled.has(name) ? [] : [name])),
  precisely: { state: oneOf(...submittedStates), submittedAt: moment, decidedAt: moment },
});
const signingKey = rowOf(keyFields, {
  nullable: ["removedBy", "removedAt"],
  precisely: { state: oneOf("registered", "removed"), addedAt: moment, removedAt: moment },
});
const totals: Schema = {
  description: "Amounts by currency.",
  type: "object",
  additionalProperties: amount,
};
const submittedOrLooked = object({ ...propertiesOf(submitted), totals }, { optional: ["totals"] });
const counts = Object.fromEntries(countFields.map(({ name }) => [name, count]));
const batchRow: Schema = {
  description: "The columns of the file as text, and what became of the row.",
  type: "object",
  required: ["state", "id", "requestId", "transactionId", "message"],
  properties: {
    state: oneOf(...rowStates),
    id: nullable(text),
    requestId: nullable(text),
    transactionId: nullable(text),
    message: nullable(text),
  },
  additionalProperties: true,
};
const event = rowOf(eventFields, {
  nullable: ["from", "requestId", "evidence", "note"],
  precisely: { at: moment, from: state, to: state, evidence },
});
const decoded = rowOf(decodedFields, {
  nullable: ["fromName", "toName", "institution", "currency", "senderAmount", "senderCurrency"],
  precisely: { kind },
});

/** Orders, batches and the journal. */
export const movingSchemas: Readonly<Record<string, Schema>> = {
  transfer: order,
  withdraw: order,
  collect: order,
  remit: order,
  payout: order,
  "remit:template": draftSchema(),
  "approvals:delegate": object({ by: nullable(text), to: text, until: day }),
  "approvals:key:add": signingKey,
  "approvals:key:list": listOf(signingKey),
  "approvals:key:remove": signingKey,
  "approvals:set": object({
    state: oneOf("proposed", "in force"),
    number: nullable(count),
    firstBy: text,
    firstAt: moment,
    secondBy: nullable(text),
    secondAt: nullable(moment),
    rules: text,
  }),
  "approvals:show": object({
    rules: anyObject,
    proposed: listOf(object({ rules: anyObject, by: text, at: moment })),
    deputies: listOf(object({ by: text, to: text, until: day })),
    rows: listOf(
      object({ number: count, at: moment, firstBy: text, secondBy: text, before: nullable(text), after: text }),
    ),
  }),
  "batch:approve": submittedOrLooked,
  "batch:check": object({ batch: text, file: text, rows: count, totals, toSend: count, done: count, unknown: count }),
  "batch:list": listOf(submitted),
  "batch:reject": submittedOrLooked,
  "batch:report": listOf(batchRow),
  "batch:run": listOf(
    either(
      batchRow,
      object(
        { batch: text, file: nullable(text), rows: count, ...counts, submittedBy: text, decidedBy: nullable(text) },
        { description: "With --approved: a batch and how many of its rows came to what." },
      ),
      object(
        { line: count, kind, reference: text, ...masked },
        { description: "With --dry-run: what a row would send." },
      ),
    ),
  ),
  "batch:show": object({
    batch: submitted,
    state: oneOf(...submittedStates),
    decisions: listOf(
      object(
        {
          decision: text,
          by: text,
          actingFor: listOf(text),
          at: moment,
          reason: nullable(text),
          looked: nullable(text),
          signature: nullable(text),
        },
        { optional: ["actingFor"] },
      ),
    ),
    rows: listOf(decoded),
  }),
  "batch:status": object({ batch: text, file: text, rows: count, ...counts }),
  "batch:submit": submittedOrLooked,
  "batch:wait": submittedOrLooked,
  "batch:withdraw": submittedOrLooked,
  "journal:archive": object({ file: nullable(text), orders: count, lines: count, head: nullable(hash) }),
  "journal:copy": object({ database: text, orders: count, lines: count }),
  "journal:export": listOf(
    either(
      movementRow(exportFields, ["requestId", "profile", "transactionId", "note", "amount", "currency", "from", "to"]),
      withDescription(auditRow(), "With --events: a line of the history."),
    ),
  ),
  "journal:list": listOf(movementRow(listedFields, ["requestId", "profile", "amount", "currency", "from", "to"])),
  "journal:migrate": listOf(object({ database: text, part: text, from: count, to: count })),
  "journal:move": object({ journal: text, moved: flag }),
  "journal:redact": object({ orders: count, batches: count, rows: count, before: text, redacted: flag }),
  "journal:prove": object({
    reference: text,
    id: text,
    state,
    batch: nullable(text),
    lines: count,
    from: hash,
    head: hash,
    order: movementRow(exportedFields, ["requestId", "profile", "transactionId", "note"]),
    request: text,
    answer: nullable(text),
    statementRows: listOf(anyObject),
    statementTexts: listOf(text, "The same rows as the journal keeps them. The chain names the SHA-256 of each."),
    chain: listOf(auditRow()),
    redactedLines: listOf(
      count,
      "Lines about the order or its batch that lost personal data: their hashes can't be recomputed.",
    ),
  }),
  "journal:receipt": rowOf(receiptFields, {
    nullable: ["amount", "currency", "from", "to", "settledAt", "takenBackAt", "transactionId", "evidence"],
    precisely: { state, orderedAt: moment, settledAt: moment, takenBackAt: text },
  }),
  "journal:recover": object(
    { journal: text, from: day, to: day, wallets: count, rows: count, references: count, new: count },
    { optional: ["new"] },
  ),
  "journal:resolve": listOf(movementRow([...movementFields, { name: "saw", kind: "text" }], ["requestId"])),
  "journal:show": object(
    {
      ...propertiesOf(movementRow(exportedFields, ["requestId", "profile", "transactionId", "note"])),
      history: listOf(event),
      proofs: listOf(walletEntry, "Rows of statements that prove the order."),
    },
    { optional: ["proofs"] },
  ),
  "journal:verify": object({ orders: count, lines: count, head: hash }, { optional: ["orders"] }),
};

function movementRow(fields: readonly Field[], nullables: readonly string[]): Schema {
  return rowOf(fields, { nullable: nullables, precisely: inMovement });
}

function auditRow(): Schema {
  return rowOf(auditFields, {
    nullable: ["from", "requestId", "evidence", "note", "request", "replaced"],
    // Lines about batches and rules have other words than those about orders.
    precisely: { at: moment, kind: oneOf(...movementKinds, "batch", "rules"), evidence, previous: hash, hash },
  });
}

function propertiesOf({ properties }: Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(Object(properties)));
}

/** Every field of a remittance, to be filled in. */
function draftSchema(): Schema {
  const names = remittanceFields.map(({ path }) => path.split("."));
  const parties = [...new Set(names.flatMap(([party = "", field]) => (field === undefined ? [] : [party])))];
  return object({
    ...draftFields(""),
    ...Object.fromEntries(parties.map((party) => [party, object(draftFields(`${party}.`))])),
  });
}

/** Those whose path begins so, and has nothing further in it. */
function draftFields(prefix: string): Record<string, Schema> {
  const entries = remittanceFields.flatMap(({ path, kind: of }): [string, Schema][] => {
    const name = path.slice(prefix.length);
    if (!path.startsWith(prefix) || name.includes(".")) return [];
    return [[name, of === "amount" ? { type: ["number", "null"] } : text]];
  });
  return Object.fromEntries(entries);
}
