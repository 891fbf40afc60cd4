import { amountOf } from "../../values/money/amount.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { Field } from "../../values/field.ts";
import { Numeral } from "../../values/json.ts";
import { textOf, valueIn } from "../cell.ts";
import type { SortKey } from "../options.ts";
import type { Row } from "../report.ts";

/** A row's value for one sort key: a number (a double where that is exact), a text, or nothing. */
type Rank = number | Decimal | string | undefined;

/** A row's values for all sort keys. */
export type Ranks = readonly Rank[];

/** Below this, every whole number has its own double. */
const doubleMaxUnits = 10n ** 15n;
/** Powers of ten up to this one are exact doubles: dividing by them rounds once, to the nearest double. */
const doubleMaxScale = 22;

/** The order of `--sort`. Equal rows stay in the order in which they came. */
export interface SortOrder {
  ranksOf(row: Row): Ranks;
  compare(left: Ranks, right: Ranks): number;
  /** The indexes of the rows in sorted order. */
  placesOf(ranks: readonly Ranks[]): number[];
  sort(rows: readonly Row[]): Row[];
}

/**
 * Numbers are compared exactly and come before texts; texts are compared by code point, the same on every machine; rows
 * without a value come last, also when descending.
 */
export function orderBy(keys: readonly SortKey[], fields: ReadonlyMap<string, Field>): SortOrder {
  const order: SortOrder = {
    ranksOf: (row) => keys.map((key) => rankOf(row, key.name, fields)),
    compare(left, right) {
      let difference = 0;
      for (let at = 0; at < keys.length && difference === 0; at++) {
        difference = compareRanks(left[at], right[at], keys[at]?.descending === true);
      }
      return difference;
    },
    placesOf: (ranks) => [...ranks.keys()].sort((left, right) => order.compare(ranks[left] ?? [], ranks[right] ?? [])),
    sort: (rows) => order.placesOf(rows.map((row) => order.ranksOf(row))).map((at) => rows[at] ?? {}),
  };
  return order;
}

function rankOf(row: Row, name: string, fields: ReadonlyMap<string, Field>): Rank {
  const value = valueIn(row, name);
  if (value === undefined || value === null || value === "") return undefined;
  const kind = fields.get(name)?.kind;
  const isNumber = kind === "amount" || kind === "count" || value instanceof Numeral;
  const amount = isNumber ? amountOf(value) : undefined;
  return amount ? rankOfAmount(amount) : textOf(value);
}

function rankOfAmount(amount: Decimal): number | Decimal {
  const { units, scale } = amount;
  const isExact = units < doubleMaxUnits && units > -doubleMaxUnits && scale <= doubleMaxScale;
  return isExact ? Number(units) / 10 ** scale : amount;
}

function compareRanks(left: Rank, right: Rank, descending: boolean): number {
  if (left === undefined || right === undefined) return Number(left === undefined) - Number(right === undefined);
  const order = compareValues(left, right);
  return descending ? -order : order;
}

function compareValues(left: number | Decimal | string, right: number | Decimal | string): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string") return typeof right === "string" ? compareTexts(left, right) : 1;
  return typeof right === "string" ? -1 : exact(left).compare(exact(right));
}

/** The decimal number behind a double rank. */
function exact(rank: number | Decimal): Decimal {
  return typeof rank === "number" ? (Decimal.parseJson(String(rank)) ?? Decimal.zero) : rank;
}

/** By code point. Plain `<` compares UTF-16 units, which would put an emoji before characters such as U+FF01. */
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
