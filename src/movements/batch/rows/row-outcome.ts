import { encodeRequest } from "../../../contract/request.ts";
import { isRequestOf } from "../../../journal/requests/request-hash.ts";
import type { Journal } from "../../../journal/journal.ts";
import type { Movement } from "../../../journal/movement.ts";
import { isInFlight } from "../../../journal/movement.ts";
import { otherRequest } from "../../request-diff.ts";
import type { MoneyOrder } from "../../order.ts";

/** The account of the orders, and the journal with their outcomes. */
export interface RowPast {
  readonly journal: Pick<Journal, "find">;
  readonly scope: string;
}

/**
 * The outcome of a row's order so far.
 * - `new`: not ordered yet
 * - `open`: ordered before, nothing moved; it may be sent again
 * - `done`: the service accepted it
 * - `unknown`: the outcome is not known, or another process is sending it now; not to be sent
 * - `other`: its reference belongs to another request
 */
export type RowOutcome =
  | { readonly is: "new" }
  | { readonly is: "open" | "done" | "unknown"; readonly movement: Movement }
  | { readonly is: "other"; readonly movement: Movement; readonly why: string };

/** Looks up the order under a reference. */
export async function outcomeOfRow(order: MoneyOrder, { journal, scope }: RowPast): Promise<RowOutcome> {
  const { kind, reference, endpoint, input, volatile } = order;
  const movement = await journal.find({ scope, kind, reference });
  if (movement === undefined) return { is: "new" };
  if (movement.state === "refused" || movement.state === "unsent") return { is: "open", movement };
  const request = encodeRequest(endpoint, input).body ?? "{}";
  if (!isRequestOf(movement.requestHash, request, volatile)) {
    const { details = {} } = otherRequest(movement, request, volatile);
    const differences = Object.entries(details).map(([name, how]) => `${name} ${how}`);
    return { is: "other", movement, why: differences.join(", ") };
  }
  if (movement.state === "unknown" || isInFlight(movement)) return { is: "unknown", movement };
  return { is: "done", movement };
}
