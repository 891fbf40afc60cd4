import type { Approvals } from "../../journal/approvals.ts";
import type { SubmittedBatch } from "../../journal/submitted-batch.ts";
import type { MoneyTools } from "../../movements/perform.ts";
import type { BatchRun } from "../../movements/batch/run.ts";
import { forgedReason } from "../../movements/batch/submission.ts";
import { RowCounts, rowStates } from "../../movements/batch/result.ts";
import { writeLive } from "../../report/live.ts";
import type { Report, Row, RowsReport } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import type { ApprovedWish } from "./approved-flags.ts";
import { batchEnding, describeCounts } from "../batch/ending.ts";
import { sendBatch } from "../batch/sending.ts";
import { countOf, rows } from "../batch/words.ts";
import { moneyTools } from "../money/tools.ts";
import type { Session } from "../session.ts";
import { findSubmitted, withApprovals } from "./submitted.ts";
import { submittedRow } from "./submitted-fields.ts";
import { askAbout, lookInto } from "./decision.ts";

const columns = [
  { name: "batch", kind: "id" },
  { name: "file", kind: "text" },
  { name: "rows", kind: "count" },
  ...rowStates.map((name) => ({ name, kind: "count" }) as const),
  { name: "submittedBy", kind: "id", title: "submitted by" },
  { name: "decidedBy", kind: "id", title: "approved by" },
] as const;

/** What became of a batch in this run. */
interface Ran {
  readonly id: string;
  readonly row: Row;
  readonly ending: Failure | undefined;
  /** True where the rest of this round would fare no better. */
  readonly isOver: boolean;
}

/** How grave an ending is among those of several batches. */
const gravity = ["setup", "incomplete", "unknown"] as const;

/**
 * Sends what is approved and not done, each batch as it was approved: its rows come from the database, whose triggers
 * compare each order with what was approved once more.
 * @throws {Failure} usage | setup | refused | unavailable | interrupted
 */
export function runApproved(wish: ApprovedWish, session: Session): Promise<Report | undefined> {
  return withApprovals(session, async (approvals) => {
    const runner = new ApprovedRunner(wish, approvals, await moneyTools(session), session);
    if (wish.everyMs === undefined) return runner.once();
    await runner.follow(wish.everyMs);
    return undefined;
  });
}

class ApprovedRunner {
  readonly #wish: ApprovedWish;
  readonly #approvals: Approvals;
  readonly #tools: MoneyTools;
  readonly #session: Session;
  /** What was said of each batch last: a batch that stands still is not told again and again. */
  readonly #said = new Map<string, string>();

  constructor(wish: ApprovedWish, approvals: Approvals, tools: MoneyTools, session: Session) {
    this.#wish = wish;
    this.#approvals = approvals;
    this.#tools = tools;
    this.#session = session;
  }

  async once(): Promise<Report> {
    const ran: Ran[] = [];
    for await (const one of this.#round()) ran.push(one);
    return this.#report(
      ran.map(({ row }) => row),
      () => gravest(ran),
    );
  }

