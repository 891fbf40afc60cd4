import type { Decimal } from "../values/money/decimal.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import { names } from "./tie.ts";
import type { Trial } from "./trial.ts";

/** What took a row back, and what may have. */
export interface TakenBack {
  /** Rows of the same amount the other way that carry or name the reference or an id, beyond doubt. */
  readonly sure: readonly StatementRow[];
  /** Rows that look like it and could be something else: with one of them nothing is decided. */
  readonly doubtful: readonly StatementRow[];
}

export interface Surroundings {
  /** All rows that could matter to the order, each once. */
  readonly rows: readonly StatementRow[];
  /** True for a row that belongs to another order, or has proved one. */
  readonly isOthers: (row: StatementRow) => boolean;
  /** True for an id that another order, which such a row could be of, has as well. */
  readonly isShared: (id: string) => boolean;
}

/** Finds the reversal of the order's row, among all later rows. */
export function takenBack(trial: Trial, paid: StatementRow, around: Surroundings): TakenBack {
  const { change } = paid;
  if (change === undefined) return { sure: [], doubtful: [] };
  const opposite = change.negate();
  const [sure, doubtful]: [StatementRow[], StatementRow[]] = [[], []];
  for (const row of around.rows) {
    if (row === paid || row.accountNo !== paid.accountNo || !isOf(opposite, row)) continue;
    const ids = [...trial.ids, paid.tranRefNo].filter((id) => isNamedIn(row, id));
    if (ids.length > 0 && isSure(row, paid, around) && ids.some((id) => isOwn(id, trial, paid, around))) sure.push(row);
    else if (ids.length > 0 || (isSuspect(row, trial) && !around.isOthers(row))) doubtful.push(row);
  }
  return { sure, doubtful };
}

function isOf(amount: Decimal, { change }: StatementRow): boolean {
  return change?.equals(amount) === true;
}

function isNamedIn({ tranRefNo, narration }: StatementRow, id: string): boolean {
  return names(tranRefNo, id) || names(narration, id);
}

/** Booked plainly, not before what it takes back, by no other order, and no fee: a fee can come back alone. */
function isSure(row: StatementRow, paid: StatementRow, { isOthers }: Surroundings): boolean {
  const { side, mark, isOneSided, isFee, valueDay } = row;
  if (!isOneSided || isFee || isOthers(row) || mark === "other") return false;
  if (side !== undefined && mark !== "none" && mark !== side) return false;
  return valueDay !== undefined && paid.valueDay !== undefined && valueDay.compare(paid.valueDay) >= 0;
}

/** An id that is the order's, or the row's alone: what several rows have could take any of them back. */
function isOwn(id: string, { ids }: Trial, paid: StatementRow, { rows, isShared }: Surroundings): boolean {
  if (ids.has(id)) return !isShared(id);
  const twins = rows.filter((row) => row.tranRefNo === id && row.change?.equals(paid.change ?? row.change) === true);
  return twins.length === 1;
}

/** The same narration the other way, or the reference in other letters or with anything before or after it. */
function isSuspect({ tranRefNo, narration }: StatementRow, { ids, sent }: Trial): boolean {
  if (sent !== "" && narration === sent) return true;
  const [reference, text] = [tranRefNo.toLowerCase(), narration.toLowerCase()];
  return [...ids].some((each) => {
    const id = each.toLowerCase();
    return names(reference, id) || names(text, id) || holds(reference, id) || holds(text, id);
  });
}

/** True for `RTN-V2`, `V2/R` and `V2R`, which hold V2, and not for V21. */
function holds(text: string, id: string): boolean {
  for (let at = id === "" ? -1 : text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + id.length)];
    if (!goesOn(before.at(-1), id[0]) && !goesOn(after[0], id.at(-1))) return true;
  }
  return false;
}

/** True where two characters are of one word or of one number. */
function goesOn(one = "", other = ""): boolean {
  return (/\p{L}/u.test(one) && /\p{L}/u.test(other)) || (/\p{N}/u.test(one) && /\p{N}/u.test(other));
}
