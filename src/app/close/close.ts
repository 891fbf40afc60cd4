import { join } from "node:path";
import type { Cash } from "../../books/cash.ts";
import type { ClosedAccount, ClosedMonth, Closes } from "../../close/closes.ts";
import { closeOf, closesOf, closesOfMonth, hasFiguresOf } from "../../close/closes.ts";
import { otherFigures, sinceClose } from "../../close/since-close.ts";
import type { Reopened } from "../../close/late-rows.ts";
import { changesOf, reopenedMonths } from "../../close/late-rows.ts";
import type { Host } from "../../host/host.ts";
import type { Ledger, LedgerChange } from "../../ledger/ledger.ts";
import type { Findings, Row, RowsReport } from "../../report/report.ts";
import type { Field } from "../../values/field.ts";
import { Failure } from "../../values/failure.ts";
import { Numeral } from "../../values/json.ts";
import { visible } from "../../values/text/text.ts";
import { counted } from "../../values/text/counted.ts";
import type { Day } from "../../values/time/day.ts";
import type { Period } from "../../values/time/period.ts";
import { resolvePeriod } from "../../values/time/period.ts";
import { monthName } from "../../values/time/month-name.ts";
import { cashColumns, cashRow } from "../books/columns.ts";
import { ledgerScope } from "../ledger/kept-scope.ts";
import { withLedger } from "../ledger/open.ts";
import type { Session } from "../session.ts";
import type { CloseFlags } from "./close-flags.ts";
import type { ReconciledFile, StatementFile } from "./close-files.ts";
import { writeReconciliations, writeStatements } from "./close-files.ts";
import type { KnownManifests } from "./close-folder.ts";
import { alteredFiles, CloseFolder, isEarlierClose, refuseForeign } from "./close-folder.ts";
import { closePage } from "./close-page.ts";
import { closeWorkbook } from "./close-workbook.ts";
import { syncMonth } from "./close-sync.ts";
import { keepClose, keptCloses, readCloses } from "./closes-file.ts";
import type { MonthFindings } from "./findings.ts";
import { cashIn, findingsOf } from "./findings.ts";
import { acceptedLines, newAccountLines, problemLines, proveAccounts } from "./proofs.ts";
import type { Proof } from "./proofs.ts";
import { sectionsOf } from "./sections.ts";

/** The result of a close: a row for each account, and problems. */
export interface CloseReport extends RowsReport {
  readonly columns: readonly Field[];
  readonly rows: readonly Row[];
  readonly findings: () => Findings;
}

/** The month that is closed. */
interface Month {
  /** `YYYY-MM`. */
  readonly name: string;
  readonly period: Period;
  readonly scope: string;
}

/**
 * Closes a month: reads it, proves it, and writes a folder with all of it.
 * @throws {Failure} usage | setup | unavailable where an account cannot be read | mismatch where a proof does not hold
 */
