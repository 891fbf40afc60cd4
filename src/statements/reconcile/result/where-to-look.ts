import type { Reconciliation } from "../reconciliation.ts";

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
