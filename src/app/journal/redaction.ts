import { createHmac } from "node:crypto";
import type { Cover } from "../../contract/redaction.ts";
import { coveredBy, isCovered, rowWithoutPeople } from "../../contract/redaction.ts";
import { tagOf } from "../../contract/narration-tag.ts";
import { decodeJson, encodeJson } from "../../contract/wire.ts";
import { valueDayOf } from "../../evidence/rows/value-day.ts";
import { forgetFindIndex } from "../../find/trails/open.ts";
import type { Journal } from "../../journal/journal.ts";
import type { OrderLines } from "../../journal/redaction/redacted-order.ts";
import type { SeenCover } from "../../journal/redaction/redacting.ts";
import type { BatchCopy } from "../../movements/batch/finished-copies.ts";
import { finishedCopies } from "../../movements/batch/finished-copies.ts";
import type { Redactable } from "../../movements/redactable.ts";
import { findRedactable } from "../../movements/redactable.ts";
import { stateFolder } from "../../profiles/folders.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json.ts";
import { Failure } from "../../values/failure.ts";
import { counted } from "../../values/text/counted.ts";
import { dayInDarEsSalaam } from "../../values/time/day.ts";
import { windowMaxMs } from "../../values/time/duration.ts";
import { withLedger, withLedgerWriter } from "../ledger/open.ts";
import type { Session } from "../session.ts";

/** How many orders are redacted in one commit. */
const togetherOrders = 200;
const saltBytes = 32;

/** What is about to be removed. */
export interface RedactionPlan extends Redactable {
  readonly copies: readonly BatchCopy[];
  /** How many rows of earlier days have personal data: of the ledger, and of those that `journal recover` noted. */
  readonly rows: number;
}

/** Finds personal data of orders that were finished before that time. */
export async function planRedaction(session: Session, journal: Journal, before: number): Promise<RedactionPlan> {
  const seen = await journal.redactSeen(seenWithout(dayOf(before), coverWith(session)), true);
  return {
    ...(await findRedactable(journal, before)),
    copies: await finishedCopies(session.host, stateFolder(session.host), before, journal),
    rows:
      seen +
      ((await hasLedger(session))
        ? await withLedgerWriter(session, (ledger) => ledger.countPersonal(dayOf(before)))
        : 0),
  };
}

/**
 * A warning where even the latest order is old enough to be redacted: the account is idle, or this machine's clock is
 * ahead.
 * @param before orders that were finished before this are redacted, in milliseconds since 1970
 */
export function clockWarnings({ newest, ...plan }: RedactionPlan, before: number, now: number): string[] {
  if (newest === undefined || newest >= before || isEmptyPlan({ newest, ...plan })) return [];
  const days = Math.floor((now - newest) / 86_400_000);
  const age = `The latest order is of ${dayOf(newest)}, ${counted(days, "day")} ago by this machine's clock`;
  return [`${age}. If that is wrong, correct the clock before anything is redacted: date`];
}

/** True where no personal data is old enough to be redacted. */
export function isEmptyPlan({ orders, batches, copies, rows }: RedactionPlan): boolean {
  return orders.length === 0 && batches.length === 0 && copies.length === 0 && rows === 0;
}

/** How many batches lose their files: copies on this machine, and submitted ones. */
export function batchCount({ batches, copies }: Pick<RedactionPlan, "batches" | "copies">): number {
  return new Set([...batches, ...copies].map(({ id }) => id)).size;
}

/**
 * Removes personal data from the journal, and copies of batches. The next run continues an interrupted one.
 * @returns how many orders and batches were redacted
 */
