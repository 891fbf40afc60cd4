import type { Period } from "../../values/time/period.ts";
import { resolvePeriod } from "../../values/time/period.ts";
import { Failure } from "../../values/failure.ts";
import { ledgerScope } from "../ledger/kept-scope.ts";
import type { Session } from "../session.ts";
import type { CloseFlags } from "./close-flags.ts";

/** The month that is closed. */
export interface ClosingMonth {
  /** `YYYY-MM`. */
  readonly name: string;
  readonly period: Period;
  readonly scope: string;
}

/**
 * The month that the flags mean.
 * @throws {Failure} usage where it is given in two ways, or isn't a month
 */
export function monthAsked({ month, lastMonth }: CloseFlags, session: Session): Pick<ClosingMonth, "name" | "period"> {
  const period = resolvePeriod({ month, lastMonth }, session.today());
  return { name: period.startDate.toString().slice(0, "2026-10".length), period };
}

/** @throws {Failure} usage where the month is not over */
export async function monthOf(session: Session, flags: CloseFlags): Promise<ClosingMonth> {
  const { name, period } = monthAsked(flags, session);
  if (period.endDate.compare(session.today()) >= 0)
    throw new Failure("usage", `The month ${name} has not ended yet.`, {
      hint: "Close it when it has ended. Until then: partner report cash --this-month",
    });
  return { name, period, scope: await ledgerScope(session) };
}

/** The name of the month before. */
export function monthBefore({ startDate }: Period): string {
  return startDate.addDays(-1).toString().slice(0, "2026-10".length);
}
