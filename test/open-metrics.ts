import { expect } from "vitest";

/** Values by `name{labels}`, from a text that follows the grammar of OpenMetrics 1.0. */
export type Figures = Readonly<Record<string, number>>;

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const number = "[+-]?(?:\\d+(?:\\.\\d*)?(?:[eE][+-]?\\d+)?|Inf|NaN)";
const metadata = new RegExp(`^# (TYPE|UNIT|HELP) (${name}) (.*)$`);
const sample = new RegExp(`^(${name})((?:\\{${label}(?:,${label})*\\})?) (${number})$`);
const suffixes: Readonly<Record<string, string>> = { counter: "_total", gauge: "", info: "_info" };

/** Reads a text as a strict scraper does: families in one piece, with type, unit and help before their values. */
export function readOpenMetrics(text: string): Figures {
  expect(text.endsWith("\n# EOF\n")).toBe(true);
  const figures = new Map<string, number>();
  const closed = new Set<string>();
  let family = { name: "", type: "", seen: new Set<string>(), hasSamples: false };
  for (const line of text.split("\n").slice(0, -2)) {
    const [, word = "", about = "", rest = ""] = metadata.exec(line) ?? [];
    if (word !== "") {
      if (about !== family.name) {
        expect(closed).not.toContain(about);
        closed.add(family.name);
        family = { name: about, type: "", seen: new Set(), hasSamples: false };
      }
      expect([line, family.seen.has(word), family.hasSamples]).toEqual([line, false, false]);
      family.seen.add(word);
      if (word === "TYPE") family.type = rest;
      if (word === "UNIT") expect(about.endsWith(`_${rest}`)).toBe(true);
      if (word === "HELP") expect(rest).not.toMatch(/\\(?![\\n"])/);
      continue;
    }
    const [, of = "", labels = "", value = ""] = sample.exec(line) ?? [];
    expect([line, of]).toEqual([line, `${family.name}${suffixes[family.type]}`]);
    expect(figures.has(`${of}${labels}`)).toBe(false);
    if (family.type === "counter") expect(Number(value)).toBeGreaterThanOrEqual(0);
    family.hasSamples = true;
    figures.set(`${of}${labels}`, Number(value));
  }
  return Object.fromEntries(figures);
}
