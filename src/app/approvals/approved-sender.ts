import { namesOfAccount } from "../../journal/account-name.ts";
import type { Approvals } from "../../approvals/approvals.ts";
import { wordsOfMissing } from "../../approvals/standing.ts";
import type { SubmittedBatch } from "../../approvals/submitted-batch.ts";
import { BatchRowCounts, rowStates } from "../../movements/batch/result.ts";
import type { BatchRun } from "../../movements/batch/run.ts";
import { forgedReason } from "../../movements/approved-batch.ts";
import type { MoneyTools } from "../../movements/perform.ts";
import { resolveByPerson } from "../../movements/resolve/person-word.ts";
import type { Row } from "../../report/report.ts";
import { counted } from "../../values/text/counted.ts";
import { Failure } from "../../values/failure.ts";
import { describeCounts } from "../batch/counts.ts";
import { batchEnding } from "../batch/ending.ts";
import { checkOfRows, nothingLeft } from "../batch/file-run.ts";
import { askWitnessAboutRows, sendBatch } from "../batch/sending.ts";
import { inquiryOf } from "../journal/checkers-word.ts";
import type { Session } from "../session.ts";
import type { ApprovedOptions } from "./approved-flags.ts";
import { checkApproved } from "./approved-check.ts";
import { afterOthers, approvedRow, rowsMissing } from "./approved-report.ts";
import { askAbout } from "./decision.ts";
import { refuseOtherWallets } from "./looked.ts";
import { refuseUnapproved } from "./refuse-unapproved.ts";
import { review } from "./review.ts";
import type { SignatureDemand } from "./signing/signed-decisions.ts";
import { signedDecisions } from "./signing/signed-decisions.ts";

/** The outcome of sending one batch. */
export interface SentBatch {
  readonly id: string;
  readonly row: Row;
  readonly sentCount: number;
  readonly ending: Failure | undefined;
  /** True where the remaining batches of this round would fail the same way. */
  readonly isOver: boolean;
}

/** Sends approved batches, one after the other. */
export class ApprovedSender {
  readonly #options: ApprovedOptions;
  readonly #demand: SignatureDemand;
  readonly #approvals: Approvals;
  readonly #tools: MoneyTools;
  readonly #session: Session;
  readonly #noted = new Set<string>();

  constructor(
    options: ApprovedOptions,
    demand: SignatureDemand,
    approvals: Approvals,
    tools: MoneyTools,
    session: Session,
  ) {
    this.#options = options;
    this.#demand = demand;
    this.#approvals = approvals;
    this.#tools = tools;
    this.#session = session;
  }

  /** All names of this account among `scopes` and those in the journal. */
  async namesWith(scopes: readonly string[]): Promise<readonly string[]> {
    const { scope, journal } = this.#tools;
    return namesOfAccount(scope, [...(await journal.accounts()), ...scopes]);
  }