export async function closeMonth(session: Session, flags: CloseFlags): Promise<CloseReport> {
  const month = await monthOf(session, flags);
  const path = flags.to ?? `close-${month.name}`;
  const about = { month: month.name, account: month.scope };
  if (!flags.check) await refuseForeign(session.host, path, about);
  await syncMonth(session, month.period, await firstDayToRead(month, session));
  // Read before the figures: a change that another sync adds meanwhile had better be named twice than not at all.
  const { closes, changes } = await withLedger(session, async (ledger) => ({
    closes: await readCloses(session.host, ledger),
    changes: await ledger.changes({ scope: month.scope }),
  }));
  const findings = await findingsOf(session, month.period);
  const earlier = closesOf(closes, month.scope).filter((close) => close.month < month.name);
  const reopened = reopenedMonths(earlier, changes);
  const unsaid = await otherRowsBefore(session, month, { closes, reopened });
  const scratch = flags.check ? await session.host.files.temporaryFolder() : undefined;
  const folder = new CloseFolder(session.host, scratch === undefined ? path : join(scratch.path, "close"));
  const notes: string[] = [];
  try {
    const files = { accounts: findings.accounts, period: month.period };
    const formats = ["csv", ...(flags.formats ?? [])];
    const { statements, unwritten } = await writeStatements(session, folder, { ...files, formats });
    const reconciled = await writeReconciliations(session, folder, files);
    const before = closeOf(closes, month.scope, monthBefore(month.period));
    const bookFiles = reconciled.flatMap(({ path: file }) => file ?? []);
    const unreconciled = new Map(
      reconciled.flatMap(({ account, problem }) => (problem === undefined ? [] : [[account.number, problem]])),
    );
    const proofs = proveAccounts({ ...findings, period: month.period, before, unreconciled, unwritten });
    const problems = [...problemLines(proofs, { reopened, before }), ...unsaid];
    const remarks = [...newAccountLines(findings.cash, before), ...findings.undated];
    const accounts = findings.cash.map(closedAccount);
    const known = closesOfMonth(closes, month.scope, month.name);
    const since = sinceClose(known, changes, accounts);
    const changed = [...(known.at(-1)?.changed ?? []), ...since.lines];
    const accepted = acceptedLines(proofs);
    notes.push(...accepted, ...remarks, ...(since.isChanged ? [] : since.lines));
    const manifests = manifestsOf(known);
    let altered = await alteredFiles(session.host, path, { about, known: manifests.all });
    const isEarlier = await isEarlierClose(session.host, path, manifests);
    const earlierFolder = isEarlier
      ? [`${visible(path)} is an earlier close of the month, and lacks what has changed since.`]
      : [];
    const isSound = [...problems, ...altered, ...earlierFolder].length === 0 && !since.isChanged;
    const isWritten = !flags.check && (isSound || !flags.strict);
    if (isWritten) {
      const parts = { month, findings, statements, reconciled, problems, accepted, changed, remarks };
      const made = await writeParts(session, folder, parts);
      const { sha256, kept } = await folder.publish({ ...about, proved: problems.length === 0 });
      await remember(session, { month, accounts, changes, changed, sha256, proved: problems.length === 0 });
      notes.push(`Wrote ${visible(path)}: ${counted(made + statements.length + bookFiles.length + 1, "file")}.`);
      // A run that was killed before it was recorded left an identical folder.
      if (kept === undefined) altered = [];
      else
        notes.push(
          `The close that was there is now ${visible(kept)}.${isEarlier ? " It lacked what has changed since." : ""}`,
        );
    }
    if (flags.check)
      notes.push(isSound ? `${monthName(month.name)} holds; nothing was written.` : "Nothing was written.");
    const shown = [...(since.isChanged ? since.lines : []), ...altered, ...(isWritten ? [] : earlierFolder)];
    const books = bookFiles.length === 0 ? "" : `, and for books ${visible(join(path, "reconciliations"))}`;
    const written = isWritten ? visible(join(path, "close.html")) + books : undefined;
    return reportOf(proofs, notes, { problems, changed: shown, written });
  } finally {
    await folder.discard();
    await scratch?.remove();
  }
}

/** Rows of the month before that are others than when it was closed, where no change of the ledger says so. */
async function otherRowsBefore(
  session: Session,
  { scope, period }: Month,
  { closes, reopened }: { readonly closes: Closes; readonly reopened: readonly Reopened[] },
): Promise<readonly string[]> {
  const month = monthBefore(period);
  const own = closesOfMonth(closes, scope, month);
  if (own.length === 0 || reopened.some((each) => each.month === month)) return [];
  const cash = await cashIn(session, resolvePeriod({ month }, session.today()));
  return otherFigures(own, cash.map(closedAccount));
}

/** The month before is read again, too, where it was closed: whether it got late rows is one of the proofs. */
async function firstDayToRead({ scope, period }: Month, session: Session): Promise<Day> {
  const month = monthBefore(period);
  const closes = await withLedger(session, (ledger) => readCloses(session.host, ledger));
  const isClosed = closeOf(closes, scope, month) !== undefined;
  return isClosed ? resolvePeriod({ month }, session.today()).startDate : period.startDate;
}

/**
 * The month that the flags mean.
 * @throws {Failure} usage where it is given in two ways, or isn't a month
 */
export function monthAsked({ month, lastMonth }: CloseFlags, session: Session): Pick<Month, "name" | "period"> {
  const period = resolvePeriod({ month, lastMonth }, session.today());
  return { name: period.startDate.toString().slice(0, "2026-10".length), period };
}

/** @throws {Failure} usage where the month is not over */
async function monthOf(session: Session, flags: CloseFlags): Promise<Month> {
  const { name, period } = monthAsked(flags, session);
  if (period.endDate.compare(session.today()) >= 0)
    throw new Failure("usage", `The month ${name} is not over yet.`, {
      hint: "Close it when it is over. Until then: partner report cash --this-month",
    });
  return { name, period, scope: await ledgerScope(session) };
}

/** @param closes those of one month, the last one at the end */
function manifestsOf(closes: readonly ClosedMonth[]): KnownManifests {
  const last = closes.at(-1);
  const current = closes.filter((close) => last !== undefined && hasFiguresOf(close, last));
  return { all: closes.map(({ manifest }) => manifest), current: current.map(({ manifest }) => manifest) };
}

