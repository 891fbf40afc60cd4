import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { gapOf, ledToBalance } from "../gap.ts";
import type { AcceptedGap, Break, Chain, LedgerAccount } from "../ledger.ts";
import { acceptedGap, Columns } from "../records.ts";
import { balanceThen, formerJoin, visibleAt } from "./visible.ts";

interface Since {
  readonly asOf?: number | undefined;
  /** The number of the first row to check; default: all rows. */
  readonly place?: number | undefined;
}

/** The day that a row counts for: its own, that of the row before, or else the account's first day. */
const countedDay = (day: string, number: string) => `coalesce(nullif(${day}, ''), (SELECT p.day
    FROM partner.ledger_entries AS p WHERE p.account = $1 AND p.number < ${number} AND p.day <> ''
      AND ${visibleAt("$2::bigint").replaceAll("e.", "p.")} ORDER BY p.number DESC LIMIT 1), $4)`;
const seen = `WITH seen AS (
    SELECT e.number, e.reference, e.day, e.change, ${balanceThen} AS balance
    FROM partner.ledger_entries AS e ${formerJoin("$2::bigint")}
    WHERE e.account = $1 AND e.number >= $3 AND ${visibleAt("$2::bigint")})`;
const word = "side, gap, evidence, accepted_by, accepted_at";
/**
 * An accepted difference at the end no longer counts once a sync has reached the balance without it, or a break after
 * that row was accepted: it may be in the rows by then.
 */
const ends = `${seen}, known AS (
    SELECT known.*, e.reference AS accepted_reference, ${countedDay("e.day", "e.number")} AS accepted_day
    FROM partner.ledger_acceptances AS known JOIN partner.ledger_entries AS e ON e.number = known.entry
    WHERE e.account = $1 AND ($2::bigint IS NULL OR known.accepted_at <= $2)),
  newest AS (SELECT * FROM known WHERE side = 'after' ORDER BY number DESC LIMIT 1)
  SELECT (SELECT count(*) FROM seen) AS rows, one.opening, other.*, accepted.* FROM (SELECT 1) AS sole
  LEFT JOIN (SELECT (balance - coalesce(change, 0))::text AS opening FROM seen ORDER BY number LIMIT 1) AS one ON true
  LEFT JOIN (SELECT number, reference, balance::text AS closing FROM seen ORDER BY number DESC LIMIT 1) AS other ON true
  LEFT JOIN (SELECT accepted_reference, accepted_day, ${word} FROM newest
    WHERE (lapsed_at IS NULL OR lapsed_at > $2) AND NOT EXISTS (
      SELECT 1 FROM known WHERE known.side = 'before' AND known.entry > newest.entry)) AS accepted ON true`;
/** An amount that is not a number counts as none, and is a break: in the first row, too. */
const breaks = `${seen}
  SELECT step.number, step.reference, ${countedDay("step.day", "step.number")} AS day, step.left_open::text AS left_open,
    step.opening::text AS opening, ${countedDay("coalesce(step.since_day, step.day)", "step.number")} AS since_day,
    accepted.*
  FROM (SELECT number, reference, day, change, balance - coalesce(change, 0) AS opening, lag(balance) OVER w AS left_open,
      lag(day) OVER w AS since_day FROM seen WINDOW w AS (ORDER BY number)) AS step
  LEFT JOIN LATERAL (SELECT ${word} FROM partner.ledger_acceptances AS known WHERE known.entry = step.number
      AND known.side = 'before' AND ($2::bigint IS NULL OR known.accepted_at <= $2)
    ORDER BY known.number DESC LIMIT 1) AS accepted ON true
  WHERE CASE WHEN step.since_day IS NULL THEN change IS NULL AND $3 = 0
      ELSE change IS NULL OR opening IS NULL OR left_open IS NULL OR opening <> left_open END ORDER BY step.number`;

/** Checks an account's balances; the database compares exact decimals. */
export async function chainOf(
  database: SharedDatabase,
  of: LedgerAccount,
  { asOf, place }: Since = {},
): Promise<Chain> {
  const given = [of.number, asOf ?? null, place ?? 0, of.firstDay ?? ""];
  const [[whole], steps] = [await database.read(ends, given), await database.read(breaks, given)];
  const columns = new Columns(whole);
  const [last, closing] = [columns.numberOrNull("number"), columns.amountOrNull("closing")];
  const isNeeded = place !== undefined || !ledToBalance(of, closing);
  return {
    rows: columns.number("rows"),
    opening: columns.amountOrNull("opening"),
    closing,
    last: last === null ? null : { number: last, reference: columns.text("reference") },
    acceptedEnd: isNeeded ? acceptedIn(columns, "accepted_reference", "accepted_day") : null,
    breaks: steps.map((step) => breakOf(new Columns(step))),
  };
}

function breakOf(columns: Columns): Break {
  const [left, found] = [columns.amountOrNull("left_open"), columns.amountOrNull("opening")];
  const accepted = acceptedIn(columns, "reference", "day");
  return {
    number: columns.number("number"),
    reference: columns.text("reference"),
    day: columns.text("day"),
    sinceDay: columns.text("since_day"),
    left,
    found,
    accepted: accepted?.gap.equals(gapOf({ left, found })) === true ? accepted : null,
  };
}

/** @param reference the column of the row's reference, and `day` that of its day */
function acceptedIn(columns: Columns, reference: string, day: string): AcceptedGap | null {
  if (columns.textOrNull("side") === null) return null;
  return acceptedGap(columns, { reference: columns.text(reference), day: columns.text(day) });
}
