import { encodeRequest } from "../../contract/request.ts";
import type { Around, AskedOrder, Journal, SeenRow } from "../../journal/journal.ts";
import type { Movement } from "../../journal/movement.ts";
import { nearForm, nearness } from "../../journal/lookups/order-keys.ts";
import { quote } from "../../values/text/text.ts";
import type { MoneyOrder } from "../order.ts";
import type { RepeatCheck, RepeatContext, Sign } from "../guards/repeats.ts";
import { rowsUnder } from "../guards/witness.ts";
import { isOpenLike, isRecent, repeatFailure, signOf, slipsIn } from "../guards/repeats.ts";
import type { FileHistory } from "./rows/former-rows.ts";
import { likeKeyOf } from "./rows/former-rows.ts";
import type { RowViolation } from "./rows/row-reader.ts";

/** How many milliseconds a like order of another batch counts as a fault, unless the profile says otherwise. */
export const batchLikeWindowMs = 3 * 24 * 60 * 60_000;

export interface BatchRepeatContext extends RepeatContext {
  readonly journal: Pick<Journal, "lookAroundAll">;
  /** The id of the batch that the rows belong to, if it is known already. */
  readonly batch?: string | undefined;
  /** Distinguishes rows that were in the file together from the beginning from rows that were added later. */
  readonly history: FileHistory;
}

interface Row {
  readonly line: number;
  readonly reference: string;
}

/** A row and the orders that it could repeat. Whether those are rows of the same file is known only at its end. */
interface Suspect extends Row {
  readonly likeKey: string;
  readonly around: Around;
}

/** True for a row and a like order that were rows of one file when that order was sent. */
export type Siblings = (reference: string, other: Movement) => boolean;

/**
 * Finds rows that look like payments made before: like an order of another batch or of a single one, or under a
 * reference that is written like a used one. Rows that were in one file when it was run count against each other only
 * by their references: two people may get the same amount, and a file that is run again doesn't repeat itself. A row
 * that was added to the file since counts like one of another file.
 */
export class RepeatViolations {
  readonly #context: BatchRepeatContext;
  readonly #lines = new Map<string, number>();
  readonly #forms = new Map<string, Row>();
  readonly #waiting: { readonly line: number; readonly likeKey: string; readonly asked: AskedOrder }[] = [];
  readonly #suspects: Suspect[] = [];
  readonly #shown: string[] = [];
  /** What each row was when its batch was run, by row and batch. */
  readonly #formerly = new Map<string, "alike" | "other">();

  constructor(context: BatchRepeatContext) {
    this.#context = context;
  }

