import { accountBalance, accountStatement } from "../../contract/accounts.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import { answerJson, answerPieces, notFound, validationError } from "../refusal.ts";
import { rowsBody } from "../rows-body.ts";
import type { ServiceRule } from "./rule.ts";
import { periodViolations, rule } from "./rule.ts";

/** The rules of spec 4.3 and 4.4. */
export const accountRules: readonly ServiceRule[] = [
  rule(accountBalance, ({ accountNo }, { world, nowMs }) => {
    const account = world.accounts.get(accountNo);
    if (account === undefined) return notFound("B");
    const { name, balance } = account;
    const result = {
      accountNo: name.accountNo,
      accountName: name.accountName,
      branchCode: name.branchCode,
      currency: name.currency,
      status: name.status,
      availableBalance: balance,
      currentBalance: balance,
    };
    return answerJson(200, { ...envelope(nowMs), result });
  }),

  rule(accountStatement, ({ accountNo, startDate, endDate }, { world, nowMs, served }) => {
    const faults = periodViolations({ startDate, endDate });
    if (faults !== undefined) return validationError("B", faults);
    const account = world.accounts.get(accountNo);
    if (account === undefined) return notFound("B");
    const [head, tail] = JSON.stringify({ ...envelope(nowMs), result: { accountNo, statement: [] } }).split("[]");
    const rows = account.statement(startDate, endDate, served("account-statement"));
    return answerPieces(200, rowsBody(`${head}[`, rows, `]${tail}`));
  }),
];

/** Spec 2.2: the envelope of both results. */
function envelope(nowMs: number): object {
  return { success: true, statusCode: "SUCCESS", timestamp: isoDarEsSalaam(nowMs) };
}
