import type { Rows } from "../../contract/endpoint.ts";
import type { LedgerAccount } from "../ledger.ts";
import { encodeRow } from "../stored-row.ts";
import type { HeldRow } from "../writer.ts";
import { PieceMerge } from "./piece-merge.ts";
import { surveyOf } from "./piece-survey.ts";
import type { Piece, SyncContext } from "./service.ts";

/** Compares the rows of days that the ledger has in part, and stores what is new or has changed. */
export async function mergePiece(context: SyncContext, piece: Piece): Promise<LedgerAccount> {
  const { writer, service } = context;
  const { account, period } = piece;
  const rows = await service.read(period);
  const days = { startDay: period.startDate.toString(), endDay: period.endDate.toString() };
  const pages = writer.heldPages(account, { ...days, isBackwards: account.isNewestFirst });
  if (await isUnchanged(rows, pages, piece)) return account;
  const survey = await surveyOf(rows, account, days);
  const { isNewestFirst } = survey;
  const ordered = isNewestFirst === account.isNewestFirst ? account : await writer.setOrder(account, isNewestFirst);
  const merge = new PieceMerge(context, { ...piece, account: ordered }, survey);
  await merge.store(rows);
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
