import type { Journal } from "../../../journal/journal.ts";
import type { MovementKey } from "../../../journal/movement.ts";
import type { Sheet } from "../../../sheets/sheet.ts";
import type { BatchForm } from "../batch-form.ts";
import type { PlannedRow } from "./row.ts";
import { planRow } from "./row.ts";
import type { RowContext } from "./row-orders.ts";
import type { RowPast } from "./row-outcome.ts";

/** How many rows are in memory at once, with all that the journal has of them. */
const pieceRows = 100;

export interface RowsContext extends RowContext {
  readonly journal: Pick<Journal, "findAll">;
  readonly scope: string;
}

/** Some rows of a batch in order, with what is known about their orders. */
export interface RowsPiece {
  readonly rows: readonly PlannedRow[];
  readonly past: RowPast;
}

/**
 * The rows of a batch, planned, piece by piece. The journal is asked for the orders of a piece at once: each question
 * to a journal on another machine takes a round trip.
 */
export async function* plannedRows(sheet: Sheet, form: BatchForm, context: RowsContext): AsyncGenerator<RowsPiece> {
  for await (const read of sheet.rows)
    for (let start = 0; start < read.length; start += pieceRows) {
      const rows = read.slice(start, start + pieceRows).map((row) => planRow(row, sheet.header, form, context));
      yield { rows, past: await pastOf(rows, context) };
    }
}

async function pastOf(rows: readonly PlannedRow[], { journal, scope }: RowsContext): Promise<RowPast> {
  const found = await journal.findAll(
    scope,
    rows.flatMap(({ key }) => key ?? []),
  );
  const byKey = new Map(found.map((movement) => [nameOf(movement), movement]));
  return { scope, journal: { find: async (key) => byKey.get(nameOf(key)) } };
}

function nameOf({ kind, reference }: Pick<MovementKey, "kind" | "reference">): string {
  return `${kind} ${reference}`;
}
