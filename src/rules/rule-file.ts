import type { Files } from "../host/files/files.ts";
import { FileTooLarge } from "../host/files/files.ts";
import { systemReason } from "../host/system-error.ts";
import { JsonError } from "../json/json-error.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject } from "../values/json.ts";
import { quote, visible } from "../values/text/text.ts";
import { patternAdvice } from "./pattern/pattern.ts";
import { lineAndColumn, readPlacedJson } from "../json/places.ts";
import type { Rule } from "./rule.ts";
import { Rules } from "./rule.ts";
import type { ReportViolation } from "./rule-members.ts";
import {
  checkMembers,
  readAmountTest,
  readFlag,
  readObject,
  readText,
  readTextTest,
  readWord,
} from "./rule-members.ts";

/** Thousands of rules fit in it. */
const fileMaxBytes = 1024 * 1024;
/** How many violations are listed. */
const listedMaxCount = 50;
interface FilesHost {
  readonly files: Pick<Files, "read">;
}
const conditions = ["in", "account", "side", "narration", "reference", "counterparty", "amount"];
const consequences = ["account", "fee", "ignore", "netOfFee", "label"];
const hint = `Correct them; docs/schemas/rules.json says what is allowed there. ${patternAdvice}`;

/**
 * The rules in a file.
 * @throws {Failure} usage: a file that cannot be read, and every fault of it with its line and column
 */
export async function readRuleFile(host: FilesHost, path: string): Promise<Rules> {
  const words = { flag: "--rules", hint, left: "no rule was applied" };
  return readPlacedFile(host, path, words, readRules);
}

/** The words for violations of a file. */
export interface FaultWords {
  /** The flag that names the file, such as `--rules`. */
  readonly flag: string;
  readonly hint: string;
  /** What was left undone, without a full stop: `no rule was applied`. */
  readonly left: string;
}

/**
 * Reads a JSON file that a person wrote.
 * @throws {Failure} usage: a file that cannot be read, and every fault of it with its line and column
 */
export async function readPlacedFile<T>(
  { files }: FilesHost,
  path: string,
  words: FaultWords,
  read: (value: JsonValue, reportViolation: ReportViolation) => T,
): Promise<T> {
  const text = await readFile(files, path, words);
  const faults: (readonly [where: string, what: string])[] = [];
  const say = (at: number, what: string) => {
    const { line, column } = lineAndColumn(text, at);
    faults.push([`line ${line}, column ${column}`, what]);
  };
  const result = tryRead(text, say, read);
  if (result !== undefined && faults.length === 0) return result.value;
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  throw new Failure("usage", `${visible(path)} has ${count}; ${words.left}.`, {
    hint: words.hint,
    details: Object.fromEntries(faults.slice(0, listedMaxCount)),
  });
}

function tryRead<T>(
  text: string,
  say: (at: number, what: string) => void,
  read: (value: JsonValue, reportViolation: ReportViolation) => T,
): { readonly value: T } | undefined {
  try {
    const { value, places } = readPlacedJson(text);
    const reportViolation: ReportViolation = (path, what, column = 0) =>
      say((places.get(path) ?? 0) + column, `${path || "the file"}: ${what}`);
    return { value: read(value, reportViolation) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    say(error.position, error.message);
    return undefined;
  }
}

function readRules(value: JsonValue, reportViolation: ReportViolation): Rules {
  const file = readObject(value, "", reportViolation);
  checkMembers(file, ["$schema", "rules"], "", reportViolation);
  const list = file["rules"];
  if (!Array.isArray(list)) {
    reportViolation("rules", "is not a list of rules");
    return new Rules([]);
  }
  return new Rules(list.map((item, index) => readRule(item, index, reportViolation)));
}

function readRule(value: JsonValue, index: number, reportViolation: ReportViolation): Rule {
  const path = `rules.${index}`;
  const rule = readObject(value, path, reportViolation);
  checkMembers(rule, ["when", "then"], path, reportViolation);
  const part = (name: string): JsonObject => {
    const member = rule[name];
    if (member !== undefined) return readObject(member, `${path}.${name}`, reportViolation);
    if (isJsonObject(value)) reportViolation(path, `${quote(name)} is missing`);
    return {};
  };
  const [when, then] = [part("when"), part("then")];
  return {
    number: index + 1,
    matches: readConditions(when, `${path}.when`, reportViolation),
    says: readConsequences(then, `${path}.then`, reportViolation),
  };
}

function readConditions(when: JsonObject, path: string, reportViolation: ReportViolation): Rule["matches"] {
  checkMembers(when, conditions, path, reportViolation);
  const at = (name: string) => [when[name], `${path}.${name}`] as const;
  const where = readWord(when["in"], ["statement", "book"], `${path}.in`, reportViolation);
  const side = readWord(when["side"], ["credit", "debit"], `${path}.side`, reportViolation);
  const account = readText(...at("account"), reportViolation);
  const narration = readTextTest(...at("narration"), reportViolation);
  const reference = readTextTest(...at("reference"), reportViolation);
  const counterparty = readTextTest(...at("counterparty"), reportViolation);
  const amount = readAmountTest(...at("amount"), reportViolation);
  return (row) =>
    (where === undefined || row.in === where) &&
    (account === undefined || row.account === account) &&
    (side === undefined || (row.amount !== undefined && row.amount.sign === (side === "credit" ? 1 : -1))) &&
    (amount === undefined || (row.amount !== undefined && amount(row.amount.abs()))) &&
    narration?.(row.narration) !== false &&
    reference?.(row.reference) !== false &&
    counterparty?.(row.counterparty) !== false;
}

function readConsequences(then: JsonObject, path: string, reportViolation: ReportViolation): Rule["says"] {
  checkMembers(then, consequences, path, reportViolation);
  const flag = (name: string) => readFlag(then[name], `${path}.${name}`, reportViolation);
  return {
    account: readText(then["account"], `${path}.account`, reportViolation),
    fee: flag("fee"),
    ignore: flag("ignore"),
    netOfFee: flag("netOfFee"),
    label: readText(then["label"], `${path}.label`, reportViolation),
  };
}

async function readFile(files: Pick<Files, "read">, path: string, { flag }: FaultWords): Promise<string> {
  try {
    const bytes = await files.read(path, fileMaxBytes);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const isForeign = error instanceof TypeError;
    const why =
      error instanceof FileTooLarge ? error.message : isForeign ? "it is not UTF-8" : systemReason(error, "read");
    if (why === undefined) throw error;
    throw new Failure("usage", `The rules in ${visible(path)} cannot be read: ${why}.`, {
      hint: `Check the name after ${flag}, and that you may read the file.`,
      cause: error,
    });
  }
}
