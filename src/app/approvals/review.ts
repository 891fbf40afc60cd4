import type { Approvals } from "../../approvals/approvals.ts";
import type { BatchDecision, SubmittedBatch } from "../../approvals/submitted-batch.ts";
import type { WaitingTwin } from "../../approvals/waiting-twins.ts";
import { namesOfAccount } from "../../journal/account-name.ts";
import { movementNouns } from "../../journal/movement.ts";
import { formerRows } from "../../movements/batch/rows/former-rows.ts";
import type { KeptBatch } from "../../movements/batch/kept-batch.ts";
import { batchLikeWindowMs, RepeatViolations } from "../../movements/batch/repeat-violations.ts";
import { commonParts } from "../../movements/guards/repeats.ts";
import { BatchLook } from "../../movements/look/batch-look.ts";
import type { Changes } from "../../movements/look/changes.ts";
import { changesSince } from "../../movements/look/changes.ts";
import type { DecodedRow, KnownWallets } from "../../movements/look/decoded-row.ts";
import { decodedRow, receiverKey } from "../../movements/look/decoded-row.ts";
import type { MoneyOrder } from "../../movements/order.ts";
import { stateFolder } from "../../profiles/folders.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import { dayInDarEsSalaam } from "../../values/time/day.ts";
import type { Session } from "../session.ts";
import { fetchSubmitted } from "./submitted.ts";

const askedAtOnce = 500;

/** A submitted batch as it was read and verified. */
export interface SubmittedReview {
  readonly submitted: SubmittedBatch;
  readonly kept: KeptBatch;
  readonly look: BatchLook;
  readonly wallets: KnownWallets;
  readonly rows: readonly DecodedRow[];
  /** Rejections of earlier batches that would have paid the same. */
  readonly rejections: readonly (BatchDecision & { readonly batch: string })[];
  /** All decisions about it so far, oldest first. */
  readonly decisions: readonly BatchDecision[];
  /** Rows to receivers who were never paid before by another batch or order. */
  readonly fresh: readonly DecodedRow[];
  /** Rows to people who were paid before, but to another account. */
  readonly moved: readonly DecodedRow[];
  /** Sentences about rows that look like payments made before, or that another batch waits to make. */
  readonly repeats: readonly string[];
  /**
   * Differences from the maker's previous batch, or its id where it cannot be read any more; undefined for the first.
   */
  readonly changes: Changes | { readonly unread: string } | undefined;
}

/**
 * Fetches a batch, checks that it matches its digest, and decodes its orders for a person.
 * @param see called with each of them
 * @throws {Failure} setup where it doesn't match | unavailable
 */
export async function readSubmitted(
  approvals: Approvals,
  submitted: SubmittedBatch,
  session: Session,
  see: (row: DecodedRow, order: MoneyOrder) => void,
): Promise<Pick<SubmittedReview, "kept" | "wallets" | "look">> {
  const wallets = await approvals.wallets(await namesOf(approvals, submitted));
  const look = new BatchLook();
  const kept = await fetchSubmitted(approvals, submitted, session, ({ line, order }) => {
    if (order === undefined) return;
    const row = decodedRow(order, line, wallets);
    look.add(row);
    see(row, order);
  });
  return { kept, wallets, look };
}

/**
 * The same, with everything that is shown to the person who decides.
 * @throws {Failure} setup where it doesn't match its digest | unavailable
 */
export async function review(
  approvals: Approvals,
  submitted: SubmittedBatch,
  session: Session,
  isShown = true,
): Promise<SubmittedReview> {
  const orders: (readonly [MoneyOrder, number])[] = [];
  const rows: DecodedRow[] = [];
  const read = await readSubmitted(approvals, submitted, session, (row, order) => {
    rows.push(row);
    orders.push([order, row.line]);
  });
  const names = await namesOf(approvals, submitted);
  return {
    submitted,
    ...read,
    rows,
    rejections: await approvals.rejectionsBefore(submitted.id),
    decisions: await approvals.decisions(submitted.id),
    ...(await payeesOf(approvals, names, read.look, submitted.id)),
    repeats: isShown
      ? [
          ...(await repeatsOf(orders, submitted, session)),
          ...twinWords(rows, await approvals.waitingTwins(submitted.id, names)),
        ]
      : [],
    changes: await changesOf(approvals, submitted, session, rows),
  };
}

