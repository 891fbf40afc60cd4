import type { Clock } from "../../host/host.ts";
import { formatDuration } from "../../values/time/duration.ts";
import type { Inbox, Watch } from "../inbox/inbox.ts";
import { pruneHint } from "../inbox/prune-hint.ts";
import type { EventPrinter } from "./event-printer.ts";

/** How often progress is written to the disk. */
const restMs = 1_000;
const hintEveryMs = 24 * 60 * 60_000;

interface Receiver {
  readonly clock: Clock;
  readonly inbox: Inbox;
  readonly watch: Watch;
  readonly printer: EventPrinter;
  readonly say: (line: string) => void;
  /** The largest age of a new event by its signature, in milliseconds. */
  readonly maxAgeMs: number;
}

/** What a receiver does once a second: it writes its progress, looks for events of other receivers, and gives hints. */
export class Upkeep {
  readonly #over = new AbortController();
  readonly #ended: Promise<void>;

  constructor(receiver: Receiver) {
    this.#ended = this.#run(receiver);
  }

  /** @returns a promise that resolves when the last round has ended */
  stop(): Promise<void> {
    this.#over.abort();
    return this.#ended;
  }

  async #run({ clock, inbox, watch, printer, say, maxAgeMs }: Receiver): Promise<void> {
    const { signal } = this.#over;
    let isNewSaid = !watch.isFirst;
    let hintAt = clock.now();
    while (!signal.aborted) {
      if (clock.now() >= hintAt) {
        hintAt = clock.now() + hintEveryMs;
        const line = await pruneHint(inbox, clock.now()).catch(() => undefined);
        if (line !== undefined) say(line);
      }
      printer.lookWhenIdle();
      await watch.flush().catch(() => undefined);
      await clock.sleep(restMs, signal).catch(() => undefined);
      // Not before the ready line, which scripts wait for.
      if (!isNewSaid) say(firstNote(maxAgeMs));
      isNewSaid = true;
    }
  }
}

function firstNote(maxAgeMs: number): string {
  const age = formatDuration(maxAgeMs);
  return `The inbox is new: it does not know what was received before. Events older than ${age} are quarantined.`;
}
