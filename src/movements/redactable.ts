import type { Journal } from "../journal/journal.ts";
import { isFinal } from "../journal/movement.ts";
import type { ChainPlace, OrderLines } from "../journal/redaction/redacted-order.ts";
import { chainedRow, changedLine, newChain } from "./audit-trail.ts";

/** What is to be redacted in a journal. */
export interface Redactable {
  readonly orders: readonly OrderLines[];
  /** Submitted batches that are over; they are redacted before their orders. */
  readonly batches: readonly OrderLines[];
  /** Submitted batches from before that time that are not over: they stay. */
  readonly open: number;
  /** Orders of submitted batches that stay. */
  readonly kept: number;
  /** When the latest order was placed, in milliseconds since 1970; undefined without orders. */
  readonly newest: number | undefined;
}

/**
 * Finished orders from before that time with personal data, and the positions of their lines in the chain of history.
 * The whole chain is checked first, so that a broken chain doesn't also become unreadable. Orders of a submitted batch
 * are redacted with it: until nothing of it is open they stay, and are counted.
 * @throws {Failure} mismatch | setup
 */
export async function findRedactable(
  journal: Pick<Journal, "list" | "history" | "submitted">,
  before: number,
): Promise<Redactable> {
  const submitted = await journal.submitted(before);
  const batches = new Map<string, ChainPlace[]>();
  for (const [id, standing] of submitted) if (standing === "over") batches.set(id, []);
  const open = [...submitted.values()].filter((standing) => standing === "open").length;
  let kept = 0;
  let newest: number | undefined;
  const finished = new Map<string, { readonly lines: ChainPlace[]; isOpen: boolean; wasRedacted: boolean }>();
  for await (const { id, state, openedAt, settledAt, batch } of journal.list({})) {
    newest = Math.max(newest ?? openedAt, openedAt);
    if (!isFinal(state) || settledAt === null || settledAt >= before) continue;
    const standing = batch === null ? undefined : submitted.get(batch.id);
    if (standing === "open" || standing === "young") kept += 1;
    else finished.set(id, { lines: [], isOpen: false, wasRedacted: false });
  }
  if (finished.size === 0 && batches.size === 0) return { orders: [], batches: [], open, kept, newest };
  const chain = newChain();
  for await (const line of journal.history()) {
    const previous = chain.head;
    const isArchived = chainedRow(line, chain) === undefined;
    if (line.kind === "batch") batches.get(line.id)?.push({ number: line.number, previous, hash: chain.head });
    const order = finished.get(line.id);
    if (order === undefined) continue;
    if (isArchived) order.wasRedacted ||= line.event.step === "redact";
    if (isArchived) continue;
    order.lines.push({ number: line.number, previous, hash: chain.head });
    const isOfOrder = line.event.step !== "redact" && !(line.event.step === "archive" && order.wasRedacted);
    order.isOpen ||= line.hash === null && isOfOrder;
  }
  if (chain.redacted.changed !== undefined) throw changedLine(chain.redacted.changed);
  const orders = [...finished].flatMap(([id, { lines, isOpen }]) => (isOpen ? [{ id, lines }] : []));
  return { orders, batches: [...batches].map(([id, lines]) => ({ id, lines })), open, kept, newest };
}