/** All names of a batch's account that are known here, its own first. */
async function namesOf(approvals: Approvals, { scope }: SubmittedBatch): Promise<readonly string[]> {
  return namesOfAccount(scope, await approvals.accounts());
}

async function payeesOf(
  approvals: Approvals,
  names: readonly string[],
  { payees }: BatchLook,
  batch: string,
): Promise<Pick<SubmittedReview, "fresh" | "moved">> {
  const accounts = payees.map(({ row }) => row.to);
  const people = payees.flatMap(({ row }) => row.toName ?? []);
  const paid = payees.length === 0 ? [] : await approvals.paidBefore(names, { batch, accounts, names: people });
  const known = new Set(paid.map(({ account, institution }) => receiverKey(account, institution)));
  const knownNames = new Set(paid.map(({ name }) => name));
  const unpaid = payees.filter(({ key }) => !known.has(key)).map(({ row }) => row);
  const isMoved = ({ toName }: DecodedRow) => toName !== undefined && knownNames.has(toName);
  return { fresh: unpaid.filter((row) => !isMoved(row)), moved: unpaid.filter((row) => isMoved(row)) };
}

/** Rows that look like payments of other batches and orders. */
async function repeatsOf(
  orders: readonly (readonly [MoneyOrder, number])[],
  { id, scope }: SubmittedBatch,
  session: Session,
): Promise<readonly string[]> {
  const journal = await session.journal("read");
  const { host } = session;
  const nowMs = host.clock.now();
  const rowsOf = formerRows(host, stateFolder(host), { scope, today: dayInDarEsSalaam(nowMs) });
  const history = { isThisFile: (batch: string) => batch === id, rowsOf };
  const context = { journal, scope, nowMs, windowMs: batchLikeWindowMs, batch: id, history };
  const repeats = new RepeatViolations(context);
  for (const [{ reference }, line] of orders) repeats.see(reference, line);
  for (const [index, [order, line]] of orders.entries()) {
    repeats.plan(order, line);
    if ((index + 1) % askedAtOnce === 0) await repeats.look();
  }
  await repeats.look();
  const found = await repeats.finish();
  return found.map(({ line, problem }) => `line ${line ?? "?"}: ${problem}`);
}

/** Rows that another waiting batch pays, too. */
function twinWords(rows: readonly DecodedRow[], twins: readonly WaitingTwin[]): string[] {
  const rowOf = new Map(rows.map((row) => [row.line, row]));
  return twins.flatMap((twin) => {
    const row = rowOf.get(twin.line);
    return row === undefined ? [] : [`line ${twin.line}: ${quote(row.reference)}: ${wordsOfTwin(row, twin)}`];
  });
}

function wordsOfTwin(
  { kind, reference }: DecodedRow,
  { batch, submittedBy, otherLine, otherReference, isSame }: WaitingTwin,
): string {
  const whose = `batch ${batch} of ${submittedBy}`;
  if (otherReference !== reference)
    return `a ${movementNouns[kind]} with the same ${commonParts[kind]} waits in ${whose}: ${quote(otherReference)}, line ${otherLine}`;
  return isSame
    ? `${whose} has the same order in line ${otherLine}. It is sent once for both`
    : `${whose} has another order under this reference in line ${otherLine}. Only one of them can be sent`;
}

async function changesOf(
  approvals: Approvals,
  submitted: SubmittedBatch,
  session: Session,
  rows: readonly DecodedRow[],
): Promise<SubmittedReview["changes"]> {
  const former = await approvals.formerOf(submitted.id);
  if (former === undefined) return undefined;
  if (former.isRedacted) return { unread: former.id };
  const before: DecodedRow[] = [];
  try {
    await readSubmitted(approvals, former, session, (row) => void before.push(row));
  } catch (error) {
    if (error instanceof Failure && error.ending === "setup") return { unread: former.id };
    throw error;
  }
  return changesSince({ id: former.id, rows: before }, rows);
}
