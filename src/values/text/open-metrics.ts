/** The media type of the exposition format of https://openmetrics.io. */
export const openMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** One value. Labels are the program's own words, never data of people or payments. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly value: number;
}

/** Values of one kind under one name. */
export interface MetricFamily {
  /** A counter's name is without `_total`; a name with a unit ends in the unit. */
  readonly name: string;
  readonly type: "counter" | "gauge" | "info";
  readonly unit?: "seconds" | undefined;
  readonly help: string;
  readonly samples: readonly Sample[];
}

const suffixes = { counter: "_total", gauge: "", info: "_info" } as const;

/** The families as OpenMetrics text. It ends with `# EOF`, so that a text that breaks off is noticed. */
export function openMetricsText(families: readonly MetricFamily[]): string {
  const lines = families.flatMap(({ name, type, unit, help, samples }) => [
    `# TYPE ${name} ${type}`,
    ...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
    `# HELP ${name} ${escaped(help)}`,
    ...samples.map(({ labels, value }) => `${name}${suffixes[type]}${labelText(labels)} ${numberText(value)}`),
  ]);
  return `${[...lines, "# EOF"].join("\n")}\n`;
}

function labelText(labels: Sample["labels"] = {}): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return Number.isFinite(value) ? String(value) : value > 0 ? "+Inf" : "-Inf";
}
