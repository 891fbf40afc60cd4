import { join } from "node:path";
import type { ClosedAccount } from "../../close/closes.ts";
import type { SinceClose } from "../../close/since-close.ts";
import { sinceClose } from "../../close/since-close.ts";
import { explained, explainTemporary } from "../../report/write-failures.ts";
import { visible } from "../../values/text/text.ts";
import { counted } from "../../values/text/counted.ts";
import { monthName } from "../../values/time/month-name.ts";
import type { Session } from "../session.ts";
import type { CloseFlags } from "./close-flags.ts";
import type { ReconciledFile, StatementFile } from "./close-files.ts";
import { writeReconciliations, writeStatements } from "./close-files.ts";
import { CloseFolder } from "./close-folder.ts";
import { alteredFiles, isEarlierClose, refuseForeign } from "./published-close.ts";
import type { CloseHistory } from "./close-history.ts";
import { closedAccount, firstDayToRead, manifestsOf, readHistory } from "./close-history.ts";
import { closePage } from "./close-page.ts";
import type { CloseReport } from "./close-report.ts";
import { closeReport } from "./close-report.ts";
import { syncMonth } from "./close-sync.ts";
import { closeWorkbook } from "./close-workbook.ts";
import type { MonthFindings } from "./findings.ts";
import { findingsOf } from "./findings.ts";
import type { ClosingMonth } from "./month.ts";
import { monthOf } from "./month.ts";
import type { Proof } from "./proofs.ts";
import { acceptedLines, newAccountLines, problemLines, proveAccounts } from "./proofs.ts";
import { remember } from "./remember.ts";
import { sectionsOf } from "./sections.ts";

/**
 * Closes a month: reads it, proves it, and writes a folder with all of it.
 * @throws {Failure} usage | setup | unavailable where an account cannot be read | mismatch where a proof does not hold
 */
export async function closeMonth(session: Session, flags: CloseFlags): Promise<CloseReport> {
  const month = await monthOf(session, flags);
  const path = flags.to ?? `close-${month.name}`;
  if (!flags.check) await refuseForeign(session.host, path, aboutOf(month));
  await syncMonth(session, month.period, await firstDayToRead(month, session));
  const history = await readHistory(session, month);
  const { host } = session;
  const scratch = flags.check ? await explained(() => host.files.temporaryFolder(), explainTemporary) : undefined;
  const folder =
    scratch === undefined
      ? new CloseFolder(host, path)
      : new CloseFolder(host, join(scratch.path, "close"), explainTemporary);
  try {
    const draft = await draftIn(folder, session, { month, history, formats: flags.formats ?? [] });
    const former = await formerClose(session, path, month, history);
    const isSound = [...draft.problems, ...former.altered].length === 0 && !former.isEarlier && !draft.since.isChanged;
    const isWritten = !flags.check && (isSound || !flags.strict);
    const published = isWritten ? await publish(folder, session, draft) : undefined;
    // A run that was killed before it was recorded left an identical folder.
    const altered = published !== undefined && published.kept === undefined ? [] : former.altered;
    const notes = [...notesOf(draft), ...(published === undefined ? [] : publishedNotes(path, published, former))];
    if (flags.check)
      notes.push(isSound ? `${monthName(month.name)} holds; nothing was written.` : "Nothing was written.");
    const lacking = `${visible(path)} is an earlier close of the month, and lacks what has changed since.`;
    return closeReport(draft.proofs, notes, {
      problems: draft.problems,
      changed: [
        ...(draft.since.isChanged ? draft.since.lines : []),
        ...altered,
        ...(former.isEarlier && !isWritten ? [lacking] : []),
      ],
      written: isWritten ? whereToLook(path, draft) : undefined,
    });
  } finally {
    await folder.discard();
    await scratch?.remove();
  }
}

/** What the manifest says, besides its files, by which a close is recognized. */
function aboutOf({ name, scope }: ClosingMonth) {
  return { month: name, account: scope };
}

