import { namesOfAccount } from "../../journal/account-name.ts";
import type { Approvals } from "../../approvals/approvals.ts";
import { wordsOfMissing } from "../../approvals/standing.ts";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { RowCounts, rowStates } from "../../movements/batch/result.ts";
import type { BatchRun } from "../../movements/batch/run.ts";
import { forgedReason } from "../../movements/approved-batch.ts";
import type { MoneyTools } from "../../movements/perform.ts";
import { resolveByPerson } from "../../movements/resolve/person-word.ts";
import { streamRows } from "../../report/stream.ts";
import type { Report, Row } from "../../report/report.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { describeCounts } from "../batch/counts.ts";
import { batchEnding } from "../batch/ending.ts";
import { checkOfRows, nothingLeft } from "../batch/file-run.ts";
import { reportRows, sendBatch } from "../batch/sending.ts";
import { ignoringSignals } from "../batch/ignore-signals.ts";
import { refuseUnasked } from "../money/confirmation.ts";
import { moneyTools } from "../money/money-context.ts";
import { inquiryOf } from "../journal/checkers-word.ts";
import { expireOldBatches } from "../batch/expiry.ts";
import type { Session } from "../session.ts";
import type { ApprovedOptions } from "./approved-flags.ts";
import { checkApproved } from "./approved-check.ts";
import { afterOthers, approvedReport, approvedRow, gravest, rowsMissing } from "./approved-report.ts";
import { askAbout } from "./decision.ts";
import { refuseOtherWallets } from "./looked.ts";
import { refuseUnapproved } from "./refuse-unapproved.ts";
import { review } from "./review.ts";
import type { SignatureDemand } from "./signing/signed-decisions.ts";
import { readSigners, signedDecisions } from "./signing/signed-decisions.ts";
import { findSubmitted, withApprovals } from "./submitted.ts";

/** The outcome of one batch in this run. */
interface Ran {
  readonly id: string;
  readonly row: Row;
  readonly ending: Failure | undefined;
  /** True where the remaining batches of this round would fail the same way. */
  readonly isOver: boolean;
}

/**
 * Sends what is approved and not done, each batch as it was approved: its rows come from the database, whose triggers
 * compare each order with what was approved once more.
 * @throws {Failure} usage | setup | refused | unavailable | interrupted
 */
export async function runApproved(wish: ApprovedOptions, session: Session): Promise<Report | undefined> {
  refuseUnasked({ yes: wish.yes, dryRun: false }, session, { what: "batch" });
  if (wish.everyMs !== undefined) refuseWholeResult(session);
  return withApprovals(session, async (approvals) => {
    const demand = await readSigners(wish.signers, session);
    const tools = await moneyTools(session, wish);
    await expireOldBatches(tools.journal, session);
    const runner = new ApprovedRunner(wish, demand, approvals, tools, session);
    if (wish.everyMs === undefined) return runner.once();
    await runner.follow(wish.everyMs);
    return undefined;
  });
}

class ApprovedRunner {
  readonly #wish: ApprovedOptions;
  readonly #demand: SignatureDemand;
  readonly #approvals: Approvals;
  readonly #tools: MoneyTools;
  readonly #session: Session;
  /** The last line printed about each batch: a batch without news is not reported again. */
  readonly #said = new Map<string, string>();
  readonly #noted = new Set<string>();
  /** The outcomes of the last round. */
  #last: Ran[] = [];

  constructor(
    wish: ApprovedOptions,
    demand: SignatureDemand,
    approvals: Approvals,
    tools: MoneyTools,
    session: Session,
  ) {
    this.#wish = wish;
    this.#demand = demand;
    this.#approvals = approvals;
    this.#tools = tools;
    this.#session = session;
  }

