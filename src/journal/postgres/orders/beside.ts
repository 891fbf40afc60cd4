import type { Statement } from "../../../host/databases/postgres.ts";
import type { StatementProof } from "../../movement.ts";
import type { KeyRow } from "../../movement-row.ts";
import type { Spending, CurrencySums } from "../../spending.ts";
import { addSums, noSums } from "../../spending.ts";
import type { SqlPart } from "./numbered.ts";
import { numberOr } from "./numbered.ts";

/** What is written beside an order and its history. Rows that many orders may share are written only in the turn. */

export function putKeys(movement: number, { like, near, standing, batch }: KeyRow): SqlPart {
  return (place) => `INSERT INTO partner.order_keys (movement, like_key, near_key, standing, batch)
  VALUES (${[numberOr(place(movement)), place(like), place(near), place(standing), place(batch)].join(", ")})
  ON CONFLICT (movement) DO UPDATE SET like_key = excluded.like_key,
    near_key = excluded.near_key, standing = excluded.standing, batch = excluded.batch`;
}

export function putStanding(movement: number, standing: KeyRow["standing"]): SqlPart {
  return (place) =>
    `UPDATE partner.order_keys SET standing = ${place(standing)} WHERE movement = ${place(movement)}::bigint`;
}

export function addProof(movement: number, { key, row }: StatementProof): SqlPart {
  return (place) => `INSERT INTO partner.proofs (row_key, movement, "row")
  VALUES (${place(key)}, ${place(movement)}, ${place(row)}) ON CONFLICT DO NOTHING`;
}

/** A sum of what left an account on a day. */
interface DaySum extends Omit<Spending, "sums"> {
  readonly currency: string;
  readonly amount: string;
}

/** Each sum once, as a statement can change a row only once. */
export function sumsOf(spendings: readonly Spending[]): DaySum[] {
  const days = Map.groupBy(spendings, ({ scope, day }) => JSON.stringify([day, scope]));
  return [...days.values()].flatMap((same) => {
    const [{ scope, day } = { scope: "", day: "" }] = same;
    const sums = same.reduce<CurrencySums>((all, { sums: more }) => addSums(all, more), noSums);
    return [...sums].map(([currency, amount]) => ({ scope, day, currency, amount: amount.toString() }));
  });
}

export function addSpending({ scope, day, currency, amount }: DaySum): SqlPart {
  return (place) => addSpendingSql([place(scope), place(day), place(currency), place(amount)]);
}

/** Adds to what left an account on a day. */
export function spendingStatements(spending: Spending): Statement[] {
  return sumsOf([spending]).map(({ scope, day, currency, amount }) => ({
    text: addSpendingSql(["$1", "$2", "$3", "$4"]),
    values: [scope, day, currency, amount],
  }));
}

function addSpendingSql(values: readonly string[]): string {
  return `INSERT INTO partner.spendings AS s (scope, day, currency, amount) VALUES (${values.join(", ")}::numeric)
  ON CONFLICT (scope, day, currency) DO UPDATE SET amount = s.amount + excluded.amount`;
}
