import type { Movement, MovementKind } from "../../journal/movement.ts";
import { isInFlight, movementNouns } from "../../journal/movement.ts";
import { orderStandingOf } from "../../journal/lookups/order-keys.ts";
import { movementForms } from "../../journal/requests/movement-kinds.ts";
import { firstAmount, payerOf, receiverOf } from "../../journal/requests/movement-request.ts";
import type { Batches, Row } from "../../report/report.ts";
import type { Sheet } from "../../sheets/sheet.ts";
import type { Field } from "../../values/field.ts";
import type { JsonValue } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { movementFailure } from "../movement-report.ts";
import { fieldOf } from "./columns.ts";
import type { KeptBatch } from "./kept-batch.ts";
import type { RowsContext } from "./rows/planned-rows.ts";
import { plannedRows } from "./rows/planned-rows.ts";
import type { OrderKey, PlannedRow } from "./rows/row.ts";
import type { RowViolation } from "./rows/row-reader.ts";
import type { RowPast } from "./rows/row-outcome.ts";
import { outcomeOfRow } from "./rows/row-outcome.ts";

/** The possible states of a row of a batch. */
export const rowStates = ["accepted", "pending", "refused", "reversed", "unsent", "unknown"] as const;
export type RowState = (typeof rowStates)[number];

/** The columns added to those of the file. */
const outcomeFields = [
  { name: "state", kind: "id", role: "state" },
  { name: "id", kind: "id", role: "detail" },
  { name: "requestId", kind: "id", title: "request id", role: "detail" },
  { name: "transactionId", kind: "id", title: "transaction id", role: "detail" },
  { name: "message", kind: "text", role: "what", whole: true },
] as const satisfies readonly Field[];

/** The columns of a table; files have all. */
const tabled: ReadonlySet<string> = new Set(["kind", "reference", "amount", "receiverAmount", "state", "message"]);
const plainNumber = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** Counts rows by state. */
export class BatchRowCounts {
  readonly #counts = new Map<RowState, number>();

  add(state: RowState, count = 1): void {
    this.#counts.set(state, this.of(state) + count);
  }

  of(state: RowState): number {
    return this.#counts.get(state) ?? 0;
  }

  get total(): number {
    return rowStates.reduce((sum, state) => sum + this.of(state), 0);
  }
}

/** The columns of a result: those of the file, then the outcome of each row. */
export function resultFields(header: readonly string[]): Field[] {
  const fields = [...header.map(fieldOf), ...outcomeFields];
  return fields.map((field) => ({ ...field, machineOnly: !tabled.has(field.name) }));
}

/**
 * The columns on a terminal: account and amount of each row, even where a flag sets them for all rows.
 * @param kind of every row; undefined where a column names it
 */
export function batchTerminalFields(kind: MovementKind | undefined): readonly Field[] {
  return [
    { name: "kind", kind: "id", role: "detail" },
    { name: "reference", kind: "id", role: "what" },
    {
      name: "counterparty",
      kind: "id",
      title: counterpartyTitle(kind),
      role: "who",
      shortens: "account",
      orElse: ["to", "receiverAccount", "msisdn", "account"],
    },
    { name: "moved", kind: "amount", title: "amount", role: "money", orElse: ["amount", "receiverAmount"] },
    { name: "currency", kind: "id", role: "money" },
    ...outcomeFields.filter(({ role }) => role !== "detail"),
  ];
}

function counterpartyTitle(kind: MovementKind | undefined): string {
  if (kind === undefined) return "account";
  return movementForms[kind].receiver === null ? "payer" : "receiver";
}

export interface ResultContext extends RowsContext {
  /** Set to add the cells for a terminal; gives the currency of a wallet. */
  readonly forPeople?: ((wallet: string | undefined) => string | undefined) | undefined;
  /** Why single rows were skipped in this run, by line. */
  readonly left?: ReadonlyMap<number, string> | undefined;
  /**
   * Why a row of which nothing moved, as far as the journal knows, may be paid or under way all the same: this run is
   * about to send it, or the journal may lack its order. Undefined where the journal is to be believed.
   */
  readonly doubt?: string | undefined;
}