  /**
   * Sends the rows of a batch that are left, and counts all of its rows.
   * @throws {Failure} what concerns more than this batch; any failure, where the command names the batch
   */
  async send(submitted: SubmittedBatch): Promise<SentBatch> {
    const { id, scope } = submitted;
    if (!isApproved(submitted)) throw notApproved(submitted);
    const names = await this.namesWith([scope]);
    if (!names.includes(scope)) throw otherAccount(submitted);
    await this.#enterRefusals(id);
    // Rows that the service refused are retried only when a person asks for this batch, not in every round.
    const lines = await this.#approvals.toSend(id, names, this.#options.id !== undefined);
    let run: Pick<BatchRun, "sentCount" | "stopped" | "isDoubted"> = {
      sentCount: 0,
      stopped: undefined,
      isDoubted: false,
    };
    let ownFailure: Failure | undefined;
    try {
      if (lines.size > 0) run = await this.#sendRows(submitted, lines);
    } catch (error) {
      if (!(error instanceof Failure) || !concernsItAlone(error) || this.#options.id !== undefined) throw error;
      await this.noteOnce(id, error.message);
      ownFailure = afterOthers(error);
    }
    if (run.sentCount === 0 && run.stopped?.ending === "setup") throw run.stopped;
    const counts = await this.#count(id, names);
    if (lines.size === 0 && this.#options.id !== undefined) await this.#session.note(nothingLeft(doneIn(counts)));
    const ending =
      ownFailure ?? rowsMissing(submitted, counts) ?? batchEnding(id, counts, { ...run, isApproved: true });
    if (ending === undefined) await this.#approvals.finish(id);
    if (this.#options.everyMs === undefined || run.sentCount > 0)
      await this.#session.note(`Batch ${id}: ${describeCounts(counts)}. Its rows: partner batch report ${id}`);
    return {
      id,
      row: approvedRow(submitted, counts),
      sentCount: run.sentCount,
      ending,
      isOver: run.stopped !== undefined,
    };
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
        await this.noteOnce(id, error.message);
      }
    }
  }

  async #sendRows(submitted: SubmittedBatch, lines: ReadonlySet<number>): Promise<BatchRun> {
    const look = await review(this.#approvals, submitted, this.#session, !this.#options.yes);
    const no = `None of batch ${submitted.id} was sent`;
    const question = { question: `Send ${counted(lines.size, "row")} of this batch?`, no };
    const { concurrency, allowsRepeats, yes } = this.#options;
    const { id, scope } = submitted;
    const checked = await checkApproved(
      look.kept,
      lines,
      { allowsRepeats, journal: this.#tools.journal },
      this.#session,
    );
    const failure = checked.violations.failure(`Batch ${id}`, {
      correct: () => `Have it rejected: partner batch reject ${id} --reason TEXT.`,
      repeats: `partner batch run --approved ${id} --allow-repeats`,
    });
    for (const note of [...checked.notes, ...checked.warnings.map((warning) => `Warning: ${warning}`)])
      await this.noteOnce(id, note);
    if (failure !== undefined) throw failure;
    refuseOtherWallets(look, checked.wallets);
    const signed = await signedDecisions(look, this.#approvals, this.#demand, this.#session);
    await refuseUnapproved(this.#approvals, look, checked.wallets, signed);
    if (!yes) await askAbout(look, question, this.#session);
    const repeatCheck = await checkOfRows(checked, allowsRepeats, this.#session);
    // The database compares an order with what was approved, the account's name included.
    const tools = { ...this.#tools, scope, repeatCheck };
    const sending = { rowCount: lines.size, concurrency, tools, onRow: () => undefined, lines };
    await askWitnessAboutRows(look.kept, sending, this.#session);
    return sendBatch(look.kept, sending, this.#session);
  }

  /** Prints a line about a batch, unless it was the last line printed about it. */
  async noteOnce(id: string, line: string): Promise<void> {
    const words = line.startsWith(`Batch ${id} `) ? line : `Batch ${id}: ${line}`;
    if (this.#noted.has(words)) return;
    this.#noted.add(words);
    await this.#session.note(words);
  }

  async #count(id: string, names: readonly string[]): Promise<BatchRowCounts> {
    const counts = new BatchRowCounts();
    for (const { state, count } of await this.#approvals.states(id, names))
      counts.add(rowStates.find((word) => word === state) ?? "unknown", count);
    return counts;
  }
}

/** True for a failure of this one batch, which does not hold up the others. */
function concernsItAlone({ reason, ending }: Failure): boolean {
  return reason === forgedReason || ending === "usage";
}

function doneIn(counts: BatchRowCounts): { readonly doneCount: number; readonly unknownCount: number } {
  const doneCount = counts.of("accepted") + counts.of("pending") + counts.of("reversed");
  return { doneCount, unknownCount: counts.of("unknown") };
}

/** A batch that is done is included: its result is reported again. */
export function isApproved({ state }: SubmittedBatch): boolean {
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

function otherAccount({ id, scope }: SubmittedBatch): Failure {
  return new Failure("usage", `Batch ${id} is for another account; nothing was sent.`, {
    hint: "Name the profile of that account: --profile NAME",
    money: "not moved",
    details: { account: scope },
  });
}
