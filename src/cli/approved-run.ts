import type { Approvals } from "../journal/approvals.ts";
import type { SubmittedBatch } from "../journal/submitted-batch.ts";
import type { MoneyOrder } from "../movements/order.ts";
import type { MoneyTools } from "../movements/perform.ts";
import type { RowCounts } from "../movements/batch/result.ts";
import { rowStates } from "../movements/batch/result.ts";
import { writeLive } from "../report/live.ts";
import type { Report, Row, RowsReport } from "../report/report.ts";
import { Failure } from "../values/failure.ts";
import type { ApprovedWish } from "./approved-flags.ts";
import { batchEnding, describeCounts } from "./batch-ending.ts";
import { countRows } from "./batch-report.ts";
import { sendBatch } from "./batch-run.ts";
import { countOf } from "./batch-words.ts";
import type { Session } from "./session.ts";
import { findSubmitted, withApprovals } from "./submitted.ts";
import { askAbout, lookInto } from "./submitted-look.ts";

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
const gravity = ["incomplete", "unknown"] as const;

/**
 * Sends what is approved and not done, each batch as it was approved: its rows come from the database, whose triggers
 * compare each order with what was approved once more.
 * @throws {Failure} usage | setup | refused | unavailable | interrupted
 */
export function runApproved(wish: ApprovedWish, session: Session): Promise<Report | undefined> {
  return withApprovals(session, async (approvals) => {
    const runner = new ApprovedRunner(wish, approvals, await session.moneyTools(), session);
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
      const ran = await this.#run(await findSubmitted(this.#approvals, one));
      yield ran;
      if (ran.isOver) return;
    }
  }

  async #run(submitted: SubmittedBatch): Promise<Ran> {
    const { id, verdict, scope, rowCount, submittedBy } = submitted;
    const { journal } = this.#tools;
    if (verdict?.decision !== "approved") throw notApproved(submitted);
    if (scope !== this.#tools.scope) throw otherAccount(submitted);
    const look = await lookInto(this.#approvals, submitted, this.#session);
    await askAbout(look, "Send what is left of this batch?", this.#wish.yes, this.#session);
    const run = await sendBatch(
      look.kept,
      {
        rowCount,
        concurrency: this.#wish.concurrency,
        tools: this.#tools,
        onRow: () => undefined,
        isMeant: this.#wish.id === undefined ? (order) => this.#isFresh(order, id) : undefined,
      },
      this.#session,
    );
    if (run.sentCount === 0 && run.stopped?.ending === "setup") throw run.stopped;
    const counts = await countRows(look.kept, { journal, left: run.left }, this.#session);
    const ending = batchEnding(id, counts, run.stopped);
    if (ending === undefined) await this.#approvals.finish(id);
    await this.#tell(id, counts, run.sentCount);
    return {
      id,
      row: { ...cells(id, look.kept.file, counts), submittedBy, decidedBy: verdict.by },
      ending,
      isOver: run.stopped !== undefined,
    };
  }

  /** What the service has refused is tried again when a person says so, and not every minute. */
  async #isFresh({ kind, reference }: MoneyOrder, id: string): Promise<boolean> {
    const { journal, scope } = this.#tools;
    const before = await journal.find({ scope, kind, reference });
    return before?.state !== "refused" || before.batch?.id !== id;
  }

  async #tell(id: string, counts: RowCounts, sentCount: number): Promise<void> {
    if (this.#wish.everyMs === undefined || sentCount > 0)
      await this.#session.note(`Batch ${id}: ${describeCounts(counts)}. Its rows: partner batch report ${id}`);
  }

  #isNews({ id, row }: Ran): boolean {
    const said = JSON.stringify(row);
    const isNews = this.#said.get(id) !== said;
    this.#said.set(id, said);
    return isNews;
  }

  #report(rows: RowsReport["rows"], ending: () => Failure | undefined): RowsReport {
    return {
      shape: "rows",
      columns,
      rows,
      whenEmpty: "Nothing that is approved is left to do.",
      mustShow: true,
      findings: () => ({ notes: [], carried: ending() }),
      happened: "What was sent was sent all the same. See the batches: partner batch list",
    };
  }
}

function cells(id: string, file: string, counts: RowCounts): Row {
  const each = rowStates.map((state) => [state, countOf(counts.of(state))] as const);
  return { batch: id, file, rows: countOf(counts.total), ...Object.fromEntries(each) };
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
