import { describe } from "../../movements/batch/expectation.ts";
import type { BatchLook } from "../../movements/look/batch-look.ts";
import type { ReceiverSum } from "../../movements/look/changes.ts";
import { wordsOfChange } from "../../movements/look/changes.ts";
import type { DecodedRow } from "../../movements/look/decoded-row.ts";
import { wordsOfRow } from "../../movements/look/decoded-row.ts";
import { formatMoney } from "../../values/money/money.ts";
import { counted } from "../../values/text/counted.ts";
import { quote, visible } from "../../values/text/text.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import type { SubmittedReview } from "./review.ts";

/** The most lines of a list that need not be complete: batch show has all rows. */
const shownMaxRows = 20;

/**
 * What a person sees before deciding: the maker, the sums, the decisions so far, anything unusual, and the largest
 * orders.
 */
export function wordsOfReview(review: SubmittedReview): string {
  const { submitted, kept, look, decisions } = review;
  const { id, scope, submittedBy, submittedAt, standing } = submitted;
  const { tally, largest } = look;
  const lines = [
    `Batch ${id}: ${counted(tally.count, "row")}, ${describe(tally)}`,
    `  file       ${kept.file}`,
    `  account    ${scope}`,
    `  submitted  by ${submittedBy}, ${wallTime(submittedAt)}`,
    ...decisions.map(
      ({ decision, by, at, reason }) =>
        `  ${decision.padEnd(9)}  by ${by}, ${wallTime(at)}${reason === null ? "" : `: ${quote(reason)}`}`,
    ),
    ...(standing === undefined ? [] : [`  approvals  ${standing.given} of ${standing.needed}`]),
    ...review.rejections.map(
      ({ batch, by, at, reason }) =>
        `Rejected before, as batch ${batch}: by ${by}, ${wallTime(at)}: ${quote(reason ?? "")}`,
    ),
    ...unusual(review),
    `The largest:`,
    ...largest.map((row) => lineOf(row)),
    `All rows: partner batch show ${id}`,
  ];
  return lines.map((line) => `${visible(line)}\n`).join("");
}

/** Rows that look like payments made before; nothing where there are none. */
export function wordsOfRepeats(repeats: readonly string[]): readonly string[] {
  return titled(`Likely repeats (${repeats.length}):`, some(repeats.map((words) => `  ${words}`)));
}

/** Unusual rows. All are named, except for repeats and changes, of which only the first are. */
function unusual({ look, rows, fresh, moved, repeats, changes }: SubmittedReview): string[] {
  const unfit = rows.flatMap(({ line, rateWarning }) =>
    rateWarning === undefined ? [] : [`  line ${line}: ${rateWarning}`],
  );
  const lines = [
    ...titled(
      `Never paid before (${fresh.length}):`,
      fresh.map((row) => lineOfPayee(row, look)),
    ),
    ...titled(
      `Known names with a new account (${moved.length}):`,
      moved.map((row) => lineOfPayee(row, look)),
    ),
    ...titled(`Amounts that do not fit their rate (${unfit.length}):`, unfit),
    ...wordsOfRepeats(repeats),
  ];
  if (changes === undefined) return [...lines, "It is the maker's first batch."];
  if ("unread" in changes)
    return [
      ...lines,
      `The maker's previous batch, ${changes.unread}, was redacted or cannot be read: this one is compared with none.`,
    ];
  const { id, added, gone, changed } = changes;
  const differs = [
    ...added.map((sum) => `  new      ${wordsOfReceiver(sum)}`),
    ...gone.map((sum) => `  gone     ${wordsOfReceiver(sum)}`),
    ...changed.map((change) => `  changed  ${wordsOfRow(change.row)}: ${wordsOfChange(change)}`),
  ];
  return [
    ...lines,
    `Compared with the maker's previous batch, ${id}: ${added.length} new, ${gone.length} gone, ${changed.length} with another sum.`,
    ...some(differs),
  ];
}

/** The first lines, and how many more there are. */
function some(lines: readonly string[]): readonly string[] {
  const more = lines.length - shownMaxRows;
  return more > 0 ? [...lines.slice(0, shownMaxRows), `  and ${more} more`] : lines;
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function lineOf(row: DecodedRow): string {
  return `  line ${row.line}: ${wordsOfRow(row)}`;
}

function wordsOfReceiver({ row, count, amount }: ReceiverSum): string {
  return `${wordsOfRow(row)}${inAll(count, `${formatMoney(amount, row.currency)} ${row.currency ?? ""}`.trimEnd())}`;
}

function lineOfPayee(row: DecodedRow, look: BatchLook): string {
  const tally = look.totalOf(row);
  return `${lineOf(row)}${tally === undefined ? "" : inAll(tally.count, describe(tally))}`;
}

/** What a receiver gets besides the first row; empty where that is all. */
function inAll(count: number, total: string): string {
  return count === 1 ? "" : `, the first of ${count} rows: ${total} in all`;
}
