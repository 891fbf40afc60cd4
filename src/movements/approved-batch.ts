import { createHash } from "node:crypto";
import { encodeRequest } from "../contract/request.ts";
import { JsonError } from "../json/json-error.ts";
import { decodeJson, encodeJson } from "../contract/wire.ts";
import type { Submission } from "../approvals/approvals.ts";
import { amountsIn, payingWallet, receiverOf } from "../journal/requests/movement-request.ts";
import { hashRequest, sha256 } from "../journal/requests/request-hash.ts";
import type { SubmittedBatch } from "../approvals/submitted-batch.ts";
import { submittedMaxBytes } from "../journal/postgres/approvals/schema.ts";
import type { SheetHost } from "../sheets/blocks.ts";
import { dayInDarEsSalaam } from "../values/time/day.ts";
import { Failure } from "../values/failure.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { namePath } from "../values/text/path-name.ts";
import { openBatchFile } from "./batch/batch-file.ts";
import type { BatchForm } from "./batch/batch-form.ts";
import { batchId, digesting } from "./batch/identity.ts";
import type { KeptBatch } from "./batch/kept-batch.ts";
import { descriptionOf, formOf } from "./batch/kept-batch.ts";
import type { MoneyOrder } from "./order.ts";
import type { PlannedRow } from "./batch/rows/row.ts";
import { planRow } from "./batch/rows/row.ts";
import type { RowContext } from "./batch/rows/row-orders.ts";

/** A later timestamp is invalid. */
const momentMax = Date.UTC(2200, 0);

/** The version of descriptions whose orders have amounts, besides their digests. */
const ordersWithAmounts = 2;
/** And of those that also have what the senders of remittances pay. */
const ordersWithSenders = 3;

/** The failure reason for a batch that doesn't match its digest. */
export const forgedReason = "forged batch";

/** A checked batch, ready to submit. */
export type CheckedBatch = Omit<KeptBatch, "path">;

/** The description of a submitted batch. */
export interface Described extends CheckedBatch {
  /** The time at which its rows were checked. */
  readonly plannedAt: number;
  /** The version of its list of orders: 1, from version 0.1.0 of the program, has no amounts, 2 no senders' amounts. */
  readonly orders: number;
}

/**
 * A checked file for submission: the file byte for byte, how to read it, and the digest of each row's order, which the
 * database compares with the orders that are sent.
 * @throws {Failure} usage where the file changed since it was checked, or is too large
 */
export async function submissionOf(
  host: SheetHost,
  batch: CheckedBatch & { readonly source: string; readonly digest: string },
  plannedAt: number,
): Promise<Submission> {
  const { id, scope, file, form, source, digest } = batch;
  const content = await wholeFile(host, source);
  if (createHash("sha256").update(content).digest("hex") !== digest)
    throw new Failure("usage", "The file is no longer what was checked; nothing was submitted.", {
      hint: "Run it again when no program writes to it. What comes through a pipe can be read once only: save it in a file.",
    });
  if (content.length > submittedMaxBytes)
    throw new Failure("usage", `The file is larger than ${submittedMaxBytes / 1024 ** 2} MiB; nothing was submitted.`, {
      hint: "Split it.",
    });
  const description = encodeJson({
    ...descriptionOf({ id, scope, file, form }),
    plannedAt: Numeral.of(plannedAt),
    orders: Numeral.of(ordersWithSenders),
  });
  const rows = await ordersOf(hostWith(host, content), source, form, contextAt(plannedAt, form), ordersWithSenders);
  return { description, content, orders: rows };
}

/**
 * Reads the description of a submitted batch.
 * @throws {Failure} setup where it can't be read
 */
export function describedBy({ description }: Pick<SubmittedBatch, "description">): Described {
  try {
    const value = decodeJson(description);
    const { id, plannedAt, orders } = isJsonObject(value) ? value : {};
    if (!isJsonObject(value) || typeof id !== "string" || !(plannedAt instanceof Numeral)) throw forged();
    const moment = Number(plannedAt.toString());
    if (!(moment > 0 && moment < momentMax)) throw forged();
    return { ...formOf(value), id, plannedAt: moment, orders: orders instanceof Numeral ? Number(orders.text) : 1 };
  } catch (error) {
    throw error instanceof JsonError ? forged() : error;
  }
}

/**
 * Checks that a fetched batch matches its digest, and that the orders in the database are those of its file: a
 * submitter could have entered others. `see` gets each row.
 * @throws {Failure} setup
 */
export async function verifySubmitted(
  host: SheetHost,
  submitted: SubmittedBatch,
  { path, form }: KeptBatch,
  see: (row: PlannedRow) => void = () => undefined,
): Promise<void> {
  const { id, scope, plannedAt, orders: listing } = describedBy(submitted);
  const reading = digesting(host);
  let isWhole = true;
  const orders = await ordersOf(reading, path, form, contextAt(plannedAt, form), listing, (row) => {
    isWhole &&= row.order !== undefined;
    see(row);
  });
  const content = reading.digest();
  const parts = [sha256(submitted.description), content, sha256(orders)].map((hex) => Buffer.from(hex, "hex"));
  const digest = createHash("sha256").update(Buffer.concat(parts)).digest("hex");
  const isRight =
    isWhole &&
    digest === submitted.digest &&
    id === submitted.id &&
    scope === submitted.scope &&
    id === batchId(content, form, scope);
  if (!isRight) throw forged();
}

