import type { Rows } from "../../contract/endpoint.ts";
import { oldestFirst } from "../../statements/formats/statement-lines.ts";
import type { JsonObject } from "../../values/json.ts";
import type { LedgerAccount } from "../ledger.ts";
import { align, textHash } from "../merge/alignment.ts";
import type { Merged } from "../merge/merge.ts";
import { mergeRows } from "../merge/merge.ts";
import type { Readings } from "../merge/readings.ts";
import type { Bounds, PlaceRange } from "../places.ts";
import { stepFor } from "../places.ts";
import { identityOf } from "../row-facts.ts";
import { decodeRow } from "../stored-row.ts";
import type { Appender, HeldRow } from "../writer.ts";
import { freeRange } from "./append-piece.ts";
import type { PieceSurvey } from "./piece-survey.ts";
import type { Piece, SyncContext } from "./service.ts";

/** How many rows after the last known one are compared with the ledger; later ones are simply new. */
const tailRows = 10_000;
/** No row has a later day. */
const endOfTime = "9999-12-31";

/** Merges the rows of a piece with what the ledger holds of its days. */
export class PieceMerge {
  readonly #context: SyncContext;
  readonly #piece: Piece;
  readonly #survey: PieceSurvey;

  /** @param piece of an account that is in the order of the rows */
  constructor(context: SyncContext, piece: Piece, survey: PieceSurvey) {
    this.#context = context;
    this.#piece = piece;
    this.#survey = survey;
  }

  /**
   * Compares rows up to `tailRows` after the last known one, and appends the rest.
   * @param rows those of the survey
   */
  async store(rows: Rows): Promise<void> {
    const { files } = this.#context;
    const { hashes, isNewestFirst } = this.#survey;
    const held = await this.#held();
    const { kind } = this.#piece.account;
    const matches = align(
      held.map(({ raw }) => textHash(identityOf(decodeRow(raw), kind))),
      hashes,
    );
    const compared = Math.min(hashes.length, lastMatched(matches) + 1 + held.length + tailRows);
    const incoming: JsonObject[] = [];
    const merge = () => this.#merge({ held, incoming, matches: [...matches.subarray(0, compared)] });
    let tail: Appender | undefined;
    try {
      for await (const batch of oldestFirst(rows, { newestFirst: isNewestFirst, files })) {
        const early = batch.slice(0, Math.max(0, compared - incoming.length));
        incoming.push(...early);
        if (early.length === batch.length) continue;
        if (tail === undefined) {
          await merge();
          tail = await this.#appenderOf(hashes.length - compared);
        }
        await tail.add(batch.slice(early.length));
      }
      if (tail === undefined) await merge();
      await tail?.end();
    } finally {
      await tail?.drop();
    }
  }

  async #merge(compared: Compared): Promise<void> {
    const { writer, seenAt } = this.#context;
    const { account, pass } = this.#piece;
    const edits = (await this.#editsOf(compared)) ?? (await this.#editsAfterSpread(compared));
    await writer.apply(account, edits, seenAt);
    for (const { number } of edits.moves) pass.shown.delete(number);
    for (const index of this.#survey.undated)
      if (index < compared.incoming.length) pass.shown.add(edits.places[index] ?? 0);
  }

  /** The edits once every row has a new place; nothing else in the ledger has changed. */
  async #editsAfterSpread(compared: Compared): Promise<Merged> {
    await this.#spread(compared.incoming.length);
    const edits = await this.#editsOf({ ...compared, held: await this.#held() });
    if (edits === undefined) throw new Error("rows find no room between others");
    return edits;
  }

  /** @returns undefined where there is no room between two places */
  async #editsOf(compared: Compared): Promise<Merged | undefined> {
    const { writer, service, listed } = this.#context;
    const { account, period, pass } = this.#piece;
    const bounds = await this.#bounds(compared.held);
    const isDayless = compared.held.some(({ day }) => day === "");
    return mergeRows({
      ...compared,
      kind: account.kind,
      startDay: period.startDate.toString(),
      endDay: period.endDate.toString(),
      live: isDayless ? (listed ?? (await service.balances())[0]) : undefined,
      since: pass.since.toString(),
      shown: pass.shown,
      read: readDays(account),
      bounds,
      before: await this.#rowAt(bounds.before),
      after: await this.#rowAt(bounds.after),
      taken: await writer.takenBetween(account, bounds),
    });
  }

  /** An appender with room for that many rows after the merged ones, which are stored by now. */
  async #appenderOf(rows: number): Promise<Appender> {
    const { writer, seenAt } = this.#context;
    const { account } = this.#piece;
    let range = await this.#rangeBehind();
    if (range.before !== undefined && range.before - range.after <= rows) {
      await this.#spread(rows);
      range = await this.#rangeBehind();
    }
    return writer.appender(account, range, seenAt);
  }

  async #rangeBehind(): Promise<PlaceRange> {
    const held = await this.#held();
    const bounds = await this.#bounds(held);
    const before = held.findLast(({ day }) => day !== "")?.number ?? bounds.before;
    return freeRange(this.#context.writer, this.#piece.account, { ...bounds, before });
  }

  /** Moves all rows of the account apart, so that this many others fit between any two. */
  async #spread(rows: number): Promise<void> {
    const { writer } = this.#context;
    const { account, pass } = this.#piece;
    await writer.spread(account, stepFor(rows, await writer.countHeld(account, "", endOfTime)));
    pass.shown.clear();
  }

  async #held(): Promise<readonly HeldRow[]> {
    const { firstDay, lastDay } = this.#survey;
    return this.#context.writer.held(this.#piece.account, firstDay, lastDay);
  }

  /** The bounds of the days that were read: rows without a day can be of any. */
  #bounds(held: readonly HeldRow[]): Promise<Bounds> {
    const { account, period } = this.#piece;
    const dated = held.filter(({ day }) => day !== "");
    const stretch = { startDay: period.startDate.toString(), first: dated[0]?.number, last: dated.at(-1)?.number };
    return this.#context.writer.around(account, stretch);
  }

  async #rowAt(place: number | undefined): Promise<HeldRow | undefined> {
    return place === undefined ? undefined : this.#context.writer.rowAt(place);
  }
}

/** Rows of a piece next to the held ones. */
type Compared = Pick<Readings, "held" | "incoming" | "matches">;

function readDays({ firstDay, lastDay }: LedgerAccount) {
  return firstDay === null || lastDay === null ? null : { firstDay, lastDay };
}

function lastMatched(matches: Int32Array): number {
  return matches.findLastIndex((place) => place !== -1);
}
