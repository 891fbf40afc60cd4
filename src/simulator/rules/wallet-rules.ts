import type { Violations } from "../../contract/request.ts";
import { listWallets, transfer, walletBalance, walletStatement, withdraw } from "../../contract/wallets.ts";
import { Decimal } from "../../values/money/decimal.ts";
import type { Numeral } from "../../values/json.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import { answerJson, answerPieces, notFound, validationError } from "../refusal.ts";
import { rowsBody } from "../rows-body.ts";
import type { ServiceRule } from "./rule.ts";
import { periodViolations, rule } from "./rule.ts";
import type { Wallet } from "../books/wallet.ts";

/** The rules of spec 4.6 to 4.10. */
export const walletRules: readonly ServiceRule[] = [
  rule(listWallets, (_, { world }) =>
    answerJson(
      200,
      Array.from(world.wallets.values(), ({ listed }) => listed),
    ),
  ),

  rule(walletBalance, ({ accountNo }, { world }) => {
    const wallet = world.wallets.get(accountNo);
    if (wallet === undefined) return notFound("A");
    const { name, balance } = wallet;
    return answerJson(200, {
      availableBalance: balance,
      currentBalance: balance,
      accountStatus: "ACTIVE",
      accountNo: name.accountNo,
      accountName: name.accountName,
      type: name.type,
      currencyCode: name.currency,
      countryCode: name.countryCode,
    });
  }),

  rule(walletStatement, ({ accountNo, startDate, endDate }, { world, served }) => {
    const faults = periodViolations({ startDate, endDate });
    if (faults !== undefined) return validationError("A", faults);
    const wallet = world.wallets.get(accountNo);
    if (wallet === undefined) return notFound("A");
    return answerPieces(200, rowsBody("[", wallet.statement(startDate, endDate, served("wallet-statement")), "]"));
  }),

  rule(transfer, (input, { world, nowMs }) => {
    const from = world.wallets.get(input.from);
    const to = world.wallets.get(input.to);
    if (from === undefined || to === undefined) return notFound("A");
    const amount = decimalOf(input.amount);
    const faults = transferFaults(from, to, amount);
    if (faults !== undefined) return validationError("A", faults);
    const transactionId = world.draw.id();
    const transactionRef = world.draw.id();
    const { description: narration } = input;
    world.transfer(from, to, { amount, reference: transactionRef, narration, atMs: nowMs, transactionId });
    return answerJson(200, {
      transactionId,
      from: input.from,
      to: input.to,
      transactionDate: isoDarEsSalaam(nowMs),
      narration,
      amount: input.amount,
      transactionRef,
    });
  }),

  // Spec is silent on the status and on errors: 200 as elsewhere, and the errors of the other wallets' endpoints.
  rule(withdraw, (input, { world, nowMs }) => {
    const wallet = world.wallets.get(input.accountNo);
    if (wallet === undefined) return notFound("A");
    const amount = decimalOf(input.amount);
    if (amount.compare(wallet.balance) > 0) return validationError("A", { amount: tooMuch });
    const { externalRef, narration } = input;
    const transactionId = world.draw.id();
    const txnDate = `${input.transactionDate} 00:00:00`;
    world.withdraw(wallet, { amount, reference: externalRef, narration, atMs: nowMs, txnDate, transactionId });
    return answerJson(200, { paymentRef: "", transactionId, transactionRef: externalRef });
  }),
];

/** Spec is silent on the words for insufficient funds. */
const tooMuch = "exceeds the available balance";

/** Both must be disbursement wallets of one currency (spec 4.7), and not the same wallet (our addition). */
function transferFaults(from: Wallet, to: Wallet, amount: Decimal): Violations | undefined {
  const faults: Record<string, string> = {};
  if (!from.isDisbursement) faults["from"] = "must be a disbursement wallet";
  if (!to.isDisbursement) faults["to"] = "must be a disbursement wallet";
  if (from === to) faults["to"] ??= "must be another wallet than from";
  if (from.name.currency !== to.name.currency) faults["to"] ??= `must be a wallet of ${from.name.currency}`;
  if (amount.compare(from.balance) > 0) faults["amount"] = tooMuch;
  return Object.keys(faults).length > 0 ? faults : undefined;
}

function decimalOf({ text }: Numeral): Decimal {
  return Decimal.parseJson(text) ?? Decimal.zero;
}