export async function redactOrders(
  session: Session,
  journal: Journal,
  { orders, batches, copies }: RedactionPlan,
  before: number,
): Promise<{ readonly orders: number; readonly batches: number }> {
  const { clock, files, ids } = session.host;
  for (const { paths } of copies) for (const path of paths) await files.remove(path);
  await forgetFindIndex(session.host, stateFolder(session.host));
  const cover = coverWith(session);
  const tools = {
    before,
    cover,
    salt: (bytes: number) => ids.bytes(bytes),
    // The key of a like order could be guessed from its parts. It stays as long as a window reaches it, since it keeps
    // the same payment from being sent twice.
    likesBefore: clock.now() - windowMaxMs,
  };
  const redacted: OrderLines[] = [];
  for (const batch of batches) if (await journal.redactBatch(batch, { ...tools, isLast: false })) redacted.push(batch);
  let count = 0;
  for (let at = 0; at === 0 || at < orders.length; at += togetherOrders)
    count += await journal.redact(orders.slice(at, at + togetherOrders), {
      ...tools,
      isLast: at + togetherOrders >= orders.length,
    });
  return { orders: count, batches: batchCount({ batches: redacted, copies }) };
}

/**
 * Removes personal data from rows of earlier days: the ledger's, and those that `journal recover` noted.
 * @returns how many rows were redacted
 */
export async function redactRows(session: Session, journal: Journal, before: number): Promise<number> {
  const seen = await journal.redactSeen(seenWithout(dayOf(before), coverWith(session)), false);
  const held = (await hasLedger(session))
    ? await withLedgerWriter(session, (ledger) => ledger.redact(dayOf(before)))
    : 0;
  return seen + held;
}

/**
 * Replaces texts by hashes with a salt that is not kept: without it, a replacement can't be matched with a guessed
 * text.
 */
function coverWith({ host }: Session): Cover {
  const salt = host.ids.bytes(saltBytes);
  return (text) => coveredBy(createHmac("sha256", salt).update(text).digest("hex"));
}

/**
 * Covers noted rows of earlier days. A reference stays used; a narration's last word without a digit is usually a name,
 * and is covered.
 */
function seenWithout(day: string, cover: Cover): SeenCover {
  return ({ reference, row: text }) => {
    const row = decodeJson(text);
    if (!isJsonObject(row)) return undefined;
    const own = typeof row["valueDate"] === "string" ? valueDayOf(row["valueDate"])?.toString() : undefined;
    if (own === undefined || own >= day) return undefined;
    const without = { reference: isWord(reference, row) ? cover(reference, "") : reference, row: "" };
    const covered = encodeJson(rowWithoutPeople(row, cover));
    if (covered === encodeJson(row) && without.reference === reference) return undefined;
    return { ...without, row: covered };
  };
}

function isWord(reference: string, row: JsonObject): boolean {
  const { tranRefNo, narration } = row;
  if (/\d/.test(reference) || isCovered(reference) || reference === tranRefNo) return false;
  return typeof narration === "string" && tagOf(narration) !== reference;
}

/** A missing ledger is not created for this. */
async function hasLedger(session: Session): Promise<boolean> {
  return withLedger(session, async (ledger) => (await ledger.accounts()).length > 0);
}

function dayOf(before: number): string {
  return dayInDarEsSalaam(before).toString();
}

/**
 * Asks a person for confirmation: the texts can't be restored.
 * @throws {Failure} usage where there is no terminal to ask on | interrupted by a no
 */
export async function confirmRedaction(
  session: Session,
  plan: RedactionPlan,
  warnings: readonly string[],
): Promise<void> {
  if (!session.canAsk)
    throw new Failure("usage", "Nothing was redacted: what is taken out cannot be brought back.", {
      hint: "Look at it with --dry-run, then add --yes.",
    });
  const prompts = await session.host.prompts();
  const what = `${counted(plan.orders.length, "order")} and ${counted(plan.rows, "row")} of statements`;
  const count = batchCount(plan);
  const files = count === 0 ? "" : `, and remove the files of ${count} ${count === 1 ? "batch" : "batches"}`;
  await session.host.stderr.write(warnings.map((warning) => `Warning: ${warning}\n`).join(""));
  if (await prompts.confirm(`Take the personal data out of ${what}${files}? Nothing brings it back.`)) return;
  throw new Failure("interrupted", "Nothing was redacted.", { isDeclined: true });
}