  /** Every reference of the file so far. */
  get references(): ReadonlySet<string> {
    return new Set(this.#lines.keys());
  }

  /** Rows whose own references statements have shown, in sentences: a run asks whether they were paid. */
  get warnings(): readonly string[] {
    return this.#shown;
  }

  /** Notes the reference of a row, whatever becomes of the row. */
  see(reference: string, line: number): RowViolation[] {
    const before = this.#lines.get(reference);
    if (before !== undefined)
      return [{ line, column: "reference", problem: `${quote(reference)} is in line ${before} already` }];
    this.#lines.set(reference, line);
    const form = nearForm(reference);
    const near = this.#forms.get(form);
    if (near === undefined) this.#forms.set(form, { line, reference });
    if (near === undefined) return [];
    const difference = `only by ${nearness(reference, near.reference)}`;
    const problem = `${quote(reference)} differs ${difference} from ${quote(near.reference)} in line ${near.line}`;
    return [{ line, column: "reference", problem, isRepeat: true }];
  }

  /** Adds a row that is to be sent. */
  plan(order: MoneyOrder, line: number): void {
    const { kind, reference, endpoint, input } = order;
    const asked = { kind, reference, request: encodeRequest(endpoint, input).body ?? "{}" };
    this.#waiting.push({ line, likeKey: likeKeyOf(order, this.#context.scope), asked });
  }

  /** Asks the journal about the rows that have been planned since it was asked last. */
  async look(): Promise<void> {
    const rows = this.#waiting.splice(0);
    const { journal, scope, batch } = this.#context;
    const arounds = await journal.lookAroundAll(
      scope,
      rows.map(({ asked }) => asked),
      batch,
    );
    for (const [index, around] of arounds.entries()) {
      const row = rows[index];
      if (row === undefined) continue;
      const shown = rowsUnder(row.asked.reference, around.seen)[0];
      if (shown !== undefined) this.#shown.push(shownWords(row.line, shown));
      const like = around.like.filter((other) => isLikeOfBatch(other, this.#context));
      const near = this.#outsideFile(around.near);
      if (like.length + near.length + around.seen.length === 0) continue;
      const { line, likeKey, asked } = row;
      this.#suspects.push({ line, likeKey, reference: asked.reference, around: { ...around, like, near } });
    }
  }

  /** The violations, after the last row. */
  async finish(): Promise<RowViolation[]> {
    const found: RowViolation[] = [];
    for (const suspect of this.#suspects) found.push(...(await this.#violationsOf(suspect)));
    return found;
  }

  /** True where a file with both of them is only run again. To be asked once every row has been seen. */
  readonly areSiblings: Siblings = (reference, other) => {
    if (!this.#lines.has(other.reference)) return false;
    // A row of the file that was sent by hand, and whose outcome is known.
    if (other.batch === null) return !isOpenLike(other, this.#context.nowMs);
    if (this.#context.history.isThisFile(other.batch.id)) return true;
    const formerly = this.#formerly.get(pairOf(reference, other.batch));
    // A row that was another payment then is now like one whose outcome is unknown.
    return formerly === "alike" || (formerly === "other" && !isOpenLike(other, this.#context.nowMs));
  };

  async #violationsOf(suspect: Suspect): Promise<RowViolation[]> {
    const { line, reference, around } = suspect;
    await this.#remember(suspect);
    const like = around.like.find((other) => !this.areSiblings(reference, other));
    const found = { ...around, near: this.#outsideFile(around.near), accounts: [] };
    const signs = [...slipsIn(reference, found, this.#context), ...(like ? [signOf(like)] : [])];
    return signs
      .slice(0, 1)
      .map((sign) => ({ line, column: "reference", problem: wordsOf(sign, reference), isRepeat: true }));
  }

  /** Looks up what the row was in files that were run before and had other rows of this one. */
  async #remember({ reference, likeKey, around }: Suspect): Promise<void> {
    const { isThisFile, rowsOf } = this.#context.history;
    for (const { batch, reference: other } of around.like) {
      if (batch === null || !this.#lines.has(other) || isThisFile(batch.id)) continue;
      const rows = await rowsOf(batch.id);
      if (!rows.has(reference)) continue;
      this.#formerly.set(pairOf(reference, batch), rows.get(reference) === likeKey ? "alike" : "other");
    }
  }

  #outsideFile(others: readonly Movement[]): Movement[] {
    return others.filter((other) => !this.#lines.has(other.reference));
  }
}

function shownWords(line: number, { reference, accountNo }: SeenRow): string {
  return `line ${line}: the statement of ${accountNo} shows ${quote(reference)}. A run asks it whether this row was paid.`;
}

function pairOf(reference: string, { id }: { readonly id: string }): string {
  return `${id} ${reference}`;
}

/** True for a like order that keeps a row of a batch from being sent. */
function isLikeOfBatch(other: Movement, { nowMs, windowMs }: RepeatContext): boolean {
  if (isOpenLike(other, nowMs)) return true;
  const mayHaveMoved = !["refused", "unsent", "reversed"].includes(other.state);
  return mayHaveMoved && isRecent(other, nowMs, windowMs);
}

/** In words that follow the column's name. */
function wordsOf({ field, words }: Sign, reference: string): string {
  const [first = "", ...rest] = words;
  return field === "like"
    ? `${quote(reference)}: ${first.toLowerCase()}${rest.join("")}`
    : words.replace(/^The reference /, "");
}

/**
 * The same check for one row within its claim: another batch may have begun since.
 * @param references those of the file
 */
export function batchRepeatCheck(
  context: () => RepeatContext,
  references: ReadonlySet<string>,
  areSiblings: Siblings,
): RepeatCheck {
  return (order, around) => {
    const now = context();
    const near = around.near.filter(({ reference }) => !references.has(reference));
    const slips = slipsIn(order.reference, { ...around, near }, now);
    const open = around.like
      .filter((other) => isLikeOfBatch(other, now) && !areSiblings(order.reference, other))
      .map(signOf);
    if (slips.length + open.length > 0) throw repeatFailure(order.reference, { slips, open }, "--allow-repeats");
  };
}
