import type { Output } from "../../host/host.ts";
import type { Watch } from "../inbox/inbox.ts";
import type { Kept } from "../inbox/inbox.ts";
import type { LineOf } from "./event-line.ts";
import { payloadOf, payloadText } from "./event-line.ts";
import type { EventFilter } from "./event-filter.ts";
import { isWanted } from "./event-filter.ts";

/** How many lines may wait for a slow reader; more are read from the inbox later. */
const waitingMaxLines = 2_000;
const waitingMaxChars = 4 * 1024 * 1024;
const pageMaxRows = 50;

/** An event with its line; no line where the filter excludes it. */
interface Waiting {
  readonly number: number;
  readonly line: string | undefined;
}

export interface PrinterTools {
  readonly stdout: Output;
  readonly watch: Watch;
  readonly filter: EventFilter;
  /** Renders an event. */
  readonly lineOf: LineOf;
  /** After how many lines it ends. */
  readonly maxLines: number;
  /** Called after the last line. */
  readonly onLast: () => void;
  /** Called once: with undefined when the reader has closed the pipe, or with the error when writing fails. */
  readonly onLost: (error: unknown) => void;
}

/**
 * Writes a line for each event, in the order in which they were stored, and records its progress in the inbox: events
 * that were not shown before a crash are shown by the next receiver. It blocks nothing: a slow reader gets its lines
 * later, and memory is bounded.
 */
export class EventPrinter {
  readonly #tools: PrinterTools;
  #waiting: Waiting[] = [];
  #waitingChars = 0;
  /** True while the inbox may have more than what waits here, as at the start: other receivers may have left events. */
  #isBehind = true;
  #offers = 0;
  #last = 0;
  #lines = 0;
  #isLost = false;
  #running: Promise<void> | undefined;

  constructor(tools: PrinterTools) {
    this.#tools = tools;
  }

  /** Offers an event that was just stored. */
  offer(number: number, line: string | undefined): void {
    this.#offers += 1;
    if (!this.#isBehind && this.#hasRoom(line)) {
      this.#waiting.push({ number, line });
      this.#waitingChars += line?.length ?? 0;
    } else this.#isBehind = true;
    this.wake();
  }

  /** Reads the inbox again, which may have an event that was not offered because the answer to storing it was lost. */
  lookAgain(): void {
    this.#offers += 1;
    this.#isBehind = true;
    this.wake();
  }

  /**
   * The same, but only while nothing is printed, as an event may have been released. A busy printer is not slowed down.
   */
  lookWhenIdle(): void {
    if (this.#running === undefined) this.lookAgain();
  }

  wake(): void {
    this.#running ??= this.#print();
  }

  /** Resolves when all stored events are written. */
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
      // The inbox can't be read now; the next stored event triggers another attempt, which reads what was missed.
      this.#isBehind = true;
    }
    // Synchronously: later offers start a new run.
    this.#running = undefined;
  }

  /** The next lines to write; undefined when there are none for now. */
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
      // Later offers may have been stored after this read of the inbox.
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
    if (!this.#isLost && lines.length > 0) await stdout.write(`${this.#lineEnd()}${lines.join("")}`);
    this.#last = written.at(-1)?.number ?? this.#last;
    this.#lines += lines.length;
    if (stdout.closed) this.#lose(undefined);
    if (!this.#isLost) watch.noteShown(this.#last);
    if (this.#lines >= maxLines) onLast();
  }

  /** Ends the half line that an earlier run left in a file, so that the first event isn't a part of it. */
  #lineEnd(): string {
    return this.#lines === 0 && this.#tools.stdout.endsMidLine === true ? "\n" : "";
  }

  /** From now on, lines are only counted, and left for the next receiver. */
  #lose(error: unknown): void {
    if (!this.#isLost) this.#tools.onLost(error);
    this.#isLost = true;
  }
}

/** How many of the batch it takes for that many lines. */
function endAfter(batch: readonly Waiting[], lines: number): number {
  let left = lines;
  const last = batch.findIndex(({ line }) => line !== undefined && (left -= 1) === 0);
  return last === -1 ? batch.length : last + 1;
}