  async once(): Promise<Report> {
    const rows: Row[] = [];
    let stopped: Failure | undefined;
    try {
      for await (const { row } of this.#round()) rows.push(row);
    } catch (error) {
      // The batches that ran before the failure are reported all the same.
      if (rows.length === 0 || !(error instanceof Failure)) throw error;
      stopped = afterOthers(error);
    }
    return approvedReport(rows, () => gravest([this.#ending(), stopped]));
  }

  /** Runs rounds until a signal comes, and finishes what is under way then. */
  async follow(everyMs: number): Promise<void> {
    const { host, result } = this.#session;
    const report = approvedReport(this.#rounds(everyMs), () => this.#ending());
    // A signal ends the rounds, not the output of their results.
    await streamRows(report, result, ignoringSignals(host));
  }

  async *#rounds(everyMs: number): AsyncGenerator<readonly Row[]> {
    const { news } = this.#approvals;
    const { signal } = this.#session.host;
    for (let isFirst = true; ; isFirst = false) {
      await news.listen(signal);
      try {
        for await (const ran of this.#round()) if (this.#isNews(ran)) yield [ran.row];
      } catch (error) {
        // A setup that is wrong from the start ends the run; a passing failure is retried.
        if (isFirst || !(error instanceof Failure) || error.ending === "bug") throw error;
        if (error.ending !== "interrupted") await this.#session.note(`${error.message} Looking again later.`);
      }
      await news.wait(everyMs, signal);
      if (signal.aborted) return;
    }
  }

  async *#round(): AsyncGenerator<Ran> {
    this.#last = [];
    const { id } = this.#wish;
    const ids = id === undefined ? await this.#left() : [id];
    for (const one of ids) {
      if (this.#session.host.signal.aborted) return;
      const submitted = await findSubmitted(this.#approvals, one);
      // The batch may have been withdrawn meanwhile.
      if (id === undefined && !isApproved(submitted)) continue;
      const ran = await this.#run(submitted);
      this.#last.push(ran);
      yield ran;
      if (ran.isOver) return;
    }
  }

  /** Batches of this account, under whichever of its names they were submitted. */
  async #left(): Promise<string[]> {
    const all = await this.#approvals.left();
    const names = await this.#namesWith(all.map(({ scope }) => scope));
    const own = all.filter(({ scope }) => names.includes(scope));
    for (const { id, hasExpired } of own)
      if (hasExpired) await this.#noteOnce(id, "its approvals have expired; nothing of it was sent.");
    return own.filter(({ hasExpired }) => !hasExpired).map(({ id }) => id);
  }

  async #namesWith(scopes: readonly string[]): Promise<readonly string[]> {
    const { scope, journal } = this.#tools;
    return namesOfAccount(scope, [...(await journal.accounts()), ...scopes]);
  }

  async #run(submitted: SubmittedBatch): Promise<Ran> {
    const { id, scope } = submitted;
    if (!isApproved(submitted)) throw notApproved(submitted);
    const names = await this.#namesWith([scope]);
    if (!names.includes(scope)) throw otherAccount(submitted);
    await this.#enterRefusals(id);
    // Rows that the service refused are retried only when a person asks for this batch, not in every round.
    const lines = await this.#approvals.toSend(id, names, this.#wish.id !== undefined);
    let run: Pick<BatchRun, "sentCount" | "stopped" | "isDoubted"> = {
      sentCount: 0,
      stopped: undefined,
      isDoubted: false,
    };
    let held: Failure | undefined;
    try {
      if (lines.size > 0) run = await this.#send(submitted, lines);
    } catch (error) {
      if (!(error instanceof Failure) || !holdsItself(error) || this.#wish.id !== undefined) throw error;
      await this.#noteOnce(id, error.message);
      held = afterOthers(error);
    }
    if (run.sentCount === 0 && run.stopped?.ending === "setup") throw run.stopped;
    const counts = await this.#count(id, names);
    if (lines.size === 0 && this.#wish.id !== undefined) await this.#session.note(nothingLeft(doneIn(counts)));
    const ending = held ?? rowsMissing(submitted, counts) ?? batchEnding(id, counts, run);
    if (ending === undefined) await this.#approvals.finish(id);
    if (this.#wish.everyMs === undefined || run.sentCount > 0)
      await this.#session.note(`Batch ${id}: ${describeCounts(counts)}. Its rows: partner batch report ${id}`);
    return { id, row: approvedRow(submitted, counts), ending, isOver: run.stopped !== undefined };
  }

  /** Enters rows as refused where runner and checker agree, unless the statement contradicts them by now. */
  async #enterRefusals(id: string): Promise<void> {
    const { journal } = this.#tools;
    for (const { movement: key, evidence } of await this.#approvals.refusals.agreed(id)) {
      const movement = await journal.read(key);
      if (movement === undefined) continue;
      const word = { state: "refused", evidence, againstStatement: false, unchecked: false } as const;
      try {
        await resolveByPerson(movement, word, journal, inquiryOf(journal, this.#session));
      } catch (error) {
        if (!(error instanceof Failure) || error.ending === "interrupted") throw error;
        await this.#noteOnce(id, error.message);
      }
    }
  }

  async #send(submitted: SubmittedBatch, lines: ReadonlySet<number>): Promise<BatchRun> {
    const look = await review(this.#approvals, submitted, this.#session);
    const no = `Nothing of batch ${submitted.id} was sent`;
    const question = { question: `Send ${counted(lines.size, "row")} of this batch?`, no };
    const { concurrency, allowsRepeats, yes } = this.#wish;
    const { id, scope } = submitted;
    const checked = await checkApproved(
      look.kept,
      lines,
      { allowsRepeats, journal: this.#tools.journal },
      this.#session,
    );
    const failure = checked.violations.failure(`Batch ${id}`, `Have it rejected: partner batch reject ${id}.`);
    for (const note of [...checked.notes, ...checked.warnings.map((warning) => `Warning: ${warning}`)])
      await this.#noteOnce(id, note);
    if (failure !== undefined) throw failure;
    refuseOtherWallets(look, checked.wallets);
    const signed = await signedDecisions(look, this.#approvals, this.#demand, this.#session);
    await refuseUnapproved(this.#approvals, look, checked.wallets, signed);
    if (!yes) await askAbout(look, question, this.#session);
    const repeatCheck = await checkOfRows(checked, allowsRepeats, this.#session);
    // The database compares an order with what was approved, the account's name included.
    const tools = { ...this.#tools, scope, repeatCheck };
    const sending = { rowCount: lines.size, concurrency, tools, onRow: () => undefined, lines };
    await reportRows(look.kept, sending, this.#session);
    return sendBatch(look.kept, sending, this.#session);
  }

  /** Prints a line about a batch, unless it was the last line printed about it. */
  async #noteOnce(id: string, line: string): Promise<void> {
    const words = `Batch ${id}: ${line}`;
    if (this.#noted.has(words)) return;
    this.#noted.add(words);
    await this.#session.note(words);
  }

  async #count(id: string, names: readonly string[]): Promise<RowCounts> {
    const counts = new RowCounts();
    for (const { state, count } of await this.#approvals.states(id, names))
      counts.add(rowStates.find((word) => word === state) ?? "unknown", count);
    return counts;
  }

  #ending(): Failure | undefined {
    return gravest(this.#last.map(({ ending }) => ending));
  }

  #isNews({ id, row }: Ran): boolean {
    const said = JSON.stringify(row);
    const isNews = this.#said.get(id) !== said;
    this.#said.set(id, said);
    return isNews;
  }
}

/** True for a failure of this one batch, which does not hold up the others. */
function holdsItself({ reason, ending }: Failure): boolean {
  return reason === forgedReason || ending === "usage";
}

function doneIn(counts: RowCounts): { readonly doneCount: number; readonly unknownCount: number } {
  const doneCount = counts.of("accepted") + counts.of("pending") + counts.of("reversed");
  return { doneCount, unknownCount: counts.of("unknown") };
}

/** A batch that is done is included: its result is reported again. */
function isApproved({ state }: SubmittedBatch): boolean {
  return state === "approved" || state === "running" || state === "done";
}

function notApproved({ id, state, standing }: SubmittedBatch): Failure {
  const missing = standing === undefined ? undefined : wordsOfMissing(standing);
  const why = missing === undefined || standing?.given === 0 ? "" : ` (${missing})`;
  return new Failure("usage", `Batch ${id} is ${state}, and not approved${why}; nothing was sent.`, {
    hint: `A checker other than its maker approves it: partner batch approve ${id}`,
    money: "not moved",
  });
}

/** `--follow` prints rows as they come: results that need all rows at once are refused. */
function refuseWholeResult({ result: { save, sort } }: Session): void {
  if (save === undefined && sort === undefined) return;
  const flag = save === undefined ? "--sort" : "--save";
  throw new Failure("usage", `${flag} is for a result that is complete, and --follow has no end; nothing was sent.`, {
    hint: "Leave it out, and send the rows into a file: -o ndjson >> approved.ndjson",
    money: "not moved",
  });
}

function otherAccount({ id, scope }: SubmittedBatch): Failure {
  return new Failure("usage", `Batch ${id} is for another account; nothing was sent.`, {
    hint: "Name the profile of that account: --profile NAME",
    money: "not moved",
    details: { account: scope },
  });
}
