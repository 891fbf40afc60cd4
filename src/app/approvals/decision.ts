import type { Approvals } from "../../approvals/approvals.ts";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { columnsOf } from "../../movements/batch/columns.ts";
import type { Expectation } from "../../movements/batch/expectation.ts";
import { describe, unexpected } from "../../movements/batch/expectation.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { Tally, orderAmountOf } from "../../movements/batch/order-amount.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import { askFor } from "../money/confirmation.ts";
import type { Session } from "../session.ts";
import { fetchSubmitted } from "./submitted.ts";

/** Rows that are shown before somebody is asked. */
const shownMaxRows = 20;
const cellMaxChars = 60;

/** A submitted batch as it was found to be. */
export interface SubmittedReview {
  readonly submitted: SubmittedBatch;
  readonly kept: KeptBatch;
  readonly tally: Tally;
  /** The first rows, each as its line and cells. */
  readonly shown: readonly string[];
}

/**
 * Fetches a batch, makes sure that it is what its digest says, and adds it up.
 * @throws {Failure} setup where it is not | unavailable
 */
export async function review(
  approvals: Approvals,
  submitted: SubmittedBatch,
  session: Session,
): Promise<SubmittedReview> {
  const tally = new Tally();
  const shown: string[] = [];
  const kept = await fetchSubmitted(approvals, submitted, session, ({ line, cells, order }) => {
    if (order === undefined) return;
    tally.add(orderAmountOf(order, undefined));
    if (shown.length < shownMaxRows) shown.push(`line ${line}: ${cells.map((cell) => shortened(cell)).join(" | ")}`);
  });
  return { submitted, kept, tally, shown };
}

/** Long words hide nothing behind them: every cell of a row is to be seen. */
function shortened(cell: string): string {
  const letters = Array.from(cell.slice(0, 2 * cellMaxChars));
  return letters.length > cellMaxChars ? `${letters.slice(0, cellMaxChars).join("")}…` : cell;
}

/** @throws {Failure} usage where it is not what a person says it is */
export function checkExpectation(expectation: Expectation, { tally, submitted }: SubmittedReview): void {
  const violations = unexpected(expectation, tally, false);
  if (violations.length === 0) return;
  throw new Failure("usage", `Batch ${submitted.id} is not what is expected; nothing was decided.`, {
    hint: `Look at it: partner batch report ${submitted.id}`,
    money: "not moved",
    details: Object.fromEntries(violations.map(({ column, problem }) => [column ?? "batch", problem])),
  });
}

/** What a person decides about: whose it is, how much, and the first rows of it. */
function wordsOfLook({ submitted, kept, tally, shown }: SubmittedReview): string {
  const { id, scope, submittedBy, submittedAt, state, verdict } = submitted;
  const known = new Set(columnsOf(kept.form.kind).map(({ name }) => name));
  const everyRow = [...kept.form.defaults, ...kept.form.constants].filter(([name]) => known.has(name));
  const more = tally.count - shown.length;
  const lines = [
    `Batch ${id}: ${counted(tally.count, "row")}, ${describe(tally)}`,
    `  file       ${kept.file}`,
    `  account    ${scope}`,
    `  submitted  by ${submittedBy}, ${isoDarEsSalaam(submittedAt)}`,
    ...(verdict === undefined ? [] : [`  ${state.padEnd(9)}  by ${verdict.by}, ${isoDarEsSalaam(verdict.at)}`]),
    ...(kept.form.kind === undefined ? [] : [`  every row  is a ${kept.form.kind}`]),
    ...everyRow.map(([name, value]) => `  every row  ${name}: ${value}`),
    ...shown.map((row) => `  ${row}`),
    ...(more > 0 ? [`  and ${counted(more, "row")} more: partner batch report ${id}`] : []),
  ];
  return lines.map((line) => `${visible(line)}\n`).join("");
}

/** A question about a batch, and what is true when the answer is no, without its full stop. */
export interface BatchQuestion {
  readonly question: string;
  readonly no: string;
}

/**
 * Shows a person a batch, and asks.
 * @throws {Failure} interrupted by a no
 */
export async function askAbout(
  look: SubmittedReview,
  { question, no }: BatchQuestion,
  session: Session,
): Promise<void> {
  await session.host.stderr.write(wordsOfLook(look));
  await askFor(question, { no }, session);
}

/**
 * Refuses to decide where nobody said yes and nobody can be asked.
 * @throws {Failure} usage
 */
export function refuseUndecided(yes: boolean, session: Session): void {
  if (yes || session.canAsk) return;
  throw new Failure("usage", "There is no terminal to ask on; nothing was decided.", {
    hint: "Look at it (partner batch report ID), then add --yes, and --expect-count and --expect-total to be sure.",
    money: "not moved",
  });
}
