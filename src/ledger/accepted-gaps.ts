import { visible } from "../values/text/text.ts";
import { wallTime } from "../values/time/wall-time.ts";
import type { AcceptedGap, Chain } from "./ledger.ts";

/** Days of a period, `YYYY-MM-DD`, both included. */
interface Days {
  readonly startDay: string;
  readonly endDay: string;
}

/** Every difference that people have accepted for an account, oldest first. */
export function acceptedGaps({ breaks, acceptedEnd }: Chain): readonly AcceptedGap[] {
  const within = breaks.flatMap(({ accepted }) => accepted ?? []);
  return acceptedEnd === null ? within : [...within, acceptedEnd];
}

/** Accepted gaps that rows of the period could explain: only a person's word says that no row is missing. */
export function acceptedGapsOf(chain: Chain, { startDay, endDay }: Days): readonly AcceptedGap[] {
  const within = chain.breaks.flatMap(({ sinceDay, day, accepted }) => {
    const isOf = sinceDay <= endDay && (day === "" || day >= startDay);
    return accepted !== null && isOf ? accepted : [];
  });
  return [...within, ...acceptedEndOf(chain, endDay)];
}

/** The difference accepted after the last row, where rows up to `endDay` could explain it. */
export function acceptedEndOf({ acceptedEnd }: Chain, endDay: string): readonly AcceptedGap[] {
  return acceptedEnd !== null && acceptedEnd.day <= endDay ? [acceptedEnd] : [];
}

/** `the balance jumps by 5.00 at row B of 2026-10-05. asha accepted this on 2026-11-02 10:00:00: ticket 4711` */
export function acceptedWords(accepted: AcceptedGap): string {
  const { side, reference, day, gap } = accepted;
  const row = `row ${reference}${day === "" ? "" : ` of ${day}`}`;
  const what =
    side === "before"
      ? `${gap.isZero ? "nothing proves the balance" : `the balance jumps by ${gap.toString()}`} at ${row}`
      : `the service's balance differs by ${gap.toString()} from that after ${row}`;
  return `${what}. ${onWhoseWord(accepted)}`;
}

/** `asha accepted this on 2026-11-02 10:00:00: ticket 4711` */
export function onWhoseWord({ by, at, evidence }: Pick<AcceptedGap, "by" | "at" | "evidence">): string {
  return `${visible(by)} accepted this on ${wallTime(at)}: ${visible(evidence).replace(/\.$/, "")}`;
}
