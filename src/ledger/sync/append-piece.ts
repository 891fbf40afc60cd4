import { WireError } from "../../host/http/transport.ts";
import type { Rows } from "../../contract/endpoint.ts";
import { oldestFirst } from "../../statements/formats/statement-lines.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject } from "../../values/json.ts";
import type { LedgerAccount } from "../ledger.ts";
import type { Bounds, PlaceRange } from "../places.ts";
import { placeStep } from "../places.ts";
import { RowOrder } from "./row-order.ts";
import type { LedgerWriter } from "../writer.ts";
import type { Piece, SyncContext } from "./service.ts";

/** How many rows are needed to know their order. */
const orderRows = 200;
/** Room for rows before the held ones: more than any account has. */
const roomRows = 2 ** 26;
const roomStep = 2 ** 3;

/** Thrown where a streamed answer turns out to be newest first: it has to be read whole and reversed. */
class NewestFirst extends Error {}

/**
 * Stores the rows of days that the ledger doesn't have, while they arrive. An answer that breaks off is rolled back. A
 * process that is killed leaves rows behind; the next sync compares them.
 */
export async function appendPiece(context: SyncContext, { account, period }: Piece): Promise<LedgerAccount> {
  const { service, writer, seenAt } = context;
  const startDay = period.startDate.toString();
  const range = await freeRange(writer, account, await writer.around(account, { startDay }));
  const takeBack = () => writer.takeBack(account, { period, ...range }, seenAt);
  let attempts = 0;
  if (!account.isNewestFirst)
    try {
      await service.stream(period, async (rows) => {
        if (attempts++ > 0) await takeBack();
        await appendRows(context, { account, range }, watched(rows, account));
      });
      return account;
    } catch (error) {
      if (isTooLarge(error)) await takeBack();
      if (!(error instanceof NewestFirst)) throw error;
      await takeBack();
    }
  const rows = await service.read(period);
  const isNewestFirst = await newestFirst(rows, account);
  const ordered = await writer.setOrder(account, isNewestFirst);
  await appendRows(context, { account: ordered, range }, oldestFirst(rows, { newestFirst: isNewestFirst, ...context }));
  return ordered;
}

/** True where the service has more rows of the period than one answer may bring. */
export function isTooLarge(error: unknown): boolean {
  return error instanceof Failure && error.cause instanceof WireError && error.cause.kind === "too large";
}

/** True where rows come newest first. Rows too few to show their order are in the account's order. */
export async function newestFirst(rows: Rows, account: LedgerAccount): Promise<boolean> {
  const order = new RowOrder(account.kind);
  for await (const batch of rows) for (const row of batch) order.look(row);
  return order.isNewestFirst ?? account.isNewestFirst;
}

/**
 * The same rows, if they come oldest first.
 * @throws {NewestFirst} before any row, otherwise
 */
async function* watched(rows: Rows, { kind }: LedgerAccount): AsyncGenerator<readonly JsonObject[]> {
  const order = new RowOrder(kind);
  let [seen, held]: [number, JsonObject[]] = [0, []];
  for await (const batch of rows) {
    if (seen >= orderRows) {
      yield batch;
      continue;
    }
    for (const row of batch) order.look(row);
    seen += batch.length;
    held = [...held, ...batch];
    if (seen < orderRows) continue;
    if (order.isNewestFirst === true) throw new NewestFirst();
    yield held;
  }
  if (seen >= orderRows) return;
  if (order.isNewestFirst === true) throw new NewestFirst();
  yield held;
}

/** Stores rows that come oldest first. */
async function appendRows(
  { writer, seenAt }: SyncContext,
  { account, range }: { readonly account: LedgerAccount; readonly range: PlaceRange },
  rows: Rows,
): Promise<void> {
  const appender = writer.appender(account, range, seenAt);
  try {
    for await (const batch of rows) await appender.add(batch);
    await appender.end();
  } finally {
    await appender.drop();
  }
}

/**
 * A range for an unknown number of rows: after all rows within the bounds, also deleted ones, which keep their places;
 * before them where the ledger has no earlier days.
 */
export async function freeRange(writer: LedgerWriter, account: LedgerAccount, bounds: Bounds): Promise<PlaceRange> {
  let { before, after } = bounds;
  for (const place of await writer.takenBetween(account, bounds))
    if (before === undefined && after !== undefined) after = Math.min(after, place);
    else before = Math.max(before ?? place, place);
  return rangeBetween({ ...bounds, before, after });
}

function rangeBetween({ before, after: end, origin }: Bounds): PlaceRange {
  if (end === undefined) return { after: before ?? origin, before: end, step: placeStep };
  if (before === undefined) return { after: end - roomRows * roomStep, before: end, step: roomStep };
  const step = Math.max(1, Math.min(placeStep, Math.floor((end - before) / roomRows)));
  return { after: before, before: end, step };
}
