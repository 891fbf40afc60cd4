import {
  collectionBalance,
  collectionStatement,
  mainBalance,
  mainStatement,
  oneWallet,
} from "../../contract/extensions/main-wallets.ts";
import { collectionStatus, paymentStatus } from "../../contract/extensions/status.ts";
import type { OutgoingResponse } from "../../host/server/listener.ts";
import type { Wallet } from "../books/wallet.ts";
import { answerJson, answerPieces, notFound, validationError } from "../refusal.ts";
import { rowsBody } from "../rows-body.ts";
import type { ServiceRule, RuleContext } from "./rule.ts";
import { periodViolations, rule } from "./rule.ts";

/** The rules of endpoints beyond the specification, except for payouts. */
export const extensionRules: readonly ServiceRule[] = [
  rule(collectionStatus, (asked, { world }) => statusOf(world.collections.get(asked.transactionRef), asked)),
  rule(paymentStatus, (asked, { world }) => statusOf(world.payouts.get(asked.transactionRef), asked)),
  rule(mainBalance, (_, { world }) => balanceOf(world.payoutWallet)),
  rule(collectionBalance, (_, { world }) => balanceOf(world.collectionWallet)),
  rule(mainStatement, (period, context) => statementOf(context.world.payoutWallet, period, context)),
  rule(collectionStatement, (period, context) => statementOf(context.world.collectionWallet, period, context)),
  rule(oneWallet, ({ accountNo }, { world }) => {
    const wallet = world.wallets.get(accountNo);
    return wallet === undefined ? notFound("A") : answerJson(200, wallet.listed);
  }),
];

interface Known {
  readonly transactionId: string;
  readonly statusCode: string;
}

/** Found only where both the id and the reference are the order's. */
function statusOf(
  known: Known | undefined,
  { transactionId, transactionRef }: { readonly transactionId: string; readonly transactionRef: string },
): OutgoingResponse {
  if (known?.transactionId !== transactionId) return notFound("A");
  return answerJson(200, { statusCode: known.statusCode, transactionId, transactionRef });
}

function balanceOf(wallet: Wallet | undefined): OutgoingResponse {
  if (wallet === undefined) return notFound("A");
  const { name, balance } = wallet;
  return answerJson(200, {
    availableBalance: balance,
    currentBalance: balance,
    accountNo: name.accountNo,
    accountStatus: "ACTIVE",
    accountName: name.accountName,
  });
}

function statementOf(
  wallet: Wallet | undefined,
  { startDate, endDate }: { readonly startDate: string; readonly endDate: string },
  { served }: RuleContext,
): OutgoingResponse {
  const faults = periodViolations({ startDate, endDate });
  if (faults !== undefined) return validationError("A", faults);
  if (wallet === undefined) return notFound("A");
  return answerPieces(200, rowsBody("[", wallet.statement(startDate, endDate, served("wallet-statement")), "]"));
}