interface Made {
  readonly month: Month;
  readonly findings: MonthFindings;
  readonly statements: readonly StatementFile[];
  readonly reconciled: readonly ReconciledFile[];
  readonly problems: readonly string[];
  readonly accepted: readonly string[];
  readonly changed: readonly string[];
  readonly remarks: readonly string[];
}

/** Writes the workbook and the page. @returns how many files */
async function writeParts(session: Session, folder: CloseFolder, made: Made): Promise<number> {
  const { month, findings, statements, reconciled, problems, accepted, changed, remarks } = made;
  const sections = sectionsOf(findings, statements, reconciled);
  const account = await session.account();
  const head = {
    title: `Close of ${month.name}`,
    profile: `${account.accountId ?? ""} (${account.environment})`.trimStart(),
    period: `${month.period.startDate.toString()} to ${month.period.endDate.toString()}`,
    problems,
    accepted,
    changed,
    remarks,
  };
  await folder.write("close.xlsx", closeWorkbook(head, sections, month.period.endDate));
  await folder.write("close.html", closePage(head, sections));
  return 2;
}

interface Closed {
  readonly month: Month;
  readonly accounts: readonly ClosedAccount[];
  /** What had changed since earlier closes, in words. */
  readonly changed: readonly string[];
  /** The changes that were known before the figures were read. */
  readonly changes: readonly LedgerChange[];
  readonly sha256: string;
  readonly proved: boolean;
}

/** Records a close, unless it is the same as the last one of its month and knows of no further changes. */
async function remember(session: Session, closed: Closed): Promise<void> {
  await withLedger(session, (ledger) => rememberIn(ledger, session.host, closed));
}

async function rememberIn(ledger: Ledger, host: Host, closed: Closed): Promise<void> {
  const { month, accounts, changes, changed, sha256, proved } = closed;
  const last = closeOf(await keptCloses(host, ledger), month.scope, month.name);
  if (last?.manifest === sha256 && reopenedMonths([last], changes).length === 0) return;
  const known = changesOf(month.name, changes);
  const lastChangeAt = known.at(-1)?.seenAt;
  const close = {
    scope: month.scope,
    month: month.name,
    closedAt: host.clock.now(),
    changes: known.length,
    ...(lastChangeAt === undefined ? {} : { lastChangeAt }),
    manifest: sha256,
    proved,
    accounts: [...accounts],
    ...(changed.length === 0 ? {} : { changed: [...changed] }),
  };
  await keepClose(host, ledger, close);
}

function closedAccount({ account, opening, closing, rows }: Cash): ClosedAccount {
  return {
    kind: account.kind,
    account: account.accountNo,
    opening: opening.toString(),
    closing: closing.toString(),
    rows,
  };
}

interface Verdict {
  readonly problems: readonly string[];
  /** What has changed since the month was closed last, in its rows or its folder. */
  readonly changed: readonly string[];
  /** Where to look at it; undefined where nothing was written. */
  readonly written: string | undefined;
}

function mismatchOf({ problems, changed, written }: Verdict): Failure | undefined {
  if (problems.length > 0)
    return new Failure("mismatch", ["Not every proof holds.", ...problems, ...changed].join(" "), {
      hint:
        written === undefined
          ? "Look at each, and close the month again."
          : `Look at each: ${written}. Then close the month again.`,
    });
  if (changed.length === 0) return undefined;
  return new Failure("mismatch", changed.join(" "), {
    hint:
      written !== undefined
        ? "Look at what changed. The month is closed again, and closing it once more ends with 0."
        : "Look at what changed. Then close the month without --check and --strict.",
  });
}

function reportOf(proofs: readonly Proof[], notes: readonly string[], verdict: Verdict): CloseReport {
  const carried = mismatchOf(verdict);
  return {
    shape: "rows",
    columns: [
      ...cashColumns,
      { name: "state", kind: "text", role: "state" },
      { name: "note", kind: "text", role: "what", whole: true },
    ],
    rows: proofs.map(({ cash, problems: own, accepted }) => ({
      ...cashRow(cash),
      rows: Numeral.of(cash.rows),
      state: own.length === 0 ? "proved" : "open",
      note: [...own, ...accepted].join("; "),
    })),
    whenEmpty: "The account has no wallets, and the ledger holds no account.",
    findings: () => ({ notes, carried }),
  };
}

function monthBefore({ startDate }: Period): string {
  return startDate.addDays(-1).toString().slice(0, "2026-10".length);
}
