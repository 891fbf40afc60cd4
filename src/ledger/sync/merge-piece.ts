import type { Rows } from "../../contract/endpoint.ts";
import { oldestFirst } from "../../statements/formats/statement-lines.ts";
import type { JsonObject } from "../../values/json.ts";
import type { LedgerAccount } from "../ledger.ts";
import { align, hashOf } from "../merge/alignment.ts";
import type { Merged } from "../merge/merge.ts";
import { mergeRows } from "../merge/merge.ts";
import { identityOf } from "../row-facts.ts";
import { decodeRow, encodeRow } from "../stored-row.ts";
import type { Bounds } from "../places.ts";
import { stepFor } from "../places.ts";
import type { Appender, HeldRow, LedgerWriter } from "../writer.ts";
import { freeRange } from "./append-piece.ts";
import { RowOrder } from "./row-order.ts";
import type { Piece, SyncContext } from "./service.ts";

/** How many rows after the last known one are compared with the ledger; later ones are simply new. */
const tailRows = 10_000;
/** No row has a later day. */
const lastDay = "9999-12-31";

/** Compares the rows of days that the ledger has in part, and stores what is new or has changed. */
export async function mergePiece(
  context: SyncContext,
  { account, period, pass, isOpen }: Piece,
): Promise<LedgerAccount> {
  const { writer, service, files, seenAt } = context;
  const [startDay, endDay] = [period.startDate.toString(), period.endDate.toString()];
  const rows = await service.read(period);
  const isBackwards = account.isNewestFirst;
  const pages = writer.heldPages(account, { startDay, endDay, isBackwards });
  if (await isUnchanged(rows, pages, { pass, isOpen })) return account;
  const order = new RowOrder(account.kind);
  const hashes: number[] = [];
  let undated: number[] = [];
  let [first, last] = [startDay, endDay];
  for await (const batch of rows)
    for (const row of batch) {
      const { day } = order.look(row);
      if (day !== "" && day < first) first = day;
      if (day > last) last = day;
      if (day === "") undated.push(hashes.length);
      hashes.push(hashOf(identityOf(row, account.kind)));
    }
  const isNewestFirst = order.isNewestFirst ?? account.isNewestFirst;
  const ordered = isNewestFirst === account.isNewestFirst ? account : await writer.setOrder(account, isNewestFirst);
  if (isNewestFirst) hashes.reverse();
  if (isNewestFirst) undated = undated.map((index) => hashes.length - 1 - index);
  let held = await writer.held(ordered, first, last);
  const matches = align(
    held.map(({ raw }) => hashOf(identityOf(decodeRow(raw), account.kind))),
    hashes,
  );
  const whole = Math.min(hashes.length, lastMatched(matches) + 1 + held.length + tailRows);
  const incoming: JsonObject[] = [];
  const merge = async () => {
    const readings = {
      kind: account.kind,
      held,
      incoming,
      matches: [...matches.subarray(0, whole)],
      startDay,
      endDay,
      live: held.some(({ day }) => day === "") ? (context.listed ?? (await service.balances())[0]) : undefined,
      since: pass.since.toString(),
      shown: pass.shown,
      read: readDays(account),
    };
    let edits: Merged | undefined;
    for (let attempt = 0; edits === undefined; attempt += 1) {
      if (attempt > 1) throw new Error("rows find no room between others");
      if (attempt > 0) {
        await spread(writer, ordered, incoming.length);
        pass.shown.clear();
        held = await writer.held(ordered, first, last);
      }
      const bounds = await boundsOf(context, ordered, { held, startDay });
      const [before, after] = [await rowAt(writer, bounds.before), await rowAt(writer, bounds.after)];
      const taken = await writer.takenBetween(ordered, bounds);
      edits = mergeRows({ ...readings, held, bounds, before, after, taken });
    }
    await writer.apply(ordered, edits, seenAt);
    for (const { number } of edits.moves) pass.shown.delete(number);
    for (const index of undated) if (index < whole) pass.shown.add(edits.places[index] ?? 0);
  };
  const rangeBehind = async () => {
    held = await writer.held(ordered, first, last);
    const bounds = await boundsOf(context, ordered, { held, startDay });
    const before = held.findLast(({ day }) => day !== "")?.number ?? bounds.before;
    return freeRange(writer, ordered, { ...bounds, before });
  };
  let tail: Appender | undefined;
  try {
    for await (const batch of oldestFirst(rows, { newestFirst: isNewestFirst, files })) {
      const early = batch.slice(0, Math.max(0, whole - incoming.length));
      incoming.push(...early);
      if (early.length === batch.length) continue;
      if (tail === undefined) {
        await merge();
        // What was merged is stored by now: the rest follows it.
        const rest = hashes.length - whole;
        let range = await rangeBehind();
        if (range.before !== undefined && range.before - range.after <= rest) {
          await spread(writer, ordered, rest);
          pass.shown.clear();
          range = await rangeBehind();
        }
        tail = writer.appender(ordered, range, seenAt);
      }
      await tail.add(batch.slice(early.length));
    }
    if (tail === undefined) await merge();
    await tail?.end();
  } finally {
    await tail?.drop();
  }
  return ordered;
}

/**
 * True where every row is as it was, and none is new: most syncs find nothing else. Where balances don't follow, rows
 * without a value date may have to move, so the reading has none.
 */
async function isUnchanged(
  rows: Rows,
  held: AsyncIterable<readonly HeldRow[]>,
  { pass, isOpen }: Pick<Piece, "pass" | "isOpen">,
): Promise<boolean> {
  const pages = held[Symbol.asyncIterator]();
  const undated: number[] = [];
  let [page, at]: [readonly HeldRow[], number] = [[], 0];
  try {
    for await (const batch of rows)
      for (const row of batch) {
        if (at === page.length) {
          const next = await pages.next();
          [page, at] = [next.done === true ? [] : next.value, 0];
        }
        const known = page[at];
        if (known?.raw !== encodeRow(row) || (isOpen && known.day === "")) return false;
        if (known.day === "") undated.push(known.number);
        at += 1;
      }
    if (at < page.length || (await pages.next()).done !== true) return false;
    for (const place of undated) pass.shown.add(place);
    return true;
  } finally {
    await pages.return?.();
  }
}

/** Moves all rows of the account, so that as many others fit between any two. */
async function spread(writer: LedgerWriter, account: LedgerAccount, rows: number): Promise<void> {
  await writer.spread(account, stepFor(rows, await writer.countHeld(account, "", lastDay)));
}

async function rowAt(writer: LedgerWriter, place: number | undefined): Promise<HeldRow | undefined> {
  return place === undefined ? undefined : writer.rowAt(place);
}

function readDays({ firstDay, lastDay }: LedgerAccount) {
  return firstDay === null || lastDay === null ? null : { firstDay, lastDay };
}

/** The bounds of the days that were read: rows without a day can be of any. */
function boundsOf(
  { writer }: SyncContext,
  account: LedgerAccount,
  { held, startDay }: { readonly held: readonly HeldRow[]; readonly startDay: string },
): Promise<Bounds> {
  const dated = held.filter(({ day }) => day !== "");
  return writer.around(account, { startDay, first: dated[0]?.number, last: dated.at(-1)?.number });
}

function lastMatched(matches: Int32Array): number {
  let index = matches.length - 1;
  while (index >= 0 && matches[index] === -1) index -= 1;
  return index;
}
