import { amountOf } from "../values/amount.ts";
import type { Decimal } from "../values/decimal.ts";
import type { Field } from "../values/field.ts";
import { Numeral } from "../values/json.ts";
import { textOf, valueIn } from "./cell.ts";
import type { SortKey } from "./options.ts";
import type { Row } from "./report.ts";

/** What a row is sorted by under one key: a number, a text, or nothing. */
type Rank = Decimal | string | undefined;

/** The order that `--sort` asks for. */
export interface RowOrder {
  ranksOf(row: Row): readonly Rank[];
  compare(left: readonly Rank[], right: readonly Rank[]): number;
  /** Rows that are equal stay in the order in which they came. */
  sort(rows: readonly Row[]): Row[];
}

/**
 * Numbers are compared exactly and come before texts; texts are compared by code point, the same on every machine; rows
 * without a value come last, also when descending.
 */
export function orderBy(keys: readonly SortKey[], fields: ReadonlyMap<string, Field>): RowOrder {
  const order: RowOrder = {
    ranksOf: (row) => keys.map((key) => rankOf(row, key.name, fields)),
    compare(left, right) {
      let difference = 0;
      for (let at = 0; at < keys.length && difference === 0; at++) {
        difference = compareRanks(left[at], right[at], keys[at]?.descending === true);
      }
      return difference;
    },
    sort(rows) {
      const ranked = rows.map((row) => ({ row, ranks: order.ranksOf(row) }));
      ranked.sort((left, right) => order.compare(left.ranks, right.ranks));
      return ranked.map(({ row }) => row);
    },
  };
  return order;
}

function rankOf(row: Row, name: string, fields: ReadonlyMap<string, Field>): Rank {
  const value = valueIn(row, name);
  if (value === undefined || value === null || value === "") return undefined;
  const kind = fields.get(name)?.kind;
  const isNumber = kind === "amount" || kind === "count" || value instanceof Numeral;
  return (isNumber ? amountOf(value) : undefined) ?? textOf(value);
}

function compareRanks(left: Rank, right: Rank, descending: boolean): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  const order = compareValues(left, right);
  return descending ? -order : order;
}

function compareValues(left: Decimal | string, right: Decimal | string): number {
  if (typeof left === "string") return typeof right === "string" ? compareTexts(left, right) : 1;
  return typeof right === "string" ? -1 : left.compare(right);
}

/** By code point. Plain `<` compares halves of pairs, which puts an emoji before some letters that come before it. */
function compareTexts(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return aboveBasicPlane(a) - aboveBasicPlane(b) || a - b;
  }
  return left.length - right.length;
}

function aboveBasicPlane(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? 1 : 0;
}
