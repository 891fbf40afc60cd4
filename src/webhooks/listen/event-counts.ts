import type { MetricFamily } from "../../values/text/open-metrics.ts";

const outcomes = ["received", "repeated", "quarantined", "refused", "unavailable"] as const;

/** Counts the outcomes of webhooks since this receiver started. */
export class EventCounts {
  readonly #counts = new Map<(typeof outcomes)[number], number>(outcomes.map((outcome) => [outcome, 0]));
  #lastAt: number | undefined;

  /** @param at when an event came; undefined for what isn't one */
  add(outcome: (typeof outcomes)[number], at?: number): void {
    this.#counts.set(outcome, (this.#counts.get(outcome) ?? 0) + 1);
    if (at !== undefined) this.#lastAt = at;
  }

  families(): readonly MetricFamily[] {
    return [
      {
        name: "partner_webhooks",
        type: "counter",
        help: "Webhooks by outcome: refused ones had a bad signature or weren't webhooks, quarantined ones wait for a person.",
        samples: [...this.#counts].map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: "partner_webhook_last_event_timestamp_seconds",
        type: "gauge",
        unit: "seconds",
        help: "When the newest event came, in seconds since 1970.",
        samples: this.#lastAt === undefined ? [] : [{ value: this.#lastAt / 1000 }],
      },
    ];
  }
}
