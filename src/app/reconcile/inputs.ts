import { refuseProtected } from "../protected-folders.ts";
import { join } from "node:path";
import { configFolder } from "../../profiles/folders.ts";
import type { Rules } from "../../rules/rule.ts";
import { readRuleFile } from "../../rules/rule-file.ts";
import type { OpenMonths } from "../../statements/reconcile/carry/carry-file.ts";
import { readCarryFile } from "../../statements/reconcile/carry/carry-file.ts";
import { readDecisions } from "../../statements/reconcile/decisions/decision-file.ts";
import type { Decisions } from "../../statements/reconcile/decisions/decisions.ts";
import { Failure } from "../../values/failure.ts";
import type { Day } from "../../values/time/day.ts";
import type { Session } from "../session.ts";
import { refuseOtherForm } from "../output-guard.ts";
import { fillFileName } from "../statements/file-name.ts";
import type { ReconcileFlags } from "./flags.ts";

/** What a person gave for the comparison of one account, as it was read. */
export interface Inputs {
  readonly accountNo: string;
  /** The book's file; undefined to compare with the journal. */
  readonly book: string | undefined;
  readonly rules: Rules | undefined;
  readonly decisions: Decisions | undefined;
  readonly openMonths: OpenMonths | undefined;
  readonly files: AccountFiles;
}

/** The files of an account, with their placeholders filled in. */
export interface AccountFiles {
  readonly save: string | undefined;
  readonly book: string | undefined;
  readonly decisions: string | undefined;
  readonly exceptions: string | undefined;
  readonly carry: string | undefined;
}

/**
 * Reads everything that was given, before any request to the service.
 * @throws {Failure} usage
 */
export async function readInputs(
  session: Session,
  flags: ReconcileFlags,
  accountNo: string,
  files: AccountFiles,
): Promise<Inputs> {
  refuseOtherForm(files.exceptions, "--exceptions", "nothing was written");
  for (const [flag, path] of writtenOf(files)) if (path !== undefined) await refuseProtected(path, flag, session.host);
  await refuseSharedFiles(session, files);
  const { host } = session;
  return {
    accountNo,
    book: files.book,
    rules: await readRules(session, flags.rules),
    decisions: files.decisions === undefined ? undefined : await readDecisions(host, files.decisions),
    openMonths: files.carry === undefined ? undefined : await readCarryFile(host.files, files.carry, accountNo),
    files,
  };
}

/** The rules in the named file, else in `rules.json` beside the profiles, where there is one. */
export async function readRules({ host }: Session, path: string | undefined): Promise<Rules | undefined> {
  if (path !== undefined) return readRuleFile(host, path);
  const usual = ownRules(host);
  const facts = usual === undefined ? undefined : await host.files.facts(usual).catch(() => undefined);
  return usual === undefined || facts === undefined ? undefined : readRuleFile(host, usual);
}

/** Undefined without a folder of settings: then there are no rules in it either. */
function ownRules(host: Session["host"]): string | undefined {
  try {
    return join(configFolder(host), "rules.json");
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** The files of an account, with `{account}`, `{month}` and `{date}` filled in. */
export function filesOf(
  flags: ReconcileFlags,
  save: string | undefined,
  accountNo: string,
  endDate: Day,
): AccountFiles {
  const named = (path: string | undefined) => path && fillFileName(path, accountNo, endDate);
  return {
    save: named(save),
    book: flags.all ? named(flags.book) : flags.book,
    decisions: named(flags.decisions),
    exceptions: named(flags.exceptions),
    carry: named(flags.carry),
  };
}

function writtenOf({ save, exceptions, carry }: AccountFiles) {
  return [
    ["--save", save],
    ["--exceptions", exceptions],
    ["--carry", carry],
  ] as const;
}

/** Refuses an output file that is also an input, through links or not. */
async function refuseSharedFiles({ host }: Session, files: AccountFiles): Promise<void> {
  const read = [
    [files.book, "the book itself"],
    [files.decisions, "the file of the decisions itself"],
    [files.carry, "the file of open items itself"],
    [files.exceptions, "the file of the exceptions itself"],
  ] as const;
  for (const [flag, path] of writtenOf(files))
    for (const [other, is] of read) {
      if (path === undefined || other === undefined || (flag !== "--save" && path === other && isOwn(flag, is)))
        continue;
      if (path !== other && !(await host.files.isSame(path, other))) continue;
      throw new Failure("usage", `${flag} names ${is}; nothing was written.`, { hint: "Name another file." });
    }
}

/** A file that is read and written by design. */
function isOwn(flag: string, is: string): boolean {
  return (flag === "--carry" && is.includes("open items")) || (flag === "--exceptions" && is.includes("exceptions"));
}
