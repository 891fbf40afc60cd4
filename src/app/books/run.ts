import type { LedgerAccount } from "../../ledger/ledger.ts";
import { Failure } from "../../values/failure.ts";
import { profileField } from "../../values/field.ts";
import { quote } from "../../values/text/text.ts";
import { dayInDarEsSalaam } from "../../values/time/day.ts";
import { wallTime } from "../../values/time/wall-time.ts";
import type { Report, Row, RowsReport } from "../../report/report.ts";
import { lackHint } from "../ledger/as-of.ts";
import { keptScope } from "../ledger/kept-scope.ts";
import { withLedger } from "../ledger/open.ts";
import { syncedAccounts } from "../../ledger/closure.ts";
import { forEachProfile, withProfile } from "../profiles/all-profiles.ts";
import { sharedFigureLines } from "../profiles/shared-accounts.ts";
import type { Session } from "../session.ts";
import { rowFilter } from "../where.ts";
import { barLines } from "./bars.ts";
import { customerForPeople } from "./columns.ts";
import type { AskedReport, Figures } from "./figures.ts";
import { figuresOf, problemsIn } from "./figures.ts";
import type { HintFlags } from "./lacking-days.ts";
import { lackingDays, lackingFailure, readingHint } from "./lacking-days.ts";
import type { ReportFlags, ReportName } from "./report-flags.ts";
import { periodsOf, refuseIdle, saysPeriod } from "./report-periods.ts";

/**
 * A report out of the ledger, of one profile or of all.
 * @throws {Failure} usage | setup | mismatch where the ledger lacks days of the period, or figures do not add up
 */
export async function runReport(
  session: Session,
  name: ReportName,
  months: readonly string[],
  flags: ReportFlags,
): Promise<Report> {
  refuseIdle(name, months, flags, session);
  const asked = { name, periods: await periodsOf(session, name, months, flags), flags };
  const { figures, failure, sharing } = flags.allProfiles ? await ofAll(session, asked) : await ofOne(session, asked);
  await sayAge(session, figures);
  const { columns } = figures;
  const problems = problemsIn(figures);
  const broken = problems.length === 0 ? undefined : brokenFailure(problems, figures, flags);
  const carried = failure ?? broken;
  const nothingOpen = carried === undefined ? "Nothing is open." : "Nothing is open in what the ledger has.";
  const whenEmpty = name === "open" ? nothingOpen : "The ledger has no such rows in this period.";
  const hasFooter = session.format === "table" || session.result.file === "html";
  const notes = [
    ...(hasFooter ? [] : sharing.map((line) => `${line}.`)),
    ...figures.accepted,
    ...(failure === undefined ? [] : problems),
  ];
  const findings = () => ({ notes, carried });
  const forPeople = (rows: readonly Row[]) =>
    name === "customers" && !flags.rows ? rows.map(customerForPeople) : rows;
  if (session.result.file === "html") {
    const page = { ...figures, rows: forPeople(figures.rows) };
    const wrong = failure === undefined ? problems : [failure.message, ...problems];
    return { shape: "file", content: pageOf(asked, page, wrong, whenEmpty), findings };
  }
  const filter = await rowFilter(flags.where, columns);
  const kept = figures.rows.filter((row) => filter?.keeps(row) ?? true);
  const rows = session.format === "table" ? forPeople(kept) : kept;
  const report: RowsReport = {
    shape: "rows",
    columns,
    rows,
    whenEmpty,
    footer: (width) => [...figures.footer(new Set(kept), width), ...(flags.chart ? barLines(name, rows, width) : [])],
    findings,
  };
  return filter?.withMatchCount(report) ?? report;
}

async function* pageOf(
  asked: AskedReport,
  figures: Figures,
  problems: readonly string[],
  whenEmpty: string,
): AsyncGenerator<string> {
  const { reportPage } = await import("./report-page.ts");
  yield reportPage(asked, figures, problems, whenEmpty);
}

interface OfSome {
  readonly figures: Figures;
  readonly failure: Failure | undefined;
  /** A line for each account that several profiles have. */
  readonly sharing: readonly string[];
}

async function ofOne(session: Session, asked: AskedReport): Promise<OfSome> {
  return { figures: await readFigures(session, asked), failure: undefined, sharing: [] };
}

