import { encodeRequest } from "../../../contract/request.ts";
import type { Host } from "../../../host/host.ts";
import { keysOf } from "../../../journal/lookups/order-keys.ts";
import { Failure } from "../../../values/failure.ts";
import type { MoneyOrder } from "../../order.ts";
import { openBatchFile } from "../batch-file.ts";
import { findBatch } from "../kept-batch.ts";
import { planRow } from "./row.ts";

/** Which rows were in one file when it was run. Such rows may be alike: two people may get the same amount. */
export interface FileHistory {
  /** True for the id of the very file that is checked; asked once it has been read. */
  readonly isThisFile: (batch: string) => boolean;
  /**
   * The rows of a batch that was run before, by reference, each with its likeness key; undefined for a row that wasn't
   * an order. Empty where this machine has kept nothing of that batch.
   */
  readonly rowsOf: (batch: string) => Promise<ReadonlyMap<string, string | undefined>>;
}

/** The key that an order shares with the orders of the account that are like it. */
export function likeKeyOf({ kind, reference, endpoint, input }: MoneyOrder, scope: string): string {
  return keysOf({ scope, kind, reference }, encodeRequest(endpoint, input).body ?? "{}").like;
}

/** Reads the kept files of batches, each once. Their rows are compared as orders of the account `scope`. */
export function formerRows(
  host: Pick<Host, "files" | "signal" | "clock">,
  stateFolder: string,
  { scope, today }: { readonly scope: string; readonly today: Parameters<typeof planRow>[3]["today"] },
): FileHistory["rowsOf"] {
  const read = new Map<string, Promise<ReadonlyMap<string, string | undefined>>>();
  const rowsOf = async (id: string) => {
    const rows = new Map<string, string | undefined>();
    const { path, form } = await findBatch(host, id, stateFolder);
    const sheet = await openBatchFile(host, path, form);
    const context = { today, nowMs: host.clock.now(), tagged: form.tagged };
    for await (const piece of sheet.rows)
      for (const row of piece) {
        const { reference, order } = planRow(row, sheet.header, form, context);
        if (reference !== undefined) rows.set(reference, order && likeKeyOf(order, scope));
      }
    return rows;
  };
  return (id) => {
    const rows = read.get(id) ?? rowsOf(id).catch(nothingKept);
    read.set(id, rows);
    return rows;
  };
}

/** The rows of a batch that is not kept here, or not whole, are unknown. */
function nothingKept(error: unknown): ReadonlyMap<string, string | undefined> {
  if (error instanceof Failure && error.ending !== "interrupted") return new Map();
  throw error;
}
