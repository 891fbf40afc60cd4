import type { Files } from "../../host/files/files.ts";
import type { Decimal } from "../../values/money/decimal.ts";
import { quotePath } from "../../values/text/text.ts";
import type { Period } from "../../values/time/period.ts";
import { describePeriod } from "../../values/time/period.ts";
import { StatementCheck } from "../check.ts";
import { convertEarlierState } from "./convert-earlier-state.ts";
import { firstPeriod, furtherBack, laterPeriod, wholeMonths } from "./export-days.ts";
import { changedFailure, describeGap, openFailure, openInWords } from "./export-failures.ts";
import { checkFiles, pathOf, pathsOf, refuseForeign, shownPath } from "./export-files.ts";
import type { ExportPlan } from "./export-plan.ts";
import { planExport } from "./export-plan.ts";
import type { ExportRequest } from "./export-request.ts";
import type { ExportState } from "./export-state.ts";
import { readState, writeState } from "./export-state.ts";
import { addRows, completeFiles } from "./file-writes.ts";
import type { ExportedBefore } from "./least-broken.ts";
import type { ReadRow } from "./packed-rows.ts";
import { statementRows } from "./statement-rows.ts";

/** How often a statement that does not end at the current balance is read: money may move between the two reads. */
const endReadsMaxCount = 3;
/** The same for a wider period: if the rows still end elsewhere, something is missing. */
const furtherReadsMaxCount = 1;
/** How many of the service's own breaks are listed. */
const breaksListedMaxCount = 10;

type Append = Extract<ExportPlan, { kind: "append" }>;

/** What a run continues. */
interface Latest {
  readonly state: ExportState;
  /** True after 0.1.0, which kept no balances. */
  readonly isFirst: boolean;
}

/**
 * Reads what has happened since the last exported row and appends the rows that are new, each to the file of its day.
 * Nothing is written where a row is missing: where a balance does not follow from the one before, the run reads further
 * back until it does. Files are replaced as a whole by ones that start with the same bytes.
 * @throws {Failure} usage: the first run needs a start | mismatch: rows are missing, a file or an exported row has
 * changed, or the rows do not add up and `strict` is set | unavailable | setup
 */
export async function continueExport(request: ExportRequest, files: Files): Promise<void> {
  if (request.restart) return begin(request, await startOfFirstRun(request, files), files);
  const latest = await findLatest(request, files);
  return latest === undefined ? begin(request, undefined, files) : continueFrom(request, latest, files);
}

async function findLatest(request: ExportRequest, files: Files): Promise<Latest | undefined> {
  const state = await readState(files, request.memoryPath);
  if (state === undefined) return undefined;
  if (!("version" in state))
    return { isFirst: false, state: await checkFiles(request, await completeFiles(request, state, files), files) };
  const older = await convertEarlierState(request, state, files);
  return older && { isFirst: true, state: await checkFiles(request, older, files) };
}

/** @returns undefined where the command line names it, or has to */
async function startOfFirstRun(request: ExportRequest, files: Files): Promise<string | undefined> {
  if (request.startDate !== undefined) return undefined;
  const state = await readState(files, request.memoryPath);
  return state === undefined || "version" in state ? undefined : state.startDate;
}

async function begin(request: ExportRequest, startDate: string | undefined, files: Files): Promise<void> {
  const period = firstPeriod(request, startDate);
  await refuseForeign(request, period, files);
  await request.note(`Period: ${describePeriod(period)}`);
  const known: ExportedBefore = { rows: [], balanceNow: undefined, openings: [], isFirst: true, startDate: undefined };
  const state: ExportState = {
    startDate: period.startDate.toString(),
    lastDay: undefined,
    monthsReadOn: request.today.toString(),
    balanceNow: undefined,
    openings: [],
    files: [],
    rows: [],
    pending: new Map(),
  };
  const reading = await readSettled(request, period, known, endReadsMaxCount);
  await append(request, state, reading, await emptiedBy(request, period, files), files);
}

/** Files of a restarted export: none keeps its content. */
async function emptiedBy(request: ExportRequest, period: Period, files: Files): Promise<readonly string[]> {
  if (!request.restart) return [];
  const emptied: string[] = [];
  for (const path of pathsOf(request, period)) if ((await files.facts(path)) !== undefined) emptied.push(path);
  return emptied;
}

async function continueFrom(request: ExportRequest, { state, isFirst }: Latest, files: Files): Promise<void> {
  const asked = laterPeriod(request, state);
  const { rows, balanceNow, openings, startDate } = state;
  const known: ExportedBefore = { rows, balanceNow, openings, isFirst, startDate };
  await request.note(`Period: ${describePeriod(asked)}`);
  let reading: Reading;
  for (let period: Period | undefined = asked; ;) {
    const readsMaxCount = period === asked ? endReadsMaxCount : furtherReadsMaxCount;
    reading = await readSettled(request, period, known, readsMaxCount);
    const { plan } = reading;
    if (plan.kind === "changed") throw changedFailure(plan.missing, plan.newRows);
    const wider: Period | undefined =
      plan.kind === "open" ? furtherBack(period, state) : wholeMonths(period, state, plan.newRows, request.today);
    if (wider === undefined && plan.kind === "open") throw openFailure(request, plan, state.startDate);
    if (wider === undefined) break;
    const why = plan.kind === "open" ? openInWords(plan) : "A row came late for a month that has ended";
    await request.note(`${why}: reading again from ${wider.startDate.toString()} …`);
    period = wider;
  }
  const monthsReadOn = asked.isMonthsWhole ? request.today.toString() : state.monthsReadOn;
  await append(request, { ...state, monthsReadOn }, reading, [], files);
}

