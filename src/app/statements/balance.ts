import type { Findings, RecordReport, RowsReport } from "../../report/report.ts";
import { amountOf, parseThreshold } from "../../values/money/amount.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { Failure } from "../../values/failure.ts";
import type { Field } from "../../values/field.ts";
import { encodeJson } from "../../contract/wire.ts";
import { visible } from "../../values/text/text.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { option } from "../../cli/line/input.ts";
import { currencyOf } from "../../report/table/table-cell.ts";
import { formatMoney } from "../../values/money/money.ts";

/** Turns a low balance into a failure. */
export const minimumBalanceFlags = {
  failBelow: option({
    value: "AMOUNT",
    summary: "End with 9 when less than AMOUNT is available.",
    read: parseThreshold,
  }),
} as const;

export interface AccountBalance {
  readonly accountNo: string;
  readonly record: JsonObject;
  readonly columns: readonly Field[];
}

/** A balance as the service gives it; one below the limit is a failure, and not shown. */
export function balanceReport(
  { accountNo, record, columns }: AccountBalance,
  { failBelow }: FlagValues<typeof minimumBalanceFlags>,
): RecordReport {
  return {
    shape: "record",
    columns,
    record,
    isRead: true,
    findings: () => (failBelow === undefined ? { notes: [] } : minimumBalanceFindings(record, accountNo, failBelow)),
  };
}

/** Several balances as a list. Where some are too low, those are named and no balance is shown. */
export function balancesReport(
  balances: readonly Omit<AccountBalance, "columns">[],
  columns: readonly Field[],
  { failBelow }: Pick<FlagValues<typeof minimumBalanceFlags>, "failBelow">,
): RowsReport {
  return {
    shape: "rows",
    columns: balancesColumns(columns),
    // The account number is from the request, since not every answer has it.
    rows: balances.map(({ accountNo, record }) => ({ ...record, accountNo })),
    whenEmpty: "The account has no wallets.",
    findings: () => ({ notes: [], failure: failBelow === undefined ? undefined : tooLow(balances, failBelow) }),
  };
}

/** The columns of such a list: those of the account come first. */
export function balancesColumns(columns: readonly Field[]): readonly Field[] {
  const [accounts, others] = [columns.filter(isAccount), columns.filter((field) => !isAccount(field))];
  return [...accounts, ...others].map((field) => ({ ...field, ...rolesInLists[field.name] }));
}

const rolesInLists: Readonly<Record<string, Pick<Field, "role">>> = {
  accountNo: { role: "who" },
  accountStatus: { role: "state" },
  currencyCode: { role: "money" },
  type: { role: "detail" },
};

function isAccount({ name }: Field): boolean {
  return name === "accountNo" || name === "accountName";
}

function tooLow(balances: readonly Omit<AccountBalance, "columns">[], floor: Decimal): Failure | undefined {
  const failures = balances.flatMap(
    ({ accountNo, record }) => minimumBalanceFindings(record, accountNo, floor).failure ?? [],
  );
  const [first] = failures;
  if (first === undefined) return undefined;
  return new Failure("mismatch", failures.map(({ message }) => message).join(" "), { hint: first.hint });
}

/** Compares the available balance with its minimum. A balance that is missing, or isn't an amount, counts as below it. */
function minimumBalanceFindings(balance: JsonObject, accountNo: string, floor: Decimal): Findings {
  const available = amountOf(balance["availableBalance"]);
  if (available && available.compare(floor) >= 0) return { notes: [] };
  const currency = currencyOf(balance);
  const money = (amount: Decimal) => `${currency === undefined ? "" : `${currency} `}${formatMoney(amount, currency)}`;
  const is = available ? `is ${money(available)}` : unreadable(balance["availableBalance"], available);
  const message = `The available balance of ${accountNo} ${is}; it should be at least ${money(floor)}.`;
  const hint = available ? "Move money there before it is needed." : "Ask the service how much is available.";
  return { notes: [], failure: new Failure("mismatch", message, { hint }) };
}

function unreadable(value: JsonValue | undefined, available: null | undefined): string {
  return available === null
    ? "was not named by the service"
    : `is ${visible(encodeJson(value ?? null))}, which is not an amount`;
}
