import { describe } from "../../movements/batch/expectation.ts";
import { walletLine, walletSeen } from "../../movements/guards/wallet-preview.ts";
import type { Confirmation } from "../money/confirmation.ts";
import type { BatchPlan } from "./plan.ts";
import { counted } from "../../values/text/counted.ts";

/** How many wallets are shown with their balances; the others are counted. */
const payersMaxCount = 5;

/** What a person says yes to: how many rows, how much of each currency, and from where. */
export function confirmationOf(plan: BatchPlan): Confirmation {
  const { toSend, warnings } = plan.check;
  const { count } = toSend;
  return {
    title: `Send ${counted(count, "row")}: ${describe(toSend)}`,
    lines: linesOf(plan),
    warnings,
    question: count === 1 ? "Send this row?" : `Send these ${count} rows?`,
  };
}

function linesOf({ id, file, check, wallets }: BatchPlan): (readonly [string, string])[] {
  const { all, doneCount, unknownCount, payers, feePayers } = check;
  const seen = wallets && [...wallets.values()];
  const paying = [...payers].slice(0, payersMaxCount).map(([account, amount]): [string, string] => {
    return ["from", walletLine(walletSeen(seen, account), amount.negate(), undefined, feePayers.has(account))];
  });
  const others = payers.size - paying.length;
  return [
    ["file", `${file}, ${counted(all.count, "row")}, ${describe(all)}`],
    ...(doneCount > 0 ? [["done before", `${counted(doneCount, "row")}, not sent again`] as const] : []),
    ...(unknownCount > 0 ? [["unknown", `${counted(unknownCount, "row")}, not sent again`] as const] : []),
    ...paying,
    ...(others > 0 ? [["from", `and ${counted(others, "more wallet")}`] as const] : []),
    ["batch", id],
  ];
}
