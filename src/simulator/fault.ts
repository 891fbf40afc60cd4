import { endpoints } from "../contract/endpoints.ts";
import { extensions } from "../contract/extensions/extensions.ts";
import { parseDuration } from "../values/time/duration.ts";
import { closest } from "../values/text/closest.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";
import type { FaultKind, FaultName, Hit } from "./faults/kinds.ts";
import { faultKinds } from "./faults/kinds.ts";

const endpointNames = [...endpoints, ...extensions].map(({ name }) => name.replaceAll(" ", "-"));

/**
 * What a fault can hit: what moves money, everything, or one endpoint, by its name with hyphens. Webhooks belong to no
 * request, so only their own name hits them. Default: the first.
 */
const targets: Readonly<Record<Hit, readonly [string, ...string[]]>> = {
  requests: ["money", "any", ...endpointNames],
  callbacks: ["money", "any", "remit", "collect", "payout", "webhook"],
  rows: ["money", "any", "collect", "transfer", "withdraw", "payout"],
  statements: ["any", "wallet-statement", "account-statement"],
};

/** A fault of a certain kind, and what it hits. */
export interface Fault {
  readonly name: FaultName;
  readonly hits: Hit;
  /** `money`, `any`, an endpoint, or `webhook`. */
  readonly target: string;
  /** Which candidate it hits: 1 for the first; undefined for all. */
  readonly nth: number | undefined;
  /** 0 where the fault has no time. */
  readonly timeMs: number;
  /** Bytes or rows; 0 where the fault has neither. */
  readonly count: number;
  /** A word, a status or a form; empty where the fault has none. */
  readonly text: string;
}

/**
 * Reads a fault as it is typed: `lose-answer=transfer:2`.
 * @throws {Failure} usage
 */
export function parseFault(text: string, flag: string): Fault {
  const [, typed = "", settings = ""] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  const kind: FaultKind | undefined = faultKinds.find(({ name }) => name === typed);
  const name = faultKinds.find((one) => one.name === typed)?.name;
  if (kind === undefined || name === undefined) throw unknownFault(typed, flag);
  const parts = settings === "" ? [] : settings.split(",");
  const value = kind.takes === undefined ? undefined : parts.shift();
  const wait = kind.mayWait === true && /^\d/.test(parts[0] ?? "") ? parts.shift() : undefined;
  const { [kind.hits]: possible } = targets;
  const [target = possible[0], ...more] = parts;
  const match = /^([a-z-]+)(?::([1-9]\d{0,8}))?$/.exec(target);
  if (match === null || more.length > 0 || !possible.includes(match[1] ?? ""))
    throw badTarget(target, kind, possible, flag);
  const time = kind.takes === "TIME" ? (value ?? "") : wait;
  const counts = kind.takes === "BYTES" || kind.takes === "ROWS";
  return {
    name,
    hits: kind.hits,
    target: match[1] ?? "",
    nth: match[2] === undefined ? undefined : Number(match[2]),
    timeMs: time === undefined ? 0 : parseDuration(time, `${flag} ${kind.name}`),
    count: counts ? parseCount(value ?? "", kind, flag) : 0,
    text: kind.takes === undefined || kind.takes === "TIME" || counts ? "" : readText(value ?? "", kind, flag),
  };
}

function parseCount(text: string, { name, takes = "BYTES" }: FaultKind, flag: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const example = takes === "BYTES" ? 120 : 3;
  throw new Failure("usage", `${flag} ${name} needs a number of ${takes.toLowerCase()}.`, {
    hint: `For example: ${flag} ${name}=${example}`,
  });
}

function readText(text: string, { name, choices, form }: FaultKind, flag: string): string {
  if (choices === undefined ? text !== "" : choices.includes(text) || form?.test(text) === true) return text;
  const wanted = choices === undefined ? "a word" : `one of ${choices.join(", ")}`;
  throw new Failure("usage", `${flag} ${name} needs ${wanted}${form === undefined ? "" : ", or a form"}.`, {
    hint: `For example: ${flag} ${name}=${form === undefined ? (choices?.[0] ?? "FAILED") : "REV-{reference}"}`,
  });
}

function unknownFault(name: string, flag: string): Failure {
  const names = faultKinds.map((kind) => kind.name);
  const near = closest(name, names);
  return new Failure("usage", `There is no fault ${quote(name)}.`, {
    hint: near === undefined ? `It is one of ${names.join(", ")}.` : `Did you mean ${flag} ${near}?`,
  });
}

function badTarget(target: string, { name, takes }: FaultKind, possible: readonly string[], flag: string): Failure {
  const example = possible.find((one) => one === "transfer" || one === "collect" || one.endsWith("-statement"));
  const value = takes === undefined ? "" : `${takes},`;
  return new Failure("usage", `${flag} ${name} cannot hit ${quote(target)}.`, {
    hint: `It hits one of ${possible.join(", ")}; with a number only that one: ${flag} ${name}=${value}${example}:2`,
  });
}

/** The values for HOW, by the names of the faults that take it. */
export function faultValues(): readonly (readonly [string, string])[] {
  return faultKinds.flatMap((kind: FaultKind) => {
    if (kind.takes !== "HOW") return [];
    const more = kind.form === undefined ? "" : ", or a reference such as REV-{reference}, {id}/RVSL";
    return [[kind.name, `${kind.choices?.join(", ") ?? ""}${more}`] as const];
  });
}

/** A fault with its value: `reverse-row=HOW[,TIME]`. */
export function nameInHelp({ name, takes, mayWait = false }: FaultKind): string {
  return `${name}${takes === undefined ? "" : `=${takes}`}${mayWait ? "[,TIME]" : ""}`;
}