/** How another copy of a batch differs. */
export interface CopyComparison {
  /** The orders of the copy, as they would have been submitted. */
  readonly orders: string;
  readonly differences: readonly { readonly name: string; readonly words: string }[];
}

/**
 * Compares a batch's orders with those of another file, read in the same way and as of the same time.
 * @throws {Failure} usage where a row of the copy isn't an order
 */
export async function differencesFrom(
  host: SheetHost,
  submitted: SubmittedBatch,
  { path, form }: KeptBatch,
  copy: string,
): Promise<CopyComparison> {
  const { plannedAt, orders: listing } = describedBy(submitted);
  const context = contextAt(plannedAt, form);
  const [theirs, own] = [new Map<string, string>(), new Map<string, string>()];
  await ordersOf(host, path, form, context, listing, (row) => void theirs.set(...entryOf(row)));
  const { delimiter: _, sheet: __, ...readAgain } = form;
  const orders = await ordersOf(host, copy, readAgain, context, listing, (row) => {
    if (row.order === undefined) throw noOrder(copy, row);
    own.set(...entryOf(row));
  });
  const names = [...new Set([...theirs.keys(), ...own.keys()])];
  const differences = names.flatMap((name) => {
    if (theirs.get(name) === own.get(name)) return [];
    const where = own.has(name)
      ? theirs.has(name)
        ? "is another order there"
        : "is in the copy alone"
      : "is not in the copy";
    return [{ name, words: where }];
  });
  return { orders, differences };
}

/** The name of an order, by kind and reference, and its digest. */
function entryOf({ order, line }: PlannedRow): readonly [string, string] {
  if (order === undefined) return [`line ${line}`, ""];
  const { kind, reference, endpoint, input, volatile } = order;
  return [`${kind} ${reference}`, hashRequest(encodeRequest(endpoint, input).body ?? "{}", volatile)];
}

function noOrder(path: string, { line, violations }: PlannedRow): Failure {
  return new Failure("usage", `Line ${line} of ${namePath(path)} is not an order; nothing was decided.`, {
    hint: `Correct the copy. ${violations[0]?.problem ?? ""}`.trimEnd(),
    money: "not moved",
  });
}

/**
 * Line, kind, reference and digest of each row's request, as JSON text, with the facts that approval rules need:
 * amount, the currency if the request names it, the paying wallet, the receiver, and what a remittance's sender pays.
 */
async function ordersOf(
  host: SheetHost,
  path: string,
  form: BatchForm,
  context: RowContext,
  listing: number,
  see: (row: PlannedRow) => void = () => undefined,
): Promise<string> {
  const sheet = await openBatchFile(host, path, form);
  const lines: string[] = [];
  for await (const rows of sheet.rows) {
    for (const row of rows) {
      const planned = planRow(row, sheet.header, form, context);
      see(planned);
      const { order, line } = planned;
      if (order === undefined) continue;
      const { kind, reference, endpoint, input, volatile } = order;
      const digest = hashRequest(encodeRequest(endpoint, input).body ?? "{}", volatile);
      lines.push(JSON.stringify([line, kind, reference, digest, ...movedBy(order, listing)]));
    }
  }
  return `[${lines.join(",\n")}]`;
}

function movedBy({ kind, input }: MoneyOrder, listing: number): readonly (string | null)[] {
  if (listing < ordersWithAmounts) return [];
  const [moved, sent] = amountsIn(kind, input);
  const receiver = receiverOf(kind, input);
  const named = [moved?.amount.toString(), moved?.currency, payingWallet(kind, input)];
  const sender = sent === undefined || listing < ordersWithSenders ? [] : [sent.amount.toString(), sent.currency];
  return [...named, receiver?.account, receiver?.institution, ...sender].map((part) => part ?? null);
}

function contextAt(nowMs: number, { tagged }: BatchForm): RowContext {
  return { nowMs, today: dayInDarEsSalaam(nowMs), tagged };
}

async function wholeFile({ files }: SheetHost, path: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of files.chunks(path)) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

/** A host whose only file has this content. */
function hostWith({ signal, files }: SheetHost, content: Uint8Array): SheetHost {
  return {
    signal,
    files: {
      facts: (path) => files.facts(path),
      async *chunks() {
        yield content;
      },
    },
  };
}

function forged(): Failure {
  return new Failure("setup", "The submitted batch does not match its digest; it is not used.", {
    hint: "Have it rejected, and find out who submitted it: partner batch list",
    reason: forgedReason,
    money: "not moved",
  });
}
