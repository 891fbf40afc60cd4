import { amountOf } from "../values/money/amount.ts";
import { parentReference } from "../contract/fee-row.ts";
import { isCovered } from "../contract/redaction.ts";
import { nearForm } from "../journal/lookups/order-keys.ts";
import type { StatementRow } from "./rows/statement-row.ts";
import type { ExpectedRow } from "./expected-row.ts";
import { hasWord } from "./expected-row.ts";

/**
 * What ties a row to an order, the strongest first.
 * - `id`: its `tranRefNo` is the reference or an id of the answer
 * - `named`: its narration is what was sent, with the reference in it or after it
 * - `narrated`: its narration is what was sent, without a reference
 * - `alike`: its narration is what was sent, except for case and white space
 * - `mentioned`: it mentions the order: inside other text, in another spelling, as a fee or a reversal
 */
export type Tie = "id" | "named" | "narrated" | "mentioned" | "alike";

/** @returns undefined where nothing in the row says that it is the order's */
export function tieOf({ ids, order, sent, sentReference }: ExpectedRow, row: StatementRow): Tie | undefined {
  const { tranRefNo, narration } = row;
  if (ids.has(tranRefNo)) return "id";
  if (sent !== "" && isFollowedBy(narration, sent, order.reference)) return "named";
  if (sent !== "" && narration === sent) return sentReference ? "named" : "narrated";
  if (isMentioned(ids, order.reference, row)) return "mentioned";
  // Banks change narrations: one that is nearly what was sent proves nothing.
  return sent !== "" && foldedText(narration) === foldedText(sent) ? "alike" : undefined;
}

/** A text without case and white space, which banks change. */
function foldedText(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, "");
}

/** True for a tie that can prove an order if everything else in the row is right. */
function isProof(tie: Tie | undefined, { order, isDated }: ExpectedRow): boolean {
  // A transfer is identified by its tag: any transfer can have the same description.
  return tie === "id" || tie === "named" || (tie === "narrated" && isDated && order.kind !== "transfer");
}

/** True for a row that would prove the order if there were no other row and no other order. */
export function fits(expected: ExpectedRow, row: StatementRow): boolean {
  return isProof(tieOf(expected, row), expected) && violationsOf(expected, row).length === 0;
}

/**
 * True for a row that could be another order's: it fits, or would fit if that order's narration had not been redacted,
 * or if clocks had agreed when it left.
 */
export function mayFit(undated: ExpectedRow, row: StatementRow): boolean {
  const other = { ...undated, isDated: true };
  if (fits(other, row)) return true;
  const wasNarrated = isCovered(other.sent) && tieOf(other, row) === undefined && isProof("narrated", other);
  return wasNarrated && violationsOf(other, row).length === 0;
}

/** Everything that keeps a row from being the order's, in words that follow the row's name; empty where it fits. */
export function violationsOf(expected: ExpectedRow, row: StatementRow): string[] {
  const { side, mark, change, valueDay, valueDate, isFee } = row;
  const amounts = amountsAt(expected, row);
  const violations: string[] = [];
  if (isFee) violations.push("is a fee");
  if (change === undefined) violations.push("has no amount");
  else if (!amounts.some((amount) => amount.equals(change.abs())))
    violations.push(`has another amount, ${change.trimmed()}`);
  else if (side === undefined) violations.push("has amounts that fit no side");
  else if (side !== expected.side) violations.push(`is a ${side}, not a ${expected.side}`);
  if (mark !== "none" && mark !== expected.side) violations.push(`is marked ${markIn(row)}`);
  if (valueDay === undefined) violations.push("has no value date");
  else if (valueDay.compare(expected.first) < 0 || valueDay.compare(expected.last) > 0)
    violations.push(`is dated ${valueDate}, not between ${expected.first.toString()} and ${expected.last.toString()}`);
  return violations;
}

/** True where the row has an amount that the order moves, whichever way, or one that can't be read. */
export function hasItsAmount(expected: ExpectedRow, row: StatementRow): boolean {
  const { change, source } = row;
  if (change === undefined) return true;
  const amounts = [change, amountOf(source["amountCredited"]), amountOf(source["amountDebited"])];
  return amountsAt(expected, row).some((its) => amounts.some((amount) => amount?.abs().equals(its)));
}

function amountsAt({ booked }: ExpectedRow, { accountNo }: StatementRow) {
  return booked.find((wallet) => wallet.accountNo === accountNo)?.amounts ?? [];
}

function markIn({ source }: StatementRow): string {
  return JSON.stringify(source["debitOrCredit"]);
}

/** What was sent, followed by the reference: in brackets, or as the last word. */
function isFollowedBy(narration: string, sent: string, reference: string): boolean {
  if (!narration.startsWith(sent)) return false;
  const rest = narration.slice(sent.length);
  return ["", "[]", "()", "{}", "<>"].some(
    ([open = "", close = ""]) => /^\s/.test(rest) && rest.trim() === open + reference + close,
  );
}

function isMentioned(ids: ReadonlySet<string>, reference: string, { tranRefNo, narration }: StatementRow): boolean {
  if (tranRefNo !== "" && nearForm(parentReference(tranRefNo)) === nearForm(reference)) return true;
  // Some banks write narrations in capitals.
  const [own, text] = [tranRefNo.toLowerCase(), narration.toLowerCase()];
  return [...ids].some((id) => {
    const word = id.toLowerCase();
    return parentReference(tranRefNo).toLowerCase() === word || mentionsId(text, word) || mentionsId(own, word);
  });
}

/** Words in a reference that mark it as the reversal of another one. */
const backWord = String.raw`(?:reversal|rvsl|rev)`;
/** Separators between such a word and the reference, if any. */
const between = String.raw`[-_/.:\s]*`;
const backBefore = new RegExp(String.raw`(?<![\p{L}\p{N}])${backWord}${between}$`, "iu");
const backAfter = new RegExp(String.raw`^${between}${backWord}(?![\p{L}\p{N}])`, "iu");

/** True where the text has the id as a word of its own, or joined to a word that marks a reversal. */
export function mentionsId(text: string, id: string): boolean {
  if (id === "") return false;
  if (hasWord(text, id)) return true;
  for (let at = text.indexOf(id); at >= 0; at = text.indexOf(id, at + 1)) {
    const [before, after] = [text.slice(0, at), text.slice(at + id.length)];
    if (backBefore.test(before) && startsNewWord(after)) return true;
    if (backAfter.test(after) && endsWord(before)) return true;
  }
  return false;
}

/** True where the text after an id does not continue it. */
function startsNewWord(after: string): boolean {
  return !/^[\p{L}\p{N}_/-]/u.test(after) || backAfter.test(after);
}

function endsWord(before: string): boolean {
  return !/[\p{L}\p{N}_/-]$/u.test(before) || backBefore.test(before);
}
