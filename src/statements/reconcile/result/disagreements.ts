import { counted } from "../../../values/text/counted.ts";
import type { Reconciliation } from "../reconciliation.ts";
import { countedClass } from "../rows/verdicts.ts";
import { sumsInWords } from "../sums-in-words.ts";

/** What statement and book may disagree about. */
type Verdict = Pick<Reconciliation, "exceptions" | "sums" | "balance" | "misfits">;

/** Each reason why statement and book do not agree, in words; none where they do. */
export function disagreementsOf({ exceptions, sums, balance, misfits }: Verdict): readonly string[] {
  const { unexplained, bookAddsUp } = balance;
  const decisions = `${counted(misfits.length, "decision")} that ${misfits.length === 1 ? "does" : "do"} not fit any more`;
  return [
    ...exceptions.map((total) => countedClass(total.count, total.class)),
    ...(sums.addsUp ? [] : [`the statement ${sumsInWords(sums)}`]),
    ...(misfits.length === 0 ? [] : [decisions]),
    ...(bookAddsUp ? [] : ["the book's closing balance does not follow from its opening balance and its rows"]),
    ...(unexplained === null ? ["the statement gives no balance"] : []),
    ...(unexplained?.isZero === false && sums.addsUp ? [`${unexplained.abs().grouped(2)} is unexplained`] : []),
  ];
}

/** Where to look when statement and book do not agree: the rows, the balances that were given, or the statement. */
export function whereToLook({ exceptions, misfits, balance, sums }: Reconciliation): string {
  const { unexplained, bookAddsUp, closingPerBook } = balance;
  const isRest = !bookAddsUp || (closingPerBook !== null && sums.addsUp && unexplained?.isZero === false);
  const isNotStated = unexplained === null;
  const areRows = exceptions.length > 0 || misfits.length > 0;
  const places = [
    ...(areRows ? ["Look into the rows that are not matched"] : []),
    ...(isRest ? ["Check the balance in --book-opening or --book-closing"] : []),
    ...(isNotStated ? ["Leave out --book-opening and --book-closing, as the statement gives no balance"] : []),
    ...(sums.addsUp || areRows ? [] : ["Look into the statement where it does not add up"]),
  ];
  return `${places.join(". ")}; nothing was adjusted.`;
}
