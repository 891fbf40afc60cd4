import { accountsLike, namesOfAccount } from "../account-name.ts";
import type { Around, AskedOrder, SeenRow } from "../journal.ts";
import type { Movement } from "../movement.ts";
import type { OrderKeys } from "./order-keys.ts";
import { keysOf, likeKeysOf, nearForm } from "./order-keys.ts";
import type { MovementRow } from "../history/row.ts";
import { textColumn } from "../history/row.ts";

/** How many orders that could be the same payment are read, the newest first; of each batch, as many. */
export const aroundMaxRows = 20;

export const nothingAround: Around = { near: [], like: [], seen: [], accounts: [] };

/** An order, with the keys by which others around it are looked up. */
export interface AskedKeys extends AskedOrder, Pick<OrderKeys, "near"> {
  /** What orders like it may be stored under. */
  readonly likes: readonly string[];
  /** Its reference without differences of spelling. */
  readonly form: string;
}

/** The rows of a journal with such keys, of any account. */
export interface AroundRows {
  /** Every account that it knows. */
  readonly accounts: readonly string[];
  readonly near: ReadonlyMap<string, readonly MovementRow[]>;
  readonly like: ReadonlyMap<string, readonly MovementRow[]>;
  readonly seen: ReadonlyMap<string, readonly SeenRow[]>;
}

export function askedKeys(scope: string, orders: readonly AskedOrder[]): AskedKeys[] {
  return orders.map((order) => ({
    ...order,
    near: keysOf({ ...order, scope }, order.request).near,
    likes: likeKeysOf({ ...order, scope }, order.request),
    form: nearForm(order.reference),
  }));
}

/** For each order, the rows of its own account that are not the order itself; the newest first. */
export function aroundEach(
  scope: string,
  asked: readonly AskedKeys[],
  { accounts, near, like, seen }: AroundRows,
  show: (row: MovementRow) => Movement,
): Around[] {
  const names = namesOfAccount(scope, accounts);
  const slips = accountsLike(scope, accounts);
  // Many orders of a batch share a key, whose rows are read once.
  const shown = new Map<readonly MovementRow[], readonly Movement[]>();
  const showAll = (rows: readonly MovementRow[]): readonly Movement[] => {
    const own = rows.filter((row) => names.includes(row.scope));
    return own.toSorted((one, other) => other.number - one.number).map((row) => show(row));
  };
  return asked.map(({ kind, reference, ...keys }) => {
    const others = (rows: readonly MovementRow[] = []) => {
      const all = shown.get(rows) ?? showAll(rows);
      shown.set(rows, all);
      return all.filter((other) => !(other.kind === kind && other.reference === reference));
    };
    return {
      near: others(near.get(keys.near)),
      like: keys.likes.flatMap((key) => others(like.get(key))),
      seen: (seen.get(keys.form) ?? []).filter((row) => names.includes(row.scope)),
      accounts: slips,
    };
  });
}

/** @throws {DamageError} */
export function seenOf(record: unknown): SeenRow {
  return {
    scope: textColumn(record, "scope"),
    accountNo: textColumn(record, "account_no"),
    reference: textColumn(record, "reference"),
    key: textColumn(record, "row_key"),
    row: textColumn(record, "row"),
  };
}
