import type { ApprovalRules, Level } from "./approval-rules.ts";
import { movementNouns } from "../journal/movement.ts";
import { Decimal } from "../values/money/decimal.ts";
import { homeCurrency } from "../values/money/limits.ts";
import { formatMoney } from "../values/money/money.ts";
import { counted } from "../values/text/counted.ts";

/** Rules for a person, one per line. */
export function wordsOfRules({
  levels = [{ approvals: 1 }],
  newReceiver,
  expiry,
  signatures,
  limits,
}: ApprovalRules): readonly string[] {
  return [
    ...levels.map((level) => `${subjectOf(level, levels.length === 1)}: ${approvalsOf(level)}`),
    ...(newReceiver === undefined ? [] : [`a receiver who was never paid before: ${approvalsOf(newReceiver)}`]),
    ...(expiry === undefined ? [] : [`an approval counts for ${expiry}`]),
    ...(signatures === undefined ? [] : ["an approval counts only with a signature"]),
    ...limitsOf(limits),
  ];
}

/** What a level is for: `payouts from 9000112233, up to TZS 1,000,000`. */
function subjectOf({ kind, account, upTo, currency, largestRow }: Level, isOnly: boolean): string {
  const orders = kind === undefined ? [] : [`${movementNouns[kind]}s`];
  const payer = account === undefined ? [] : [`${kind === undefined ? "orders " : ""}from ${account}`];
  const narrowed = [...orders, ...payer].join(" ");
  const rest = isOnly || narrowed !== "" ? "every amount" : "everything else";
  const size =
    upTo === undefined
      ? currency === undefined
        ? rest
        : `every amount in ${currency}`
      : `${largestRow === true ? "rows" : ""} up to ${moneyOf(upTo, currency)}`.trim();
  return narrowed === "" ? size : `${narrowed}, ${size}`;
}

function approvalsOf({ approvals, groups = [] }: Pick<Level, "approvals" | "groups">): string {
  const people = counted(approvals, "approval");
  return groups.length === 0 ? people : `${people}, one from ${groups.join(" and one from ")}`;
}

function limitsOf(limits: ApprovalRules["limits"]): readonly string[] {
  const { day, openBatches, bytes } = limits?.maker ?? {};
  const { decision } = limits?.checker ?? {};
  return [
    ...(day === undefined ? [] : [`a maker submits at most ${limitOf(day)} a day`]),
    ...(openBatches === undefined
      ? []
      : [`a maker has at most ${openBatches} open ${openBatches === 1 ? "batch" : "batches"}`]),
    ...(bytes === undefined ? [] : [`a maker's open batches have at most ${counted(bytes, "byte")}`]),
    ...(decision === undefined ? [] : [`a checker approves batches of at most ${limitOf(decision)}`]),
  ];
}

/** `100000000,USD=5000` as `TZS 100,000,000.00 and USD 5,000.00`. */
function limitOf(text: string): string {
  const parts = text.split(",").map((part) => part.split("="));
  return parts.map(([one = "", two]) => (two === undefined ? moneyOf(one) : moneyOf(two, one))).join(" and ");
}

function moneyOf(amount: string, currency: string = homeCurrency): string {
  const known = Decimal.parse(amount);
  return `${currency} ${known === undefined ? amount : formatMoney(known, currency)}`;
}
