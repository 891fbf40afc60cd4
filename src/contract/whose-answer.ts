import { amountOf } from "../values/money/amount.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";
import { isJsonObject, Numeral } from "../values/json.ts";

/** What an answer has to say to be the answer to our request. */
export interface Marks {
  /** Answer field to request field: where the answer has it, it must say the same. */
  readonly echoes: Readonly<Record<string, string>>;
  /** The answer field whose tag ` [reference]` must be that of the request field, where it has one. */
  readonly tagged?: { readonly answer: string; readonly request: string } | undefined;
  /** Answer field to request field: an answer in which one of them says the same speaks of our order and no other. */
  readonly ours: Readonly<Record<string, string>>;
}

/** Whose answer it is: `another` names what differs, `nobody's` names no order at all. */
export type Whose =
  | { readonly is: "ours" }
  | { readonly is: "nobody's" }
  | { readonly is: "another"; readonly by: string };

/** Fields in which the service names an order, whatever its kind. */
const referenceFields = ["transactionRef", "externalRef", "partnerReference"] as const;
/** Those that hold our reference wherever in an answer they stand; `transactionRef` can be the service's own. */
const partnersFields: ReadonlySet<string> = new Set(["externalRef", "partnerReference"]);
/** What stands in it says what is wrong with a field, under the field's name. */
const faultField = "details";

/** Tells whose answer it is from what it repeats of the request. */
export function whoseAnswer(answer: JsonObject, marks: Marks, sent: object): Whose {
  const other = differing(answer, marks, sent);
  if (other !== undefined) return { is: "another", by: other };
  const isOurs = Object.entries(marks.ours).some(([theirs, ours]) => isSame(answer[theirs], Reflect.get(sent, ours)));
  return isOurs ? { is: "ours" } : { is: "nobody's" };
}

/** A reference in a refusal that isn't ours: undefined where it names none, or ours. */
export function foreignReference(answer: JsonObject, marks: Marks, sent: object): string | undefined {
  const whose = whoseAnswer(answer, marks, sent);
  if (whose.is === "another") return whose.by;
  if (whose.is === "ours") return undefined;
  return [...Object.keys(marks.ours), ...referenceFields].find((name) => standsIn(answer, name, isFilled));
}

function differing(answer: JsonObject, { echoes, tagged, ours }: Marks, sent: object): string | undefined {
  const other = Object.entries(echoes).find(([theirs, mine]) => !agrees(answer[theirs], Reflect.get(sent, mine)));
  if (other !== undefined) return other[0];
  const nested = Object.entries(ours).find(
    ([theirs, mine]) =>
      partnersFields.has(theirs) && standsIn(answer, theirs, (item) => !agrees(item, Reflect.get(sent, mine))),
  );
  if (nested !== undefined) return nested[0];
  if (tagged === undefined) return undefined;
  const [theirs, mine] = [tagIn(answer[tagged.answer]), tagIn(Reflect.get(sent, tagged.request))];
  return theirs === undefined || mine === undefined || theirs === mine ? undefined : "reference";
}

/** True where a field of that name stands anywhere within the answer, and what stands in it fits. */
function standsIn(value: JsonValue, name: string, fits: (item: JsonValue) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => standsIn(item, name, fits));
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(
    ([field, item]) => (field === name && fits(item)) || (field !== faultField && standsIn(item, name, fits)),
  );
}

/** The reference at the end of a description: ` [R]`. */
function tagIn(text: unknown): string | undefined {
  return typeof text === "string" ? / \[([^[\]]+)\]$/.exec(text)?.[1] : undefined;
}

/** Absent is no contradiction; another value is one. */
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
