import { describe } from "../../movements/batch/expectation.ts";
import { currencyOf } from "../../movements/batch/worth.ts";
import { walletLine, walletSeen } from "../../movements/wallet-preview.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text.ts";
import type { BatchPlan } from "./plan.ts";
import { rows } from "./words.ts";
import { accountLines } from "../money/preview.ts";
import type { Session } from "../session.ts";

/** Wallets that are shown one by one. */
const payersMaxCount = 5;

/** What a person says yes to: how many rows, how much of each currency, from where, and with whose credentials. */
export async function confirmBatch(plan: BatchPlan, session: Session): Promise<void> {
  const lines = [...linesOf(plan), ...(await accountLines(session))];
  const width = Math.max(...lines.map(([name]) => name.length));
  const shown = lines.map(([name, value]) => `  ${name.padEnd(width)}  ${visible(value)}\n`).join("");
  const { count } = plan.check.toSend;
  await session.host.stderr.write(`Send ${rows(count)}: ${visible(describe(plan.check.toSend))}\n${shown}`);
  const prompts = await session.host.prompts();
  if (await prompts.confirm(count === 1 ? "Send this row?" : `Send these ${count} rows?`)) return;
  throw new Failure("interrupted", "Nothing was sent.", { money: "not moved" });
}

/**
 * There is nobody to ask.
 * @throws {Failure} usage
 */
export function refuseUnasked(flags: { readonly yes: boolean; readonly dryRun: boolean }, session: Session): void {
  if (flags.yes || flags.dryRun || session.canAsk) return;
  throw new Failure("usage", "There is no terminal to ask on whether to send this batch; nothing was sent.", {
    hint: "Add --yes to send it without asking, or --dry-run to look at it.",
    money: "not moved",
  });
}

function linesOf({ id, file, check, wallets }: BatchPlan): (readonly [string, string])[] {
  const { all, doneCount, unknownCount, payers } = check;
  const seen = wallets && [...wallets.values()];
  const paying = [...payers].slice(0, payersMaxCount).map(([account, amount]): [string, string] => {
    const wallet = walletSeen(seen, account);
    const short = wallet.balance !== undefined && wallet.balance.compare(amount) < 0 ? " (not enough)" : "";
    return ["from", `${walletLine(wallet, amount.negate())}${currencyOf(account, wallets) === undefined ? "" : short}`];
  });
  const others = payers.size - paying.length;
  return [
    ["file", `${file}, ${rows(all.count)}, ${describe(all)}`],
    ...(doneCount > 0 ? [["done before", `${rows(doneCount)}, not sent again`] as const] : []),
    ...(unknownCount > 0 ? [["unknown", `${rows(unknownCount)}, not sent again`] as const] : []),
    ...paying,
    ...(others > 0 ? [["from", `and ${others} more wallets`] as const] : []),
    ["batch", id],
  ];
}
