import type { BookedRow, Scope } from "../../books/booked-row.ts";
import { rowsOf, withNeighbours } from "../../books/booked-row.ts";
import type { Cash } from "../../books/cash.ts";
import { cashOf } from "../../books/cash.ts";
import { comparisonOf } from "../../books/comparison.ts";
import { customersOf, isPayment } from "../../books/customers.ts";
import { feePayments } from "../../books/fee-payments.ts";
import { feesOf } from "../../books/fees.ts";
import { flowOf } from "../../books/flow.ts";
import { Kinds } from "../../books/kinds.ts";
import { openItems } from "../../books/open-items.ts";
import { acceptedWords } from "../../ledger/accepted-gaps.ts";
import { closureWords } from "../../ledger/closure.ts";
import type { Ledger, LedgerAccount } from "../../ledger/ledger.ts";
import type { Row } from "../../report/report.ts";
import type { Field } from "../../values/field.ts";
import type { Period } from "../../values/time/period.ts";
import { keptScope } from "../ledger/kept-scope.ts";
import type { Session } from "../session.ts";
import {
  bookedCells,
  cashColumns,
  cashRow,
  compareColumns,
  comparedRow,
  customerRow,
  customersColumns,
  feeRow,
  feesColumns,
  flowColumns,
  flowRow,
  openColumns,
  openItemRow,
  periodColumn,
  rowColumns,
} from "./columns.ts";
import type { LackingDays } from "./lacking-days.ts";
import type { ReportFlags, ReportName } from "./report-flags.ts";
import { orderKinds } from "./order-kinds.ts";
import { totalLines } from "./totals.ts";

/** The figures from one profile's ledger. */
export interface Figures {
  readonly columns: readonly Field[];
  readonly rows: readonly Row[];
  /** Lines under a table that shows these rows. */
  readonly footer: (shown: ReadonlySet<Row>, width?: number) => readonly string[];
  /** What the ledger lacks of days that were asked for, where figures are shown all the same. */
  readonly lacking: readonly LackingDays[];
  /** Accounts whose figures do not add up. */
  readonly broken: readonly string[];
  /** Accounts whose rows do not lead to the balance that the service gave. */
  readonly unreached: readonly string[];
  /** Breaks that people have accepted, so that the figures count as adding up; in words. */
  readonly accepted: readonly string[];
  /** The oldest time of a last sync among the accounts, in milliseconds since 1970 UTC. */
  readonly syncedAt: number | undefined;
}

/** What keeps figures from being proved, in whole sentences. */
export function problemsIn({ lacking, broken, unreached }: Figures): readonly string[] {
  return [
    ...lacking.map(({ words }) => words),
    ...(broken.length === 0 ? [] : [`The rows do not add up: ${listed(broken)}.`]),
    ...(unreached.length === 0
      ? []
      : [`The rows of ${listed(unreached)} do not lead to the balance that the service gave.`]),
  ];
}

function listed(accounts: readonly string[]): string {
  return [...new Set(accounts)].join(", ");
}

/** The parameters of a report. */
export interface AskedReport {
  readonly name: ReportName;
  /** One, and two for a comparison. */
  readonly periods: readonly Period[];
  readonly flags: ReportFlags;
}

type Result = Omit<Figures, "syncedAt" | "lacking">;

/** The figures of a report, or with `--rows` the rows that they are made of. */
export async function figuresOf(
  session: Session,
  ledger: Ledger,
  accounts: readonly LedgerAccount[],
  { name, periods, flags }: AskedReport,
): Promise<Result> {
  const [scope, later] = periods.map((period) => scopeOf(accounts, period, flags.asOf));
  if (scope === undefined) throw new Error("A report without a period.");
  const { by } = flags;
  // Of all accounts: the other side of a transfer may be in one that was not asked for.
  const all = await ledger.accounts(await keptScope(session, ledger), flags.asOf);
  const kinds = async (of: Scope) => Kinds.of(ledger, { ...of, accounts: all }, await orderKinds(session));
  if (name === "cash" && !flags.rows) {
    const cash = await cashOf(ledger, scope, by);
    const rows = cash.map(cashRow);
    return {
      ...plain(inIntervals(by, cashColumns), rows),
      footer: (shown, width) => totalLines(cash, (_, index) => shown.has(rows[index] ?? {}), width),
      ...verdictOf(cash, scope.endDay),
    };
  }
  if (name === "compare" && later !== undefined) {
    const [first, second] = [
      await monthOf(ledger, scope, await kinds(scope)),
      await monthOf(ledger, later, await kinds(later)),
    ];
    const columns = compareColumns(scope.startDay.slice(0, monthChars), later.startDay.slice(0, monthChars));
    return {
      ...plain(columns, comparisonOf(first, second).map(comparedRow)),
      ...verdictOf([...first.cash, ...second.cash], scope.endDay > later.endDay ? scope.endDay : later.endDay),
    };
  }
  const known = await kinds(scope);
  const verdict = verdictOf(await cashOf(ledger, scope, undefined), scope.endDay);
  if (name !== "open") return { ...(await movedOf(ledger, { scope, known, name, flags })), ...verdict };
  const look = {
    journal: await session.journal("read"),
    ledger,
    account: await session.accountScope(),
    rows: { ...scope, accounts: all },
    wanted: accounts,
    kinds: known,
    nowMs: flags.asOf ?? session.host.clock.now(),
    untilMs: flags.asOf,
    bookedUntil: withNeighbours(scope).endDay,
  };
  return { ...plain(openColumns, (await openItems(look)).map(openItemRow)), ...verdict };
}

