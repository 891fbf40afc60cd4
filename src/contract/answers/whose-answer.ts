import { amountOf } from "../../values/money/amount.ts";
import type { JsonObject, JsonValue } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { tagOf } from "../narration-tag.ts";

/** How to recognize the answer to our request. */
export interface AnswerMarks {
  /** Answer field to request field: where the answer has the field, the values must be equal. */
  readonly echoes: Readonly<Record<string, string>>;
  /** The answer field that may end in a tag ` [reference]`; the tag must equal that of the request field. */
  readonly tagged?: { readonly answer: string; readonly request: string } | undefined;
  /** Answer field to request field: one equal value proves that the answer is about our order. */
  readonly ours: Readonly<Record<string, string>>;
}

/** Which order an answer is about: `another`, with the field that differs, or `unnamed` where it names no order. */
export type AnswerOwner =
  | { readonly is: "ours" }
  | { readonly is: "unnamed" }
  | { readonly is: "another"; readonly by: string };

/** Fields in which the service names an order, whatever its kind. */
const referenceFields = ["transactionRef", "externalRef", "partnerReference"] as const;
/** Fields with our reference at any depth; `transactionRef` can be the service's own. */
const partnersFields: ReadonlySet<string> = new Set(["externalRef", "partnerReference"]);
/** Its members describe what is wrong with fields, under the fields' names. */
const faultField = "details";

/** The first of the named amounts that differs from what was sent; undefined where none does. */
export function otherAmount(said: JsonObject, names: readonly string[], sent: object): string | undefined {
  return names.find((name) => !agrees(said[name], Reflect.get(sent, name)));
}

/** Recognizes an answer by the values that it repeats from the request. */
export function whoseAnswer(answer: JsonObject, marks: AnswerMarks, sent: object): AnswerOwner {
  const other = differing(answer, marks, sent);
  if (other !== undefined) return { is: "another", by: other };
  const isOurs = Object.entries(marks.ours).some(([theirs, ours]) => isSame(answer[theirs], Reflect.get(sent, ours)));
  return isOurs ? { is: "ours" } : { is: "unnamed" };
}

/** The field in which a refusal names another order; undefined where it names none, or ours. */
export function foreignReference(answer: JsonObject, marks: AnswerMarks, sent: object): string | undefined {
  const whose = whoseAnswer(answer, marks, sent);
  if (whose.is === "another") return whose.by;
  if (whose.is === "ours") return undefined;
  return [...Object.keys(marks.ours), ...referenceFields].find((name) => occursIn(answer, name, isFilled));
}

function differing(answer: JsonObject, { echoes, tagged, ours }: AnswerMarks, sent: object): string | undefined {
  const other = Object.entries(echoes).find(([theirs, mine]) => !agrees(answer[theirs], Reflect.get(sent, mine)));
  if (other !== undefined) return other[0];
  const nested = Object.entries(ours).find(
    ([theirs, mine]) =>
      partnersFields.has(theirs) && occursIn(answer, theirs, (item) => !agrees(item, Reflect.get(sent, mine))),
  );
  if (nested !== undefined) return nested[0];
  if (tagged === undefined) return undefined;
  const [theirs = "", mine = ""] = [answer[tagged.answer], Reflect.get(sent, tagged.request)].map((text) =>
    typeof text === "string" ? tagOf(text) : "",
  );
  return theirs === "" || mine === "" || theirs === mine ? undefined : "reference";
}

/** True where a field of that name, at any depth of the answer, has a value that fits. */
function occursIn(value: JsonValue, name: string, fits: (item: JsonValue) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => occursIn(item, name, fits));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([field, item]) => (field === name && fits(item)) || (field !== faultField && occursIn(item, name, fits)),
  );
}

/** True unless the field has another value: a missing field doesn't contradict. */
function agrees(theirs: JsonValue | undefined, ours: unknown): boolean {
  return !isFilled(theirs) || isSame(theirs, ours);
}

/** Amounts are compared as amounts. */
function isSame(theirs: JsonValue | undefined, ours: unknown): boolean {
  if (!(ours instanceof Numeral)) return isFilled(theirs) && theirs === ours;
  const [mine, said] = [amountOf(ours), amountOf(theirs)];
  return mine !== null && said !== null && mine !== undefined && said !== undefined && said.equals(mine);
}

function isFilled(value: JsonValue | undefined): boolean {
  return value !== undefined && value !== null && value !== "";
}
