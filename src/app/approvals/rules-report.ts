import type { Deputy, RuleWord, RulesInForce } from "../../approvals/rule-store.ts";
import { wordsOfRules } from "../../approvals/rule-words.ts";
import { decodeJson } from "../../contract/wire.ts";
import type { RecordReport, Row, RowsReport } from "../../report/report.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonValue } from "../../values/json.ts";
import { Numeral } from "../../values/json.ts";
import { isoDarEsSalaam, wallTime } from "../../values/time/wall-time.ts";
import { rulesOfText } from "./rules-file.ts";

/** The rules that apply before any are set. */
const withoutRules = '{"levels":[{"approvals":1}]}';

const setFields = [
  { name: "state", kind: "id", role: "state" },
  { name: "number", kind: "count", role: "what" },
  { name: "firstBy", kind: "id", title: "proposed by", role: "who" },
  { name: "firstAt", kind: "time", title: "proposed at" },
  { name: "secondBy", kind: "id", title: "confirmed by", role: "who" },
  { name: "secondAt", kind: "time", title: "confirmed at" },
  { name: "rules", kind: "text", role: "what" },
] as const;

/** The result of setting rules. @param isForPerson true to write the rules in words */
export function ruleReport(
  word: RuleWord,
  { change, note, isForPerson }: { change: RulesInForce | undefined; note: string; isForPerson: boolean },
): RecordReport {
  const record = {
    state: change === undefined ? "proposed" : "in force",
    number: change === undefined ? null : Numeral.of(change.number),
    firstBy: change?.first.by ?? word.by,
    firstAt: isoDarEsSalaam(change?.first.at ?? word.at),
    secondBy: change?.second.by ?? null,
    secondAt: change === undefined ? null : isoDarEsSalaam(change.second.at),
    rules: isForPerson ? inWords(word.rules).join("; ") : word.rules,
  };
  return { shape: "record", columns: setFields, record, findings: () => ({ notes: [note] }) };
}

const whenEmpty = "No rules were set: one checker approves a batch.";

const historyFields = [
  { name: "number", kind: "count", role: "what" },
  { name: "at", kind: "time", role: "when", shortens: "minute" },
  { name: "firstBy", kind: "id", title: "proposed by", role: "who" },
  { name: "secondBy", kind: "id", title: "confirmed by", role: "who" },
  { name: "before", kind: "text", role: "detail" },
  { name: "after", kind: "text", role: "what" },
] as const;

/** The same for a person, with the rules in words. */
export function personRules(
  history: readonly RulesInForce[],
  words: readonly RuleWord[],
  deputies: readonly Deputy[],
): RowsReport {
  return {
    shape: "rows",
    columns: historyFields,
    rows: changesOf(history, (rules) => inWords(rules).join("; ")),
    whenEmpty,
    hasFooterWhenEmpty: true,
    footer: () => [
      "In force:",
      ...indented(history.at(-1)?.rules ?? withoutRules),
      ...words.flatMap(({ rules, by, at }) => [`Proposed by ${by}, ${wallTime(at)}:`, ...indented(rules)]),
      ...deputies.map(deputyWords),
    ],
  };
}

/** @param write turns rules, as they are stored, into the text to show */
function changesOf(history: readonly RulesInForce[], write: (rules: string) => string): Row[] {
  return history.map(({ number, first, second, rules }, index) => {
    const before = history[index - 1];
    return {
      number: Numeral.of(number),
      at: isoDarEsSalaam(second.at),
      firstBy: first.by,
      secondBy: second.by,
      before: before === undefined ? null : write(before.rules),
      after: write(rules),
    };
  });
}

/** Rules in lines for a person; as they are stored, where this version cannot read them. */
function inWords(rules: string): readonly string[] {
  try {
    return wordsOfRules(rulesOfText(valueOf(rules)));
  } catch (error) {
    if (error instanceof Failure) return [rules];
    throw error;
  }
}

function indented(rules: string): readonly string[] {
  return inWords(rules).map((line) => `  ${line}`);
}

function deputyWords({ by, to, until }: Deputy): string {
  return `${to} decides for ${by} until ${until}`;
}

/** The rules in force, and every change that led to them. */
export function rulesReport(
  history: readonly RulesInForce[],
  words: readonly RuleWord[],
  deputies: readonly Deputy[],
): RowsReport {
  const now = history.at(-1);
  const proposed = words.map(({ rules, by, at }) => ({ rules: valueOf(rules), by, at: isoDarEsSalaam(at) }));
  return {
    shape: "rows",
    columns: historyFields,
    rows: changesOf(history, (rules) => rules),
    frame: {
      rules: valueOf(now?.rules ?? withoutRules),
      proposed,
      deputies: deputies.map(({ by, to, until }) => ({ by, to, until })),
    },
    whenEmpty,
    footer: () => [
      `in force: ${now?.rules ?? withoutRules}`,
      ...words.map(({ rules, by, at }) => `proposed by ${by}, ${isoDarEsSalaam(at)}: ${rules}`),
      ...deputies.map(deputyWords),
    ],
    hasFooterWhenEmpty: true,
  };
}

function valueOf(text: string): JsonValue {
  return decodeJson(text);
}
