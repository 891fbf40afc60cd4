import type { Decimal } from "../values/money/decimal.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import { mentionsId } from "./tie.ts";
import type { ExpectedRow } from "./expected-row.ts";

/** What reversed a row, and what may have. */
export interface TakenBack {
  /** Rows of the same amount the other way that carry or name the reference or an id, beyond doubt. */
  readonly sure: readonly StatementRow[];
  /** Rows that look like that but could be something else: even one of them leaves the order undecided. */
  readonly doubtful: readonly StatementRow[];
}

export interface Surroundings {
  /** All rows that could matter to the order, each once. */
  readonly rows: readonly StatementRow[];
  /** True for a row that belongs to another order, or has proved one. */
  readonly isOthers: (row: StatementRow) => boolean;
  /** True for an id shared with another order that such a row could belong to. */
  readonly isShared: (id: string) => boolean;
}

/** Finds the reversal of the order's row, among all later rows. */
export function takenBack(expected: ExpectedRow, paid: StatementRow, around: Surroundings): TakenBack {
  const { change } = paid;
  if (change === undefined) return { sure: [], doubtful: [] };
  const opposite = change.negate();
  const [sure, doubtful]: [StatementRow[], StatementRow[]] = [[], []];
  for (const row of around.rows) {
    if (row === paid || row.accountNo !== paid.accountNo || !isOf(opposite, row)) continue;
    const ids = [...expected.ids, paid.tranRefNo].filter((id) => isNamedIn(row, id));
    if (ids.length > 0 && isSure(row, paid, around) && ids.some((id) => isOwn(id, expected, paid, around)))
      sure.push(row);
    else if (ids.length > 0 || (isSuspect(row, expected) && !around.isOthers(row))) doubtful.push(row);
  }
  return { sure, doubtful };
}

function isOf(amount: Decimal, { change }: StatementRow): boolean {
  return change?.equals(amount) === true;
}

function isNamedIn({ tranRefNo, narration }: StatementRow, id: string): boolean {
  return mentionsId(tranRefNo, id) || mentionsId(narration, id);
}

/**
 * True for a row booked unambiguously, not before what it reverses, not another order's, and not a fee: a fee can
 * come back alone.
 */
function isSure(row: StatementRow, paid: StatementRow, { isOthers }: Surroundings): boolean {
  const { side, mark, isOneSided, isFee, valueDay } = row;
  if (!isOneSided || isFee || isOthers(row) || mark === "other") return false;
  if (side !== undefined && mark !== "none" && mark !== side) return false;
  return valueDay !== undefined && paid.valueDay !== undefined && valueDay.compare(paid.valueDay) >= 0;
}

/**
 * True for an id that only this order or only its row has: a row with a shared id could reverse any of the others.
 */
function isOwn(id: string, { ids }: ExpectedRow, paid: StatementRow, { rows, isShared }: Surroundings): boolean {
  if (ids.has(id)) return !isShared(id);
  const twins = rows.filter((row) => row.tranRefNo === id && row.change?.equals(paid.change ?? row.change) === true);
  return twins.length === 1;
}

/** True for the same narration the other way, or the reference in other case or with text around it. */
function isSuspect({ tranRefNo, narration }: StatementRow, { ids, sent }: ExpectedRow): boolean {
  if (sent !== "" && narration === sent) return true;
  const [reference, text] = [tranRefNo.toLowerCase(), narration.toLowerCase()];
  return [...ids].some((each) => {
    const id = each.toLowerCase();
    return mentionsId(reference, id) || mentionsId(text, id) || containsId(reference, id) || containsId(text, id);
  });
}

/** True for V2 in `RTN-V2`, `V2/R` and `V2R`, but not in V21. */
function containsId(text: string, id: string): boolean {
  for (let at = id === "" ? -1 : text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + id.length)];
    if (!continues(before.at(-1), id[0]) && !continues(after[0], id.at(-1))) return true;
  }
  return false;
}

/** True for two letters, or two digits. */
function continues(one = "", other = ""): boolean {
  return (/\p{L}/u.test(one) && /\p{L}/u.test(other)) || (/\p{N}/u.test(one) && /\p{N}/u.test(other));
}
