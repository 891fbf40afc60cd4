import type { Period } from "../../values/time/period.ts";
import { monthsOf } from "../../values/time/period.ts";
import type { LedgerAccount } from "../ledger.ts";
import { appendPiece, isTooLarge } from "./append-piece.ts";
import { mergePiece } from "./merge-piece.ts";
import type { Piece, SyncContext } from "./service.ts";

/** The most days of one request. Longer periods are read month by month: a kill loses a month at most. */
const pieceMaxDays = 62;
/** How many rows are held while they are compared. */
const comparedMaxRows = 50_000;

/** The requests for a period: one for a short period, one a month for a longer one. */
export function piecesOf(period: Period): readonly Period[] {
  return period.startDate.daysUntil(period.endDate) < pieceMaxDays ? [period] : monthsOf(period);
}

/**
 * Reads days for the first time or again, and stores what is new: in one request, if memory and the longest answer
 * allow.
 * @throws {Failure} setup | refused | unavailable | interrupted
 */
export async function readPiece(context: SyncContext, piece: Piece): Promise<LedgerAccount> {
  const { account, period } = piece;
  const { startDate, endDate } = period;
  const count = await context.writer.countHeld(account, startDate.toString(), endDate.toString());
  const isNew = count === 0 && !wasRead(account, period);
  const isOneDay = startDate.compare(endDate) === 0;
  if (isNew || isOneDay || count <= comparedMaxRows)
    try {
      return await (isNew ? appendPiece : mergePiece)(context, piece);
    } catch (error) {
      if (isOneDay || !isTooLarge(error)) throw error;
    }
  const middle = startDate.addDays(Math.floor(startDate.daysUntil(endDate) / 2));
  const half = await readPiece(context, { ...piece, period: { startDate, endDate: middle } });
  return readPiece(context, { ...piece, account: half, period: { startDate: middle.addDays(1), endDate } });
}

/** True where some days of the period were read before: their new rows count as late, so they have to be merged. */
function wasRead({ firstDay, lastDay }: LedgerAccount, { startDate, endDate }: Period): boolean {
  if (firstDay === null || lastDay === null) return false;
  return endDate.toString() >= firstDay && startDate.toString() <= lastDay;
}