/** A statement that was read, with the plan for it. */
interface Reading {
  readonly plan: ExportPlan;
  readonly check: StatementCheck;
  readonly known: ExportedBefore;
  readonly balancesNow: readonly Decimal[];
}

/** Reads once, and again while the rows do not end at the current balance. */
async function readSettled(
  request: ExportRequest,
  period: Period,
  known: ExportedBefore,
  readsMaxCount: number,
): Promise<Reading> {
  for (let reads = 1; ; reads++) {
    const balancesNow = isToNow(request, period, known) ? await request.balancesNow() : [];
    const rows = await request.read(period);
    const check = new StatementCheck(request.shape, period);
    const read = await statementRows(check.watch(rows), request.shape, request.renderer());
    const [startDate, endDate] = [period.startDate.toString(), period.endDate.toString()];
    const plan = planExport(known, { rows: read, startDate, endDate, balancesNow });
    if (reads === readsMaxCount || !endsElsewhere(plan)) return { plan, check, known, balancesNow };
  }
}

function endsElsewhere(plan: ExportPlan): boolean {
  const gaps = plan.kind === "append" ? plan.breaks : plan.kind === "open" ? plan.gaps : [];
  return gaps.some(({ before }) => before === undefined);
}

/** False where later rows are left out, or the clock is slow: the current balance then includes other rows. */
function isToNow({ today }: ExportRequest, { startDate, endDate }: Period, { rows }: ExportedBefore): boolean {
  const now = today.toString();
  return startDate.compare(today) <= 0 && endDate.compare(today) >= 0 && rows.every(({ day }) => day <= now);
}

async function append(
  request: ExportRequest,
  state: ExportState,
  { plan, check, known, balancesNow }: Reading,
  emptied: readonly string[],
  files: Files,
): Promise<void> {
  if (plan.kind !== "append") throw new Error("rows are appended that are not whole");
  const breaks = plan.isUnbroken ? "none" : known.rows.length > 0 ? "known" : "unknown";
  const mismatch = request.strict ? check.mismatch(breaks) : undefined;
  if (mismatch !== undefined) throw mismatch;
  await request.note(check.summary(breaks));
  await noteBreaks(request, plan);
  if (plan.leftOut > 0) await request.note(leftOutNote(plan.leftOut, state.startDate));
  const next = {
    ...state,
    lastDay: lastDay(state, plan.newRows, request),
    balanceNow: plan.balanceNow,
    openings: openingsAfter(plan, state, balancesNow),
    rows: plan.rows,
  };
  if (plan.newRows.length > 0 || emptied.length > 0)
    return addRows(request, { state: next, newRows: plan.newRows, emptied }, files);
  await writeState(files, request.memoryPath, next);
  await request.note(nothingNew(request, next));
}

/** The balances of an account that has no rows yet: a later run begins its chain there. */
function openingsAfter({ rows }: Append, { openings }: ExportState, now: readonly Decimal[]): readonly Decimal[] {
  if (rows.length > 0) return [];
  return now.length > 0 ? now : openings;
}

function leftOutNote(count: number, start: string): string {
  const came = count === 1 ? "1 row came and was" : `${count} rows came and were`;
  return `${came} left out: the export begins with ${start}. To begin it earlier: --restart with --start-date.`;
}

async function noteBreaks(request: ExportRequest, { breaks }: Append): Promise<void> {
  if (breaks.length === 0) return;
  await request.note("The service's balances do not follow from each other; later runs take that as known:");
  for (const gap of breaks.slice(0, breaksListedMaxCount)) await request.note(`  ${describeGap(gap)}`);
  if (breaks.length > breaksListedMaxCount) await request.note(`  and ${breaks.length - breaksListedMaxCount} more`);
}

/** Rows of a future day don't move the last day: rows before them have not been read. */
function lastDay(state: ExportState, newRows: readonly ReadRow[], { today }: ExportRequest): string | undefined {
  const now = today.toString();
  return newRows.reduce(
    (last, { day }) => (day !== "" && day <= now && (last === undefined || day > last) ? day : last),
    state.lastDay,
  );
}

function nothingNew(request: ExportRequest, { files, lastDay }: ExportState): string {
  const path = pathOf(request, request.endDate.toString());
  const other = files.find((file) => file.path === pathOf(request, lastDay ?? "")) ?? files[0];
  const name = quotePath(shownPath(request, path));
  if (files.some((file) => file.path === path)) return `Nothing new since the last run: ${name} stays as it is.`;
  if (other === undefined) return `Nothing has moved: ${name} is not written.`;
  return `Nothing new since the last run, which wrote ${quotePath(shownPath(request, other.path))}: ${name} is not written.`;
}