/** Each row of the file with its outcome in the journal. `see` counts the rows on the way. */
export async function* resultRows(
  sheet: Sheet,
  batch: KeptBatch,
  context: ResultContext,
  see: (state: RowState) => void = () => undefined,
): Batches {
  for await (const { rows: planned, past } of plannedRows(sheet, batch.form, context)) {
    const rows: Row[] = [];
    for (const row of planned) {
      const { state, id, requestId, transactionId, message } = await outcomeCells(row, context, past);
      see(state);
      const moved = context.forPeople === undefined ? {} : movedCells(row, context.forPeople);
      rows.push({ ...inputCells(row, sheet.header), ...moved, state, id, requestId, transactionId, message });
    }
    yield rows;
  }
}

interface OutcomeCells {
  readonly state: RowState;
  readonly id: string | null;
  readonly requestId: string | null;
  readonly transactionId: string | null;
  readonly message: string | null;
}

async function outcomeCells(
  { line, key, order, violations, expired }: PlannedRow,
  context: Pick<ResultContext, "left" | "doubt">,
  past: RowPast,
): Promise<OutcomeCells> {
  const left = context.left?.get(line);
  if (order === undefined) return unreadCells(wordsOf(violations), key, past);
  const outcome = await outcomeOfRow(order, past);
  if (outcome.is === "other") return unsent(`Its reference belongs to another order: ${outcome.why}`);
  const isToCome = outcome.is === "new" || outcome.is === "open";
  if (isToCome && context.doubt !== undefined)
    return {
      ...(outcome.is === "new" ? unsent("") : idsOf(outcome.movement)),
      state: "unknown",
      message: context.doubt,
    };
  if (outcome.is === "new") return unsent(left ?? (wordsOf(expired) || "It was not ordered yet."));
  const { movement } = outcome;
  if (isInFlight(movement))
    return { ...idsOf(movement), state: "unknown", message: "A process is working on it right now." };
  return { ...idsOf(movement), state: rowStateOf(movement), message: left ?? messageOf(movement) };
}

/** A row that can't be read may have been sent by a version that could: then the journal has an order of its reference. */
async function unreadCells(why: string, key: OrderKey | undefined, { journal, scope }: RowPast): Promise<OutcomeCells> {
  const movement = key === undefined ? undefined : await journal.find({ scope, ...key });
  if (movement === undefined || orderStandingOf(movement.state) === "free") return unsent(why);
  const state = isInFlight(movement) ? "being sent" : movement.state;
  const found = `the journal has a ${movementNouns[movement.kind]} of its reference, which is ${state}`;
  return { ...idsOf(movement), state: "unknown", message: `${why}; ${found}` };
}

function wordsOf(violations: readonly RowViolation[]): string {
  return violations.map(({ column, problem }) => `${column ?? "row"} ${problem}`).join("; ");
}

/** Why an order isn't done, with the service's own words. */
function messageOf(movement: Movement): string | null {
  const failure = movementFailure(movement);
  if (failure === undefined) return null;
  const named = Object.entries(failure.details ?? {}).map(([field, problem]) => `${field}: ${problem}`);
  return [movement.note ?? failure.message, ...named].join("; ");
}

/** The state of a row, by the state of its order. */
export function rowStateOf({ state }: Movement): RowState {
  return rowStates.find((known) => known === state) ?? "unknown";
}

function idsOf({ id, requestIds, transactionId }: Movement) {
  return { id, requestId: requestIds.at(-1) ?? null, transactionId };
}

function unsent(message: string): OutcomeCells {
  return { state: "unsent", id: null, requestId: null, transactionId: null, message };
}

/** Amount and receiver of a row; where the money goes to the account itself, the wallet or the phone that pays. */
function movedCells({ order }: PlannedRow, currencyOf: (wallet: string | undefined) => string | undefined): Row {
  if (order === undefined) return {};
  const { kind, input } = order;
  const moved = firstAmount(kind, input);
  return {
    counterparty: receiverOf(kind, input)?.account ?? payerOf(kind, input) ?? null,
    moved: moved === undefined ? null : new Numeral(moved.amount.toString()),
    currency: moved?.currency ?? currencyOf(moved?.wallet) ?? null,
  };
}

/** The cells of the file; numbers where they can be read as such. */
function inputCells({ cells }: PlannedRow, header: readonly string[]): Row {
  return Object.fromEntries(
    header.map((name, index): [string, JsonValue] => {
      const cell = cells[index] ?? "";
      return [name, fieldOf(name).kind === "amount" && plainNumber.test(cell) ? new Numeral(cell) : cell];
    }),
  );
}