/** A close before its folder is published: its figures, its files, and what they prove. */
interface CloseDraft {
  readonly month: ClosingMonth;
  readonly history: CloseHistory;
  readonly findings: MonthFindings;
  readonly statements: readonly StatementFile[];
  readonly reconciled: readonly ReconciledFile[];
  readonly proofs: readonly Proof[];
  readonly accounts: readonly ClosedAccount[];
  readonly problems: readonly string[];
  readonly accepted: readonly string[];
  readonly remarks: readonly string[];
  /** What has changed since the month's last close. */
  readonly since: SinceClose;
}

/** Reads the figures, writes statements and reconciliations into the folder, and proves each account. */
async function draftIn(
  folder: CloseFolder,
  session: Session,
  {
    month,
    history,
    formats,
  }: { readonly month: ClosingMonth; readonly history: CloseHistory; readonly formats: readonly string[] },
): Promise<CloseDraft> {
  const { period } = month;
  const findings = await findingsOf(session, period);
  const files = { accounts: findings.accounts, period };
  const { statements, unwritten } = await writeStatements(session, folder, { ...files, formats: ["csv", ...formats] });
  const reconciled = await writeReconciliations(session, folder, files);
  const unreconciled = new Map(
    reconciled.flatMap(({ account, problem }) => (problem === undefined ? [] : [[account.number, problem]])),
  );
  const { before, between, reopened, otherRows, ofMonth, changes } = history;
  const proofs = proveAccounts({ ...findings, period, before, between, unreconciled, unwritten });
  const accounts = findings.cash.map(closedAccount);
  return {
    month,
    history,
    findings,
    statements,
    reconciled,
    proofs,
    accounts,
    problems: [...problemLines(proofs, { reopened, before }), ...otherRows],
    accepted: acceptedLines(proofs),
    remarks: [...newAccountLines(findings.cash, before), ...findings.undated],
    since: sinceClose(ofMonth, changes, accounts),
  };
}

/** The close that is at the path now. */
interface FormerClose {
  /** Its files that are not what it wrote, in whole lines. */
  readonly altered: readonly string[];
  /** True where a later close of the month has other figures. */
  readonly isEarlier: boolean;
}

async function formerClose(
  { host }: Session,
  path: string,
  month: ClosingMonth,
  { ofMonth }: CloseHistory,
): Promise<FormerClose> {
  const manifests = manifestsOf(ofMonth);
  return {
    altered: await alteredFiles(host, path, { about: aboutOf(month), known: manifests.all }),
    isEarlier: await isEarlierClose(host, path, manifests),
  };
}

interface Published {
  /** How many files the folder has. */
  readonly files: number;
  /** Where the folder is now that was at the path; undefined where there was none, or it was identical. */
  readonly kept: string | undefined;
}

/** Writes the workbook, the page and the manifest, puts the folder in its place, and records the close. */
async function publish(folder: CloseFolder, session: Session, draft: CloseDraft): Promise<Published> {
  const { month, findings, statements, reconciled, problems, accepted, remarks, since, history, accounts } = draft;
  const changed = [...(history.ofMonth.at(-1)?.changed ?? []), ...since.lines];
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
  const proved = problems.length === 0;
  const { sha256, kept, files } = await folder.publish({ ...aboutOf(month), proved });
  const { changes } = history;
  await remember(session, { month, accounts, changes, changed, sha256, proved, path: folder.path, kept });
  return { files, kept };
}

function notesOf({ accepted, remarks, since }: CloseDraft): string[] {
  return [...accepted, ...remarks, ...(since.isChanged ? [] : since.lines)];
}

function publishedNotes(path: string, { files, kept }: Published, { isEarlier }: FormerClose): string[] {
  const wrote = `Wrote ${visible(path)}: ${counted(files, "file")}.`;
  if (kept === undefined) return [wrote];
  return [
    wrote,
    `The close that was there is now ${visible(kept)}.${isEarlier ? " It lacked what has changed since." : ""}`,
  ];
}

function whereToLook(path: string, { reconciled }: CloseDraft): string {
  const page = visible(join(path, "close.html"));
  return reconciled.some((file) => file.path !== undefined)
    ? `${page}, and for books ${visible(join(path, "reconciliations"))}`
    : page;
}