async function ofAll(session: Session, asked: AskedReport): Promise<OfSome> {
  const { done: read, failure } = await forEachProfile(session, async (own) => ({
    figures: await readFigures(own, asked),
    scope: await own.accountScope(),
  }));
  const sharing = sharedFigureLines(new Map(read.map(({ profile, value }) => [profile, value.scope])));
  const done = read.map(({ profile, value: { figures: value } }) => ({ profile, value }));
  const all = done.map(({ value }) => value);
  const named = done.map(({ profile, value }) => ({ profile, value, rows: withProfile(profile, value.rows) }));
  const times = all.flatMap(({ syncedAt }) => syncedAt ?? []);
  return {
    figures: {
      columns: [profileField, ...(all[0]?.columns ?? [])],
      rows: named.flatMap(({ rows }) => rows),
      footer: (shown, width) => [
        ...named.flatMap(({ profile, value, rows }) => {
          const own = value.rows.filter((_, index) => shown.has(rows[index] ?? {}));
          const lines = value.footer(new Set(own), width);
          const isIndented = lines.some((line) => line.startsWith(" "));
          return isIndented ? [`${profile}:`, ...lines] : lines.map((line) => `${profile}: ${line}`);
        }),
        ...sharing,
      ],
      lacking: done.flatMap(({ profile, value }) =>
        value.lacking.map((days) => ({ ...days, words: `${profile}: ${days.words}` })),
      ),
      broken: done.flatMap(({ profile, value }) => value.broken.map((account) => `${profile}: ${account}`)),
      unreached: done.flatMap(({ profile, value }) => value.unreached.map((account) => `${profile}: ${account}`)),
      accepted: done.flatMap(({ profile, value }) => value.accepted.map((words) => `${profile}: ${words}`)),
      syncedAt: times.length === 0 ? undefined : Math.min(...times),
    },
    failure,
    sharing,
  };
}

async function readFigures(session: Session, { name, periods, flags }: AskedReport): Promise<Figures> {
  const { asOf, account: wanted = [] } = flags;
  return withLedger(session, async (ledger) => {
    const held = await ledger.accounts(await keptScope(session, ledger), asOf);
    const accounts = wanted.length === 0 ? held : held.filter(({ accountNo }) => wanted.includes(accountNo));
    refuseUnknown({ held, accounts, wanted, reading: flags });
    const today = asOf === undefined ? session.today() : dayInDarEsSalaam(asOf);
    const lacking = lackingDays(accounts, periods, today);
    if (lacking !== undefined && name !== "open") throw lackingFailure(lacking, flags);
    // Orders are open whatever the ledger holds. Without a period, missing days are only noted.
    if (lacking !== undefined && !saysPeriod(flags)) await session.note(lacking.words);
    // No sync reads a closed account any more: its age says nothing about the others.
    const times = syncedAccounts(accounts).flatMap(({ syncedAt }) => syncedAt ?? []);
    const syncedAt = times.length === 0 ? undefined : Math.min(...times);
    const figures = await figuresOf(session, ledger, accounts, { name, periods, flags });
    return { ...figures, lacking: lacking !== undefined && saysPeriod(flags) ? [lacking] : [], syncedAt };
  });
}

interface Held {
  readonly held: readonly LedgerAccount[];
  readonly accounts: readonly LedgerAccount[];
  readonly wanted: readonly string[];
  readonly reading: HintFlags;
}

function refuseUnknown({ held, accounts, wanted, reading }: Held): void {
  const unknown = wanted.find((number) => !accounts.some(({ accountNo }) => accountNo === number));
  if (held.length > 0 && unknown === undefined) return;
  const all = reading.allProfiles ? "--all-profiles" : "";
  throw new Failure(
    "mismatch",
    unknown === undefined
      ? "The ledger holds no account yet."
      : `The ledger does not hold the account ${quote(unknown)}.`,
    { hint: lackHint(reading.asOf, `Read it first: partner ledger sync ${unknown ?? all}`.trimEnd()) },
  );
}

/** Notes how old the data of the figures is. */
async function sayAge(session: Session, { syncedAt }: Figures): Promise<void> {
  if (syncedAt !== undefined) await session.note(`From the ledger, as of ${wallTime(syncedAt)}.`);
}

function brokenFailure(problems: readonly string[], { lacking }: Figures, reading: HintFlags): Failure {
  return new Failure("mismatch", problems.join(" "), {
    hint: lacking.length > 0 ? readingHint(lacking, reading) : "Look at them: partner ledger status",
  });
}
