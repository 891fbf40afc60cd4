import { endpoints } from "../contract/endpoints.ts";
import { parseDuration } from "../values/duration.ts";
import { closest } from "../values/closest.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text.ts";

/** What can go wrong at the simulator, and with what: a request and its answer, or a callback. */
interface FaultKind {
  readonly name: string;
  readonly hits: "requests" | "callbacks";
  /** What has to stand behind the name: a length of time, or a number of bytes. */
  readonly takes?: "TIME" | "BYTES" | undefined;
  readonly meaning: string;
}

/** The faults, as the help and the README print them. Of our invention, each met in the wild. */
export const faultKinds = [
  { name: "reset-request", hits: "requests", meaning: "the connection is reset, nothing is done" },
  { name: "fail-request", hits: "requests", meaning: "answers 500, nothing is done" },
  { name: "lose-answer", hits: "requests", meaning: "it is done; the connection is reset before the answer" },
  { name: "fail-answer", hits: "requests", meaning: "it is done; answers 500" },
  { name: "swap-answer", hits: "requests", meaning: "it is done; the answer speaks of another reference" },
  { name: "cut-answer", hits: "requests", takes: "BYTES", meaning: "it is done; the answer ends early" },
  { name: "reset-answer", hits: "requests", takes: "BYTES", meaning: "it is done; a reset within the answer" },
  { name: "stall-answer", hits: "requests", takes: "BYTES", meaning: "it is done; the answer stops and never ends" },
  { name: "slow-headers", hits: "requests", takes: "TIME", meaning: "it is done; the answer comes late" },
  { name: "slow-body", hits: "requests", takes: "TIME", meaning: "it is done; a pause in the middle of the answer" },
  { name: "drop-callback", hits: "callbacks", meaning: "it never comes" },
  { name: "delay-callback", hits: "callbacks", takes: "TIME", meaning: "it comes late" },
  { name: "double-callback", hits: "callbacks", meaning: "it comes twice" },
  {
    name: "reorder-callback",
    hits: "callbacks",
    takes: "TIME",
    meaning: "every other one comes late, behind the next",
  },
  { name: "contradict-callback", hits: "callbacks", meaning: "a second one says the contrary" },
] as const satisfies readonly FaultKind[];

export type FaultName = (typeof faultKinds)[number]["name"];

/** How a fault is written, as the help and the README print it. */
export const faultForms = [
  ["lose-answer", "every request that moves money, or every callback"],
  ["lose-answer=transfer", "every request to one endpoint"],
  ["lose-answer=any", "every request"],
  ["double-callback=webhook", "every webhook, and no callback"],
  ["lose-answer=transfer:2", "the second one only; also money:2, any:2"],
  ["cut-answer=120,transfer", "the same, behind a value where the fault takes one: 120 bytes, 500ms"],
] as const;

/**
 * Requests that move money; every request; those to one endpoint, by its name with hyphens. It is the same with their
 * callbacks; webhooks, which belong to no request, are hit by their own name alone.
 */
const targets = ["money", "any", ...endpoints.map(({ name }) => name.replaceAll(" ", "-")), "webhook"] as const;

/** A fault of a certain kind, and whom it hits. */
export interface Fault {
  readonly name: FaultName;
  /** `money`, `any`, or an endpoint. */
  readonly target: string;
  /** Which of the requests that it could hit: 1 for the first; undefined for each of them. */
  readonly nth: number | undefined;
  readonly timeMs: number;
  readonly bytes: number;
}

/**
 * Reads a fault as it is typed: `lose-answer=transfer:2`.
 * @throws {Failure} usage
 */
export function parseFault(text: string, flag: string): Fault {
  const [, typed = "", settings = ""] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const kind = faultKinds.find(({ name }) => name === typed);
  if (kind === undefined) throw unknownFault(typed, flag);
  const [value, target = "money", ...more] = split(settings, "takes" in kind);
  const match = /^([a-z-]+)(?::([1-9]\d{0,8}))?$/.exec(target);
  if (match === null || more.length > 0 || !targets.includes(match[1] ?? "")) throw badTarget(target, kind, flag);
  return {
    name: kind.name,
    target: match[1] ?? "",
    nth: match[2] === undefined ? undefined : Number(match[2]),
    timeMs: "takes" in kind && kind.takes === "TIME" ? parseDuration(value ?? "", `${flag} ${kind.name}`) : 0,
    bytes: "takes" in kind && kind.takes === "BYTES" ? parseBytes(value ?? "", kind.name, flag) : 0,
  };
}

/** The value first, where the fault takes one, then the target. */
function split(settings: string, takesValue: boolean): (string | undefined)[] {
  const parts = settings === "" ? [] : settings.split(",");
  return takesValue ? parts : [undefined, ...parts];
}

function parseBytes(text: string, name: string, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Failure("usage", `${flag} ${name} needs a number of bytes.`, { hint: `For example: ${flag} ${name}=120` });
}

function unknownFault(name: string, flag: string): Failure {
  const names = faultKinds.map((kind) => kind.name);
  const near = closest(name, names);
  return new Failure("usage", `There is no fault ${quote(name)}.`, {
    hint: near === undefined ? `It is one of ${names.join(", ")}.` : `Did you mean ${flag} ${near}?`,
  });
}

function badTarget(target: string, { name }: { readonly name: string }, flag: string): Failure {
  return new Failure("usage", `${flag} ${name} cannot hit ${quote(target)}.`, {
    hint: `It hits one of ${targets.join(", ")}; with a number only that one: ${flag} ${name}=${name.endsWith("callback") ? "collect" : "transfer"}:2`,
  });
}

/** What can go wrong and how it is written, for the help. */
export function faultHelp(): string {
  const rows = [
    ...faultKinds.map((kind): [string, string] => [
      "takes" in kind ? `${kind.name}=${kind.takes}` : kind.name,
      kind.meaning,
    ]),
    ["", ""] as const,
    ...faultForms,
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    "Faults, and whom they hit:",
    ...rows.map(([name, meaning]) => `  ${name.padEnd(width)}  ${meaning}`.trimEnd()),
  ].join("\n");
}
