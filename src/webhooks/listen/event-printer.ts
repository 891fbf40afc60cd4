import type { Output } from "../../host/host.ts";
import type { Watch } from "../inbox/inbox.ts";
import type { Kept } from "../inbox/inbox.ts";
import type { LineOf } from "./event-line.ts";
import { payloadOf, payloadText } from "./event-line.ts";
import type { EventFilter } from "./event-filter.ts";
import { isWanted } from "./event-filter.ts";

/** How much may wait for a reader that is slow; what comes beyond is read from the inbox again. */
const waitingMaxLines = 2_000;
const waitingMaxChars = 4 * 1024 * 1024;
const pageMaxRows = 50;

/** An event and its line; none where nobody wants to hear of it. */
interface Waiting {
  readonly number: number;
  readonly line: string | undefined;
}

export interface PrinterTools {
  readonly stdout: Output;
  readonly watch: Watch;
  readonly filter: EventFilter;
  /** How an event is written. */
  readonly lineOf: LineOf;
  /** No more lines than this. */
  readonly maxLines: number;
  /** Hears when the last line is out. */
  readonly onLast: () => void;
  /** Hears once that nobody reads any more (undefined), or why nothing can be written. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Writes a line for each event, in the order in which they were stored, and notes in the inbox how far it came: what
 * was stored and not shown, because the process was killed, is shown by the next one. It holds nobody up: a reader that
 * is slow gets its lines later, and memory is bounded.
 */
export class EventPrinter {
  readonly #tools: PrinterTools;
  #waiting: Waiting[] = [];
  #waitingChars = 0;
  /** True while there may be more in the inbox than what waits here. It begins with what others left. */
  #isBehind = true;
  #offers = 0;
  #last = 0;
  #lines = 0;
  #isLost = false;
  #running: Promise<void> | undefined;

  constructor(tools: PrinterTools) {
    this.#tools = tools;
  }

  /** An event that was stored just now. */
  offer(number: number, line: string | undefined): void {
    this.#offers += 1;
    if (!this.#isBehind && this.#hasRoom(line)) {
      this.#waiting.push({ number, line });
      this.#waitingChars += line?.length ?? 0;
    } else this.#isBehind = true;
    this.wake();
  }

  /** There may be an event in the inbox that nobody offered: it was stored, and whoever stored it does not know. */
  lookAgain(): void {
    this.#offers += 1;
    this.#isBehind = true;
    this.wake();
  }

  /** The same now and then, while nothing is printed: an event may have been released. A busy printer is not slowed down. */
  lookWhenIdle(): void {
    if (this.#running === undefined) this.lookAgain();
  }

  wake(): void {
    this.#running ??= this.#print();
  }

  /** Resolves when all that was stored is written. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  #hasRoom(line = ""): boolean {
    return this.#waiting.length < waitingMaxLines && this.#waitingChars + line.length <= waitingMaxChars;
  }

  async #print(): Promise<void> {
    try {
      for (let batch = await this.#next(); batch !== undefined; batch = await this.#next())
        await this.#write(batch).catch((error: unknown) => this.#lose(error));
    } catch {
      // The inbox cannot be read now; whoever stores the next event says so, and what was missed is read then.
      this.#isBehind = true;
    }
    // Before anything else can happen: what is offered from now on begins anew.
    this.#running = undefined;
  }

  /** What is to be written next; undefined when there is nothing for now. */
  async #next(): Promise<readonly Waiting[] | undefined> {
    while (this.#lines < this.#tools.maxLines) {
      if (this.#waiting.length > 0) {
        const batch = this.#waiting;
        this.#waiting = [];
        this.#waitingChars = 0;
        return batch;
      }
      if (!this.#isBehind) return undefined;
      const offers = this.#offers;
      const rows = await this.#tools.watch.unshown(this.#last, pageMaxRows);
      if (rows.length > 0) return rows.map((kept) => this.#waitingOf(kept));
      // What was offered meanwhile may have been stored after the look into the inbox.
      if (offers === this.#offers) this.#isBehind = false;
    }
    return undefined;
  }

  #waitingOf(kept: Kept): Waiting {
    const [text, payload] = [payloadText(kept.body), payloadOf(kept)];
    const isShown = text !== undefined && payload !== undefined && isWanted({ payload }, this.#tools.filter);
    return { number: kept.number, line: isShown ? this.#tools.lineOf(kept, text) : undefined };
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    const { stdout, watch, maxLines, onLast } = this.#tools;
    const left = maxLines - this.#lines;
    const end = endAfter(batch, left);
    const written = batch.slice(0, end);
    const lines = written.flatMap(({ line }) => line ?? []);
    if (!this.#isLost && lines.length > 0) await stdout.write(lines.join(""));
    this.#last = written.at(-1)?.number ?? this.#last;
    this.#lines += lines.length;
    if (stdout.closed) this.#lose(undefined);
    if (!this.#isLost) watch.noteShown(this.#last);
    if (this.#lines >= maxLines) onLast();
  }

  /** Lines go nowhere from now on. They are still counted, and left for the next receiver to show. */
  #lose(error: unknown): void {
    if (!this.#isLost) this.#tools.onLost(error);
    this.#isLost = true;
  }
}

/** How many of them hold that many lines. */
function endAfter(batch: readonly Waiting[], lines: number): number {
  let left = lines;
  const last = batch.findIndex(({ line }) => line !== undefined && (left -= 1) === 0);
  return last === -1 ? batch.length : last + 1;
}
