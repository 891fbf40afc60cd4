import { JsonError } from "../json/json-error.ts";
import { decodeClaim, encodeJson } from "../contract/wire.ts";
import { counted } from "../values/text/counted.ts";
import { Failure } from "../values/failure.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";
import { Decimal } from "../values/money/decimal.ts";
import type { RemittanceDraft } from "./draft.ts";
import { bodyOf } from "./draft.ts";
import { fieldAt, remittanceParts } from "./fields.ts";

const usualDecimals = 2;

/** How many wrong fields are listed one by one. */
const namedMaxCount = 30;
const nameMaxChars = 60;
const draftHint = "Start from an empty one: partner remit template > draft.json";
const senderHint = "Let partner write one: --save-sender FILE";

/** Gets all wrong fields as one failure. Unless it throws, the valid fields are still returned. */
export type OnWrongFields = (failure: Failure) => void;

/**
 * A draft from the text of a file with the specification's body, strictly checked.
 * @throws {Failure} usage; names the wrong fields, and repeats none of their values
 */
export function readDraft(text: string, onWrong: OnWrongFields = throwFailure): RemittanceDraft {
  return readFields(parse(text, "draft", draftHint), "draft", draftHint, onWrong);
}

/**
 * A sender from the text of a file with the body's `sender`.
 * @throws {Failure} usage; names the wrong fields, and repeats none of their values
 */
export function readSender(text: string, onWrong: OnWrongFields = throwFailure): RemittanceDraft {
  return readFields({ sender: parse(text, "sender", senderHint) }, "sender", senderHint, onWrong);
}

/** The text of a file for `readSender`: the sender without the number of the id, which is typed every time. */
export function senderText(draft: RemittanceDraft): string {
  const kept = new Map([...draft].filter(([path]) => path.startsWith("sender.") && path !== "sender.idNumber"));
  return `${encodeJson(bodyOf(kept)["sender"] ?? {}, { pretty: true })}\n`;
}

function throwFailure(failure: Failure): never {
  throw failure;
}

function readFields(body: JsonObject, what: string, hint: string, onWrong: OnWrongFields): RemittanceDraft {
  const found = new Map<string, string>();
  const violations: [string, string][] = [];
  for (const [path, value] of leaves(body)) {
    const violation = violationOf(path, value);
    if (violation !== undefined) violations.push([path, violation]);
    else if (value instanceof Numeral)
      found.set(path, fieldAt(path)?.isRate === true ? value.text : withoutExcessZeros(value.text));
    else if (typeof value === "string" && value !== "") found.set(path, value);
  }
  if (violations.length === 0) return found;
  const named = violations
    .slice(0, namedMaxCount)
    .map(([path, violation]) => [shown(path), `${shown(path)} ${violation}`]);
  const more = violations.length - named.length;
  onWrong(
    new Failure("usage", `The ${what} has ${counted(violations.length, "wrong field")}.`, {
      hint,
      money: "not moved",
      details: Object.fromEntries(more === 0 ? named : [...named, ["…", `and ${more} more`]]),
    }),
  );
  return found;
}

function violationOf(path: string, value: JsonValue): string | undefined {
  if (remittanceParts.some((part) => part === path)) return value === null ? undefined : "must be an object";
  const field = fieldAt(path);
  if (field === undefined) return "is not a field of a remittance";
  if (value === null || value === "") return undefined;
  if (field.kind === "amount") return value instanceof Numeral ? undefined : "must be a number, without quotes";
  return typeof value === "string" ? undefined : "must be text, in quotes";
}

/** Every value by its path; only known parts of a body are descended into. */
function leaves(body: JsonObject): [string, JsonValue][] {
  return Object.entries(body).flatMap(([name, value]): [string, JsonValue][] => {
    const isPart = remittanceParts.some((part) => part === name) && isJsonObject(value);
    return isPart ? Object.entries(value).map(([inner, leaf]) => [`${name}.${inner}`, leaf]) : [[name, value]];
  });
}

/** A field's name, shortened: an unknown one can be as long as the file. */
function shown(path: string): string {
  return path.length > nameMaxChars ? `${path.slice(0, nameMaxChars)}…` : path;
}

function parse(text: string, what: string, hint: string): JsonObject {
  try {
    const body = decodeClaim(text);
    if (isJsonObject(body)) return body;
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    throw new Failure("usage", `The ${what} cannot be read. ${cause.message}`, { hint, money: "not moved", cause });
  }
  throw new Failure("usage", `The ${what} isn't a JSON object.`, { hint, money: "not moved" });
}

/** Drops trailing zeros beyond two decimals: they make a typed amount ambiguous, but not a number of JSON. */
function withoutExcessZeros(text: string): string {
  const amount = Decimal.parse(text);
  return amount?.fits(usualDecimals) === true && (text.split(".")[1]?.length ?? 0) > usualDecimals
    ? amount.trimmed()
    : text;
}
