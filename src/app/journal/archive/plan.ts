import type { Journal } from "../../../journal/journal.ts";
import { chainStart } from "../../../journal/history/chain-line.ts";
import type { ChainEnd } from "../../../movements/audit-trail.ts";
import { chainedRow, changedLine, newChain } from "../../../movements/audit-trail.ts";

/** The content of an archive: consecutive lines of history, and the orders that are over with them. */
export interface ArchivePlan {
  /** No line of these orders is from that time or later. */
  readonly before: number;
  /** The hashes of each order's lines, the oldest first. */
  readonly orders: ReadonlyMap<string, readonly string[]>;
  /** The line before the first one: the last that is in an earlier archive. */
  readonly begin: ChainEnd;
  /** The last line. */
  readonly end: ChainEnd;
}

/** Finds the orders that are over, and the range of history that has all of their lines. */
export async function planArchive(journal: Journal, before: number): Promise<ArchivePlan> {
  const orders = new Map<string, string[]>();
  for await (const { id } of journal.archivable(before)) orders.set(id, []);
  const chain = newChain();
  let begin: ChainEnd = { count: 0, head: chainStart };
  let end = begin;
  if (orders.size === 0) return { before, orders, begin, end };
  // A redacted line is explained by a later one, which belongs in the same file.
  let isExplained = true;
  for await (const line of journal.history()) {
    const isArchived = chainedRow(line, chain) === undefined;
    const here = { count: chain.count, head: chain.head };
    const hashes = orders.get(line.id);
    if (isArchived) begin = here;
    else hashes?.push(chain.head);
    if (isArchived || hashes !== undefined || !isExplained) end = here;
    isExplained = end !== here || chain.redacted.changed === undefined;
    // The order has changed since it was looked up.
    if (!isArchived && line.event.at >= before && !["redact", "prove"].includes(line.event.step))
      orders.delete(line.id);
  }
  if (chain.redacted.changed !== undefined) throw changedLine(chain.redacted.changed);
  // Another run has archived the order since it was looked up.
  for (const [id, hashes] of orders) if (hashes.length === 0) orders.delete(id);
  return { before, orders, begin, end };
}