interface Moved {
  readonly scope: Scope;
  readonly known: Kinds;
  readonly name: ReportName;
  readonly flags: ReportFlags;
}

async function movedOf(ledger: Ledger, { scope, known, name, flags }: Moved): Promise<Result> {
  const { by, rows } = flags;
  if (rows) return plain(rowColumns, await rowsBehind(ledger, scope, known, name));
  if (name === "flow") return plain(flowColumns, (await flowOf(ledger, scope, known, by ?? "day")).map(flowRow));
  if (name === "fees") return plain(inIntervals(by, feesColumns), (await feesOf(ledger, scope, known, by)).map(feeRow));
  return plain(inIntervals(by, customersColumns), (await customersOf(ledger, scope, known, by)).map(customerRow));
}

function verdictOf(cash: readonly Cash[], endDay: string): Pick<Figures, "broken" | "unreached" | "accepted"> {
  return {
    broken: cash.filter(({ addsUp }) => !addsUp).map(({ account }) => account.accountNo),
    unreached: cash.filter(({ isReached }) => !isReached).map(({ account }) => account.accountNo),
    // A gap between two months belongs to both.
    accepted: [
      ...new Set(
        cash.flatMap(({ account, accepted }) => {
          const words = [...accepted.map(acceptedWords), ...closureWords(account, endDay)];
          return words.map((each) => `${account.accountNo}: ${each}.`);
        }),
      ),
    ],
  };
}

const monthChars = "2026-10".length;

async function monthOf(ledger: Ledger, scope: Scope, kinds: Kinds) {
  return { cash: await cashOf(ledger, scope, undefined), fees: await feesOf(ledger, scope, kinds, undefined) };
}

async function rowsBehind(
  ledger: Ledger,
  scope: Scope,
  kinds: Kinds,
  name: AskedReport["name"],
): Promise<readonly Row[]> {
  if (name === "fees") return rowsBehindFees(ledger, scope, kinds);
  const rows: Row[] = [];
  for await (const row of rowsOf(ledger, scope))
    if (name !== "customers" || isPayment(row, kinds)) rows.push(bookedCells(row, kinds.of(row)));
  return rows;
}

/** The fees, and what they were taken for, which can lie far before the period; account by account, the oldest first. */
async function rowsBehindFees(ledger: Ledger, scope: Scope, kinds: Kinds): Promise<readonly Row[]> {
  const payments = await feePayments(ledger, scope, kinds);
  const rows = [...payments.values()].flatMap(({ far }) => far ?? []);
  for await (const row of rowsOf(ledger, withNeighbours(scope))) {
    const { isFee, day } = row.facts;
    const isOwn = isFee && day >= scope.startDay && day <= scope.endDay;
    if (isOwn || payments.has(row.number)) rows.push(row);
  }
  const places = new Map(scope.accounts.map(({ number }, place) => [number, place]));
  const placeOf = ({ account }: BookedRow) => places.get(account.number) ?? 0;
  return rows
    .toSorted((one, other) => placeOf(one) - placeOf(other) || one.number - other.number)
    .map((row) => bookedCells(row, kinds.of(row)));
}

function scopeOf(accounts: readonly LedgerAccount[], { startDate, endDate }: Period, asOf: number | undefined): Scope {
  return { accounts, startDay: startDate.toString(), endDay: endDate.toString(), asOf };
}

function inIntervals(by: string | undefined, columns: readonly Field[]): readonly Field[] {
  return by === undefined ? columns : [periodColumn, ...columns];
}

function plain(columns: readonly Field[], rows: readonly Row[]): Result {
  return { columns, rows, footer: () => [], broken: [], unreached: [], accepted: [] };
}
