import { Failure } from "../../values/failure.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { counted } from "../../values/text/counted.ts";
import { quote } from "../../values/text/text.ts";
import type { BalanceGap } from "./chain.ts";
import type { OpenPlaces } from "./export-plan.ts";
import type { ExportRequest } from "./export-request.ts";
import type { ExportRow } from "./packed-rows.ts";
import { wholeKey } from "./matched-rows.ts";

/** How many are listed; the rest are counted. */
const listedMaxCount = 10;
/** Digits after the point of a balance: shillings are always shown with two. */
const balanceScale = 2;

/**
 * The failure for rows that are missing or sent twice. It names the two rows around each gap, and by how much the
 * balance jumps.
 */
export function openFailure({ accountNo }: ExportRequest, { gaps, repeated }: OpenPlaces, startDate: string): Failure {
  const what = [
    gaps.length === 0 ? "" : `Rows of ${accountNo} are missing in ${counted(gaps.length, "place")}`,
    repeated.length === 0 ? "" : `The service sends ${counted(repeated.length, "row")} of ${accountNo} twice`,
  ];
  const said = what.filter((part) => part !== "").join(". ");
  return new Failure("mismatch", `${said}; every file is left as it is.`, {
    hint: `Run it again later: each run looks for them, back to ${startDate}. Ask the service if they never come. To take the statement as it is, start over: add --restart.`,
    details: listed([...gaps.map(gapInWords), ...repeated.map(repeatedInWords)]),
  });
}

/** The same in brief, while the run still looks for the rows. */
export function openInWords({ gaps }: OpenPlaces): string {
  return gaps.length === 0 ? "A row is sent twice" : "A row is missing";
}

/** Both ends of a gap, for a person: the rows, and the balances that differ. */
export function gapInWords(gap: BalanceGap): readonly (readonly [string, string])[] {
  const { after, before, left, found } = gap;
  const more = found.subtract(left);
  const sum = `${more.sign > 0 ? "+" : ""}${money(more)}`;
  return [
    [
      "after",
      after === undefined
        ? `the balance that the service gave without rows, ${money(left)}`
        : `${rowInWords(after.row)}, balance ${money(left)}`,
    ],
    [
      "before",
      before === undefined
        ? `the balance that the service gives now, ${money(found)}`
        : `${rowInWords(before.row)}, which continues from ${money(found)}`,
    ],
    ["missing", sum],
  ];
}

function repeatedInWords(row: ExportRow): readonly (readonly [string, string])[] {
  const balance = row.balance === undefined ? "" : `, balance ${money(row.balance)}`;
  return [["sent twice", `${rowInWords(row)}${balance}`]];
}

/** A break in a person's words, on one line. */
export function describeGap(gap: BalanceGap): string {
  const [one, other] = [gap.after?.row, gap.before?.row];
  // If the money had moved twice, the balance would differ.
  if (one !== undefined && other?.balance !== undefined && wholeKey(one) === wholeKey(other))
    return `${rowInWords(one)} is sent twice`;
  const [after, before, missing] = gapInWords(gap).map(([, text]) => text);
  return `${missing} between ${after} and ${before}`;
}

/**
 * The failure for exported rows that have changed: a new row with the same reference is taken to be the changed row.
 */
export function changedFailure(missing: readonly ExportRow[], newRows: readonly ExportRow[]): Failure {
  const candidates = new Map<string, ExportRow[]>();
  for (const row of newRows)
    if (row.reference !== "") candidates.set(row.reference, [...(candidates.get(row.reference) ?? []), row]);
  const count = `${missing.length} ${missing.length === 1 ? "row has" : "rows have"}`;
  return new Failure("mismatch", `${count} changed since the last run; every file is left as it is.`, {
    hint: "Ask the service about it. To take the rows as they are now, start over: add --restart.",
    details: listed(
      missing.map((was) => [
        ["was", was.line.trimEnd()],
        ["is now", candidates.get(was.reference)?.shift()?.line.trimEnd() ?? "(the service no longer has it)"],
      ]),
      "row",
    ),
  });
}

function listed(entries: readonly (readonly (readonly [string, string])[])[], noun = ""): Record<string, string> {
  const lines = entries
    .slice(0, listedMaxCount)
    .flatMap((entry, index) => entry.map(([name, text]) => [nameOf(noun, index, entries.length, name), text] as const));
  const more = entries.length - listedMaxCount;
  return Object.fromEntries(more > 0 ? [...lines, ["and", `${more} more`]] : lines);
}

function nameOf(noun: string, index: number, count: number, name: string): string {
  if (noun !== "") return `${noun} ${index + 1} ${name}`;
  return count === 1 ? name : `${index + 1} ${name}`;
}

function rowInWords({ day, reference, line }: ExportRow): string {
  const name = reference === "" ? quote(line.trimEnd()) : quote(reference);
  return day === "" ? name : `${name} of ${day}`;
}

function money(amount: Decimal): string {
  return amount.grouped(balanceScale);
}
