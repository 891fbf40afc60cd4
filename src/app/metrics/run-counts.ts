import type { MetricFamily } from "../../values/text/open-metrics.ts";

/** What a run with --follow has done since it began. */
export class RunCounts {
  readonly #rounds = new Map([
    ["ok", 0],
    ["failed", 0],
  ]);
  #sent = 0;
  #lastAt: number | undefined;

  round(outcome: "ok" | "failed", at: number): void {
    this.#rounds.set(outcome, (this.#rounds.get(outcome) ?? 0) + 1);
    this.#lastAt = at;
  }

  sent(orders: number): void {
    this.#sent += orders;
  }

  families(): readonly MetricFamily[] {
    return [
      {
        name: "partner_batch_rounds",
        type: "counter",
        help: "Looks for approved batches; a failed one is repeated.",
        samples: [...this.#rounds].map(([outcome, value]) => ({ labels: { outcome }, value })),
      },
      {
        name: "partner_batch_orders_sent",
        type: "counter",
        help: "Orders of approved batches that were sent.",
        samples: [{ value: this.#sent }],
      },
      {
        name: "partner_batch_last_round_timestamp_seconds",
        type: "gauge",
        unit: "seconds",
        help: "When the last look ended, in seconds since 1970.",
        samples: this.#lastAt === undefined ? [] : [{ value: this.#lastAt / 1000 }],
      },
    ];
  }
}
