import type { LedgerAccount } from "../../ledger/ledger.ts";
import { describeDays, missingDays, wasServiceBehind } from "../../ledger/missing-days.ts";
import { lackHint } from "../ledger/as-of.ts";
import { readFirst } from "../ledger/service-day.ts";
import { Failure } from "../../values/failure.ts";
import type { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import type { ReportFlags } from "./report-flags.ts";

/** At most this many accounts that lack the same days are named; any more are counted. */
const namedMaxCount = 3;

/** Days of a report that the ledger does not hold whole. */
export interface LackingDays {
  /** The accounts with their days, in a whole sentence. */
  readonly words: string;
  /** True where the service's clock was behind at the last sync, and some of the days were left. */
  readonly wasServiceBehind: boolean;
  /** The first of them, `YYYY-MM-DD`. */
  readonly firstDay: string;
}

/**
 * @param today the day in Dar es Salaam
 * @returns undefined where the ledger holds every day of the periods
 */
export function lackingDays(
  accounts: readonly LedgerAccount[],
  periods: readonly Period[],
  today: Day,
): LackingDays | undefined {
  const lacks = accounts.flatMap((account) => {
    const days = periods.flatMap((period) => missingDays(account, period, today));
    return days.length === 0 ? [] : [{ account, accountNo: account.accountNo, days }];
  });
  if (lacks.length === 0) return undefined;
  const alike = Map.groupBy(lacks, ({ days }) => describeDays(days));
  const each = [...alike].flatMap(([days, of]) =>
    of.length > namedMaxCount ? [`${of.length} accounts: ${days}`] : of.map(({ accountNo }) => `${accountNo}: ${days}`),
  );
  const starts = lacks.flatMap(({ days }) => days.map(({ startDate }) => startDate.toString())).toSorted();
  const words = `The ledger lacks days of the period. ${each.join("; ")}.`;
  const wasBehind = lacks.some(({ account, days }) => wasServiceBehind(account, days));
  return { words, wasServiceBehind: wasBehind, firstDay: starts[0] ?? "" };
}

/** What was asked for, as far as the way to more days depends on it. */
export type HintFlags = Pick<ReportFlags, "asOf" | "allProfiles">;

/** How to read the days that are lacking. */
export function readingHint(lacking: readonly LackingDays[], { asOf, allProfiles }: HintFlags): string {
  const [first = ""] = lacking.map(({ firstDay }) => firstDay).toSorted();
  const read = readFirst(lacking.some((each) => each.wasServiceBehind));
  return lackHint(asOf, `${read}: partner ledger sync${allProfiles ? " --all-profiles" : ""} --start-date ${first}`);
}

/** Figures that lack days would be wrong, and nothing would show it. */
export function lackingFailure(lacking: LackingDays, reading: HintFlags): Failure {
  return new Failure("mismatch", lacking.words, { hint: readingHint([lacking], reading) });
}