  /** Round after round until a signal comes; what is under way then is finished. */
  async follow(everyMs: number): Promise<void> {
    const { host, result } = this.#session;
    let last: Ran[] = [];
    const rounds = async function* (this: ApprovedRunner): AsyncGenerator<readonly Row[]> {
      for (let isFirst = true; ; isFirst = false) {
        last = [];
        try {
          for await (const ran of this.#round()) {
            last.push(ran);
            if (this.#isNews(ran)) yield [ran.row];
          }
        } catch (error) {
          // What is wrong from the beginning is to be put right; what passes is waited for.
          if (isFirst || !(error instanceof Failure) || error.ending === "bug") throw error;
          if (error.ending !== "interrupted") await this.#session.note(`${error.message} Looking again later.`);
        }
        if (await this.#rest(everyMs)) return;
      }
    };
    const report = this.#report(rounds.call(this), () => gravest(last));
    // A signal that ends the rounds does not end the telling.
    await writeLive(report, result, { ...host, signal: new AbortController().signal });
  }

  /** @returns true where it is time to end */
  async #rest(everyMs: number): Promise<boolean> {
    const { clock, signal } = this.#session.host;
    await clock.sleep(everyMs, signal).catch(() => undefined);
    return signal.aborted;
  }

  async *#round(): AsyncGenerator<Ran> {
    const { id } = this.#wish;
    const ids = id === undefined ? await this.#approvals.left(this.#tools.scope) : [id];
    for (const one of ids) {
      if (this.#session.host.signal.aborted) return;
      const submitted = await findSubmitted(this.#approvals, one);
      // Somebody may have taken it back meanwhile.
      if (id === undefined && submitted.verdict?.decision !== "approved") continue;
      const ran = await this.#run(submitted);
      yield ran;
      if (ran.isOver) return;
    }
  }

  async #run(submitted: SubmittedBatch): Promise<Ran> {
    const { id, verdict, scope } = submitted;
    if (verdict?.decision !== "approved") throw notApproved(submitted);
    if (scope !== this.#tools.scope) throw otherAccount(submitted);
    // What the service has refused is tried again when a person says so, and not every minute.
    const lines = await this.#approvals.toSend(id, this.#wish.id !== undefined);
    let run: Pick<BatchRun, "sentCount" | "stopped"> = { sentCount: 0, stopped: undefined };
    let forged: Failure | undefined;
    try {
      if (lines.size > 0) run = await this.#send(submitted, lines);
    } catch (error) {
      // One such batch does not hold up the others.
      if (!(error instanceof Failure) || error.reason !== forgedReason || this.#wish.id !== undefined) throw error;
      await this.#session.note(`Batch ${id}: ${error.message}`);
      forged = error;
    }
    if (run.sentCount === 0 && run.stopped?.ending === "setup") throw run.stopped;
    const counts = await this.#count(id);
    const ending = forged ?? batchEnding(id, counts, run.stopped);
    if (ending === undefined) await this.#approvals.finish(id);
    if (this.#wish.everyMs === undefined || run.sentCount > 0)
      await this.#session.note(`Batch ${id}: ${describeCounts(counts)}. Its rows: partner batch report ${id}`);
    return { id, row: cells(submitted, counts), ending, isOver: run.stopped !== undefined };
  }

  async #send(submitted: SubmittedBatch, lines: ReadonlySet<number>): Promise<BatchRun> {
    const look = await lookInto(this.#approvals, submitted, this.#session);
    await askAbout(look, `Send ${rows(lines.size)} of this batch?`, this.#wish.yes, this.#session);
    const { concurrency } = this.#wish;
    const sending = { rowCount: lines.size, concurrency, tools: this.#tools, onRow: () => undefined, lines };
    return sendBatch(look.kept, sending, this.#session);
  }

  async #count(id: string): Promise<RowCounts> {
    const counts = new RowCounts();
    for (const { state, count } of await this.#approvals.states(id)) {
      const known = rowStates.find((word) => word === state) ?? "unknown";
      for (let index = 0; index < count; index += 1) counts.add(known);
    }
    return counts;
  }

  #isNews({ id, row }: Ran): boolean {
    const said = JSON.stringify(row);
    const isNews = this.#said.get(id) !== said;
    this.#said.set(id, said);
    return isNews;
  }

  #report(batches: RowsReport["rows"], ending: () => Failure | undefined): RowsReport {
    return {
      shape: "rows",
      columns,
      rows: batches,
      whenEmpty: "Nothing that is approved is left to do.",
      mustShow: true,
      findings: () => ({ notes: [], carried: ending() }),
      happened: "What was sent was sent all the same. See the batches: partner batch list",
    };
  }
}

function cells(submitted: SubmittedBatch, counts: RowCounts): Row {
  const { batch, file, rows: all, submittedBy, decidedBy } = submittedRow(submitted);
  const each = rowStates.map((state) => [state, countOf(counts.of(state))] as const);
  return { batch, file, rows: all, ...Object.fromEntries(each), submittedBy, decidedBy };
}

function gravest(ran: readonly Ran[]): Failure | undefined {
  const endings = ran.map(({ ending }) => ending).filter((ending) => ending !== undefined);
  return endings.toSorted((one, other) => rankOf(other) - rankOf(one))[0];
}

function rankOf({ ending }: Failure): number {
  return gravity.findIndex((word) => word === ending);
}

function notApproved({ id, state }: SubmittedBatch): Failure {
  return new Failure("usage", `Batch ${id} is ${state}, and not approved; nothing was sent.`, {
    hint: `Somebody who is a checker, and did not submit it, approves it: partner batch approve ${id}`,
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
