import type { Approvals } from "../../approvals/approvals.ts";
import { streamRows } from "../../report/stream.ts";
import type { Report, Row } from "../../report/report.ts";
import { needsNewRun } from "../../journal/age/registration-words.ts";
import { Failure } from "../../values/failure.ts";
import { ignoringSignals } from "../batch/ignore-signals.ts";
import { measured } from "../metrics/metrics.ts";
import { RunCounts } from "../metrics/run-counts.ts";
import { refuseUnasked } from "../money/confirmation.ts";
import { moneyTools } from "../money/money-context.ts";
import { expireOldBatches } from "../batch/expiry.ts";
import type { Session } from "../session.ts";
import type { ApprovedOptions } from "./approved-flags.ts";
import { afterOthers, approvedReport, gravest } from "./approved-report.ts";
import type { SentBatch } from "./approved-sender.ts";
import { ApprovedSender, isApproved } from "./approved-sender.ts";
import { readSigners } from "./signing/signed-decisions.ts";
import { findSubmitted, withApprovals } from "./submitted.ts";

/**
 * Sends approved batches that are not done, each exactly as it was approved: its rows come from the database, whose
 * triggers compare each order with the approved one again.
 * @throws {Failure} usage | setup | refused | unavailable | interrupted
 */
export async function runApproved(options: ApprovedOptions, session: Session): Promise<Report | undefined> {
  refuseUnasked({ yes: options.yes, dryRun: false }, session, { what: "batch" });
  if (options.everyMs !== undefined) refuseWholeResult(session);
  return withApprovals(session, async (approvals) => {
    const demand = await readSigners(options.signers, session);
    const tools = await moneyTools(session, options);
    await expireOldBatches(tools.journal, session);
    const sender = new ApprovedSender(options, demand, approvals, tools, session);
    const runner = new ApprovedRunner(options, approvals, session, sender);
    if (options.everyMs === undefined) return runner.once();
    const counts = new RunCounts();
    const { everyMs } = options;
    await measured(session, options.metrics, { counts, journal: tools.journal }, () => runner.follow(everyMs, counts));
    return undefined;
  });
}

class ApprovedRunner {
  readonly #options: ApprovedOptions;
  readonly #approvals: Approvals;
  readonly #session: Session;
  readonly #sender: ApprovedSender;
  /** The last row printed about each batch: a batch without news is not reported again. */
  readonly #said = new Map<string, string>();
  /** The outcomes of the last round. */
  #last: SentBatch[] = [];

  constructor(options: ApprovedOptions, approvals: Approvals, session: Session, sender: ApprovedSender) {
    this.#options = options;
    this.#approvals = approvals;
    this.#session = session;
    this.#sender = sender;
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
  async follow(everyMs: number, counts: RunCounts): Promise<void> {
    const { host, result } = this.#session;
    const report = approvedReport(this.#rounds(everyMs, counts), () => this.#ending());
    // A signal ends the rounds, not the output of their results.
    await streamRows(report, result, ignoringSignals(host));
  }

  async *#rounds(everyMs: number, counts: RunCounts): AsyncGenerator<readonly Row[]> {
    const { news } = this.#approvals;
    const { signal } = this.#session.host;
    for (let isFirst = true; ; isFirst = false) {
      await news.listen(signal);
      try {
        for await (const ran of this.#round()) {
          counts.sent(ran.sentCount);
          if (this.#isNews(ran)) yield [ran.row];
        }
        counts.round("ok", this.#session.host.clock.now());
      } catch (error) {
        // A failure in the first round ends the run; a later one may pass, and the next round tries again.
        if (isFirst || !(error instanceof Failure) || error.ending === "bug" || needsNewRun(error)) throw error;
        counts.round("failed", this.#session.host.clock.now());
        if (error.ending !== "interrupted") await this.#session.note(`${error.message} Looking again later.`);
      }
      await news.wait(everyMs, signal);
      if (signal.aborted) return;
    }
  }

  async *#round(): AsyncGenerator<SentBatch> {
    this.#last = [];
    const { id } = this.#options;
    const ids = id === undefined ? await this.#left() : [id];
    for (const one of ids) {
      if (this.#session.host.signal.aborted) return;
      const submitted = await findSubmitted(this.#approvals, one);
      // The batch may have been withdrawn meanwhile.
      if (id === undefined && !isApproved(submitted)) continue;
      const isAsked = !this.#options.yes && isApproved(submitted);
      if (isAsked && !this.#approvals.isAboveRules) await this.#approvals.rules.requireRunner();
      const ran = await this.#sender.send(submitted);
      this.#last.push(ran);
      yield ran;
      if (ran.isOver) return;
    }
  }

  /** Batches of this account, under whichever of its names they were submitted. */
  async #left(): Promise<string[]> {
    const all = await this.#approvals.left();
    const names = await this.#sender.namesWith(all.map(({ scope }) => scope));
    const own = all.filter(({ scope }) => names.includes(scope));
    for (const { id, hasExpired } of own)
      if (hasExpired) await this.#sender.noteOnce(id, "its approvals have expired; none of it was sent.");
    return own.filter(({ hasExpired }) => !hasExpired).map(({ id }) => id);
  }

  #ending(): Failure | undefined {
    return gravest(this.#last.map(({ ending }) => ending));
  }

  #isNews({ id, row }: SentBatch): boolean {
    const said = JSON.stringify(row);
    const isNews = this.#said.get(id) !== said;
    this.#said.set(id, said);
    return isNews;
  }
}

/** `--follow` prints rows as they come: results that need all rows at once are refused. */
function refuseWholeResult({ result: { save, sort } }: Session): void {
  if (save === undefined && sort === undefined) return;
  const flag = save === undefined ? "--sort" : "--save";
  throw new Failure("usage", `${flag} is for a complete result, but --follow has no end; nothing was sent.`, {
    hint: "Leave it out, and send the rows into a file: -o ndjson >> approved.ndjson",
    money: "not moved",
  });
}
