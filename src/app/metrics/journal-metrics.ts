import type { Clock } from "../../host/host.ts";
import type { Journal } from "../../journal/journal.ts";
import type { MovementState } from "../../journal/movement.ts";
import type { MetricFamily } from "../../values/text/open-metrics.ts";

const settledStates = ["accepted", "reversed", "refused", "unsent"] as const satisfies readonly MovementState[];
const openStates = ["prepared", "sending", "pending", "unknown"] as const satisfies readonly MovementState[];
/** Scrapes within this time get the same figures. A journal that is slow to count is counted less often. */
const freshMs = 5_000;
const shareOfTime = 20;

/** Calls `use` with the journal. */
export type WithJournal = <T>(use: (journal: Journal) => Promise<T>) => Promise<T>;

/** Figures of a journal, cached for so long that counting takes only a small part of the time. */
export class JournalMetrics {
  readonly #clock: Pick<Clock, "elapsed">;
  readonly #withJournal: WithJournal;
  #last: { readonly families: readonly MetricFamily[]; readonly until: number } | undefined;
  #reading: Promise<readonly MetricFamily[]> | undefined;

  constructor(clock: Pick<Clock, "elapsed">, withJournal: WithJournal) {
    this.#clock = clock;
    this.#withJournal = withJournal;
  }

  /** The current families; for a journal that does not answer, only that it doesn't. */
  async families(): Promise<readonly MetricFamily[]> {
    if (this.#last !== undefined && this.#clock.elapsed() < this.#last.until) return this.#last.families;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<readonly MetricFamily[]> {
    const began = this.#clock.elapsed();
    const families = await this.#withJournal((journal) => this.#figures(journal)).catch(() => [reachable(0)]);
    const ended = this.#clock.elapsed();
    this.#last = { families, until: ended + Math.max(freshMs, (ended - began) * shareOfTime) };
    return families;
  }

  async #figures(journal: Journal): Promise<readonly MetricFamily[]> {
    const began = this.#clock.elapsed();
    await journal.accounts();
    const roundTripMs = this.#clock.elapsed() - began;
    const { settled, lastAt } = await journal.tally();
    const counts = new Map<string, number>(settled);
    for await (const { state } of journal.list({ states: openStates })) counts.set(state, (counts.get(state) ?? 0) + 1);
    const states = [...settledStates, ...openStates];
    return [
      reachable(1),
      {
        name: "partner_journal_round_trip_seconds",
        type: "gauge",
        unit: "seconds",
        help: "How long the journal took to answer one short query.",
        samples: [{ value: roundTripMs / 1000 }],
      },
      {
        name: "partner_journal_orders",
        type: "gauge",
        help: "Orders on record by their state; an unknown one has to be resolved.",
        samples: states.map((state) => ({ labels: { state }, value: counts.get(state) ?? 0 })),
      },
      {
        name: "partner_journal_last_order_timestamp_seconds",
        type: "gauge",
        unit: "seconds",
        help: "When the newest order was put on record, in seconds since 1970.",
        samples: lastAt === undefined ? [] : [{ value: lastAt / 1000 }],
      },
    ];
  }
}

function reachable(value: 0 | 1): MetricFamily {
  return {
    name: "partner_journal_up",
    type: "gauge",
    help: "1 if the journal answers.",
    samples: [{ value }],
  };
}
