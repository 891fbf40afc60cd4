import type { MetricFamily } from "../../values/text/open-metrics.ts";

/** Which program this is, and since when it has been running. */
export function programMetrics(version: string, startedAt: number): readonly MetricFamily[] {
  return [
    {
      name: "partner_build",
      type: "info",
      help: "The version of partner.",
      samples: [{ labels: { version }, value: 1 }],
    },
    {
      name: "process_start_time_seconds",
      type: "gauge",
      unit: "seconds",
      help: "When this process began, in seconds since 1970.",
      samples: [{ value: startedAt / 1000 }],
    },
  ];
}
