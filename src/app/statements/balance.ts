import type { RecordReport } from "../../report/report.ts";
import { minimumBalanceFindings } from "../../statements/minimum-balance.ts";
import { parseThreshold } from "../../values/money/amount.ts";
import type { Field } from "../../values/field.ts";
import type { JsonObject } from "../../values/json.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { option } from "../../cli/line/input.ts";

/** What makes a failure of a balance that is too low. */
export const minimumBalanceFlags = {
  failBelow: option({
    value: "AMOUNT",
    summary: "End with 9 when less than AMOUNT is available.",
    read: parseThreshold,
  }),
} as const;

export interface Balance {
  readonly accountNo: string;
  readonly record: JsonObject;
  readonly columns: readonly Field[];
}

/** A balance as the service says it; one that is too low is told as a failure, and not shown. */
export function balanceReport(
  { accountNo, record, columns }: Balance,
  { failBelow }: FlagValues<typeof minimumBalanceFlags>,
): RecordReport {
  return {
    shape: "record",
    columns,
    record,
    findings: () => (failBelow === undefined ? { notes: [] } : minimumBalanceFindings(record, accountNo, failBelow)),
  };
}
