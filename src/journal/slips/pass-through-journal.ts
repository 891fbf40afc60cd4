import type { Day } from "../../values/time/day.ts";
import type { ArchivedOrder, ArchiveFile } from "../archive/archive.ts";
import type { Failure } from "../../values/failure.ts";
import type { HistoryLine, HistoryPlace, RowCounts } from "../history/history.ts";
import type { Around, AskedOrder, Entered, Journal, LeftOutcome, SeenRow } from "../journal.ts";
import type { Movement, MovementEvent, MovementKey } from "../movement.ts";
import type { BatchStanding, SeenCover } from "../redaction/redacting.ts";
import type { OrderLines, RedactionTools } from "../redaction/redacted-order.ts";
import type { CurrencySums } from "../spending.ts";

/** Calls on which slips have no effect: they go to the journal as they are. */
export class PassThroughJournal {
  readonly id: string;
  readonly #journal: Journal;

  constructor(journal: Journal) {
    this.id = journal.id;
    this.#journal = journal;
  }

  get refusal(): Failure | undefined {
    return this.#journal.refusal;
  }

  knownAs(scope: string, words: readonly string[]): Promise<Movement[]> {
    return this.#journal.knownAs(scope, words);
  }

  likes(key: MovementKey, request: string, since: number): Promise<Movement[]> {
    return this.#journal.likes(key, request, since);
  }

  events(id: string): Promise<MovementEvent[]> {
    return this.#journal.events(id);
  }

  eventsOf(ids: readonly string[]): Promise<ReadonlyMap<string, MovementEvent[]>> {
    return this.#journal.eventsOf(ids);
  }

  provedBy(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#journal.provedBy(keys);
  }

  lookAround(key: MovementKey, request: string): Promise<Around> {
    return this.#journal.lookAround(key, request);
  }

  lookAroundAll(scope: string, orders: readonly AskedOrder[], batch?: string): Promise<readonly Around[]> {
    return this.#journal.lookAroundAll(scope, orders, batch);
  }

  keepSeen(rows: readonly SeenRow[]): Promise<number> {
    return this.#journal.keepSeen(rows);
  }

  keepNames(scopes: readonly string[]): Promise<void> {
    return this.#journal.keepNames(scopes);
  }

  spent(scope: string, day: Day): Promise<CurrencySums> {
    return this.#journal.spent(scope, day);
  }

  unsure(): ReturnType<Journal["unsure"]> {
    return this.#journal.unsure();
  }

  accounts(): Promise<readonly string[]> {
    return this.#journal.accounts();
  }

  redact(orders: readonly OrderLines[], tools: RedactionTools): Promise<number> {
    return this.#journal.redact(orders, tools);
  }

  redactSeen(without: SeenCover, isLook: boolean): Promise<number> {
    return this.#journal.redactSeen(without, isLook);
  }

  submitted(before: number): Promise<ReadonlyMap<string, BatchStanding>> {
    return this.#journal.submitted(before);
  }

  redactBatch(batch: OrderLines, tools: RedactionTools): Promise<boolean> {
    return this.#journal.redactBatch(batch, tools);
  }

  archivable(before: number): AsyncIterable<Movement> {
    return this.#journal.archivable(before);
  }

  archive(orders: readonly ArchivedOrder[], file: ArchiveFile): Promise<number> {
    return this.#journal.archive(orders, file);
  }

  hasArchived(): Promise<boolean> {
    return this.#journal.hasArchived();
  }

  proofsOf(id: string): Promise<readonly string[]> {
    return this.#journal.proofsOf(id);
  }

  claimOf(id: string): Promise<string | undefined> {
    return this.#journal.claimOf(id);
  }

  enter(left: LeftOutcome): Promise<Entered> {
    return this.#journal.enter(left);
  }

  history(after?: HistoryPlace): AsyncIterable<HistoryLine> {
    return this.#journal.history(after);
  }

  tally(): ReturnType<Journal["tally"]> {
    return this.#journal.tally();
  }

  verify(newest?: number | RowCounts): Promise<RowCounts> {
    return this.#journal.verify(newest);
  }

  guards(): Promise<readonly string[] | undefined> {
    return this.#journal.guards();
  }

  backup(path: string): Promise<void> {
    return this.#journal.backup(path);
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
