import type { JsonObject } from "../../values/json.ts";
import type { Fault } from "../fault.ts";
import { withOneMore } from "./rows.ts";

/** A statement's rows as they are served under a fault. The books are unchanged. */
export function shownStatement({ name, count }: Fault, rows: readonly JsonObject[]): readonly JsonObject[] {
  if (name === "empty-statement") return [];
  if (name === "short-statement") return rows.slice(0, count);
  if (name === "double-statement") return rows.flatMap((row) => [row, row]);
  if (name === "wrong-statement") return rows.map(withOneMore);
  return name === "reorder-statement" ? rows.toReversed() : rows;
}
