import type { Failure, MoneyFate } from "../values/failure.ts";
import { endings } from "../values/failure.ts";
import { jsonVisible, visible } from "../values/text/text.ts";
import type { ReportOptions } from "./options.ts";

export interface FailureOptions extends Pick<ReportOptions, "format" | "colour"> {
  /** True on a terminal: several violations are listed below each other, each with its hint. */
  readonly isTerminal?: boolean | undefined;
  /** Adds the stack trace and the cause. */
  readonly debug: boolean;
}

const moneySentences: Readonly<Record<Exclude<MoneyFate, "none">, string>> = {
  "not moved": "No money moved.",
  moved: "Money moved.",
  unknown: "Money may have moved.",
};

/** For a run that moved no money, beside an earlier one that did, or may have. */
const earlierSentences: Readonly<Record<NonNullable<Failure["earlier"]>, string>> = {
  moved: "This run moved no money. The earlier one did.",
  unknown: "This run moved no money. An earlier one may have.",
};

/** For a run that a missing or older journal stopped: it doesn't know what earlier runs did. */
const setupSentences: typeof moneySentences = {
  ...moneySentences,
  "not moved": "This run moved no money.",
  unknown: earlierSentences.unknown,
};

/**
 * The message on stderr for a failed run: what happened, by field where known, whether money moved, what to do, and
 * details for support. For `json` and `ndjson`, the last line is the same as a JSON object.
 */
export function renderFailure(failure: Failure, options: FailureOptions): string {
  const { format, colour, debug, isTerminal = false } = options;
  const label = colour ? "\u001b[1;31mError:\u001b[0m" : "Error:";
  const money = moneyLines(failure);
  // After a person's no, one sentence is enough: nothing was sent.
  if (failure.isDeclined && !debug && format === "table") return `${visible(failure.message)}\n`;
  const told = isTerminal && failure.parts.length > 1 ? partLines(failure.parts, label) : undefined;
  const lines = [
    ...(told ?? [failure.isDeclined ? visible(failure.message) : `${label} ${visible(failure.message)}`]),
    ...detailLines(failure),
    ...money,
    ...(told === undefined ? [`Hint: ${visible(failure.hint ?? asSentence(endings[failure.ending].next))}`] : []),
    ...named("Reference", failure.reference),
    ...named("Request id", failure.requestId),
    ...(debug ? stackOf(failure) : []),
    ...(format === "json" || format === "ndjson" ? [failureJson(failure)] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** Each problem, and below it what to do about it. */
function partLines(parts: readonly Failure[], label: string): string[] {
  const each = parts.flatMap(({ message, hint }) => [
    `  ${visible(message)}`,
    ...(hint === undefined ? [] : [`    ${visible(hint)}`]),
  ]);
  return [`${label} ${parts.length} things are wrong.`, ...each];
}

function moneyLines({ ending, message, hint = "", money, http, earlier }: Failure): string[] {
  // Without what the message of an unanswered or declined question says already.
  if (money === "none" || (ending === "interrupted" && message.startsWith("Nothing was sent"))) return [];
  if (earlier !== undefined) return [earlierSentences[earlier]];
  // Where the service refused the credentials of an order, its answer says that nothing moved.
  if (ending === "setup" && http === undefined) return [setupSentences[money]];
  const isAdvised = money !== "unknown" || hint.startsWith("Do not send it again");
  return [isAdvised ? moneySentences[money] : `${moneySentences[money]} Do not repeat it before you know.`];
}

/** Adds a full stop, except after a command: that stays ready to copy. */
function asSentence(words: string): string {
  const end = /: partner [\w ]+$/.test(words) ? "" : ".";
  return words.charAt(0).toUpperCase() + words.slice(1) + end;
}

/** Problems by field, except those in the message. */
function detailLines({ message, details = {} }: Failure): string[] {
  const more = Object.entries(details).filter(([, problem]) => !message.includes(problem));
  return more.map(([field, problem]) => `  ${visible(field)}: ${visible(problem)}`);
}

/** The same as one line of JSON. Every key is always there; unknown values are null. */
function failureJson(failure: Failure): string {
  const { ending, message, hint, money, requestId, http, reason, details, reference } = failure;
  const error = {
    ending,
    message,
    hint: hint ?? null,
    money,
    requestId: requestId ?? null,
    http: http ?? null,
    reason: reason ?? null,
    details: details ?? null,
    reference: reference ?? null,
  };
  return jsonVisible(JSON.stringify({ error }));
}

function named(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${visible(value)}`];
}

/** The stack of the failure and of each error that caused it. A circular chain is followed once. */
function stackOf(failure: Failure): string[] {
  const chain = new Set<unknown>();
  for (let error: unknown = failure; error !== undefined && !chain.has(error);) {
    chain.add(error);
    error = error instanceof Error ? error.cause : undefined;
  }
  return [...chain].flatMap((error) => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return text.split("\n").map(visible);
  });
}
