import { createHash } from "node:crypto";
import type { Files } from "../../../host/files/files.ts";
import { FileTooLarge } from "../../../host/files/files.ts";
import { systemReason } from "../../../host/system-error.ts";
import { JsonError } from "../../../json/json-error.ts";
import { lineAndColumn, readPlacedJson } from "../../../json/places.ts";
import { Decimal } from "../../../values/money/decimal.ts";
import { Failure } from "../../../values/failure.ts";
import type { JsonObject, JsonValue } from "../../../values/json.ts";
import { isJsonObject, Numeral } from "../../../values/json.ts";
import { withoutEnding } from "../../../values/text/text-end.ts";
import { quote, visible } from "../../../values/text/text.ts";
import { Day } from "../../../values/time/day.ts";

/** Years of open items fit in it. */
const fileMaxBytes = 256 * 1024 * 1024;
const fileVersion = "1";
const wholeCount = /^\d{1,15}$/;
const month = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** An item that is open at the end of a month. */
export interface CarriedItem {
  readonly side: "statement" | "book";
  readonly reference: string;
  readonly amount: Decimal;
  readonly day: Day;
  readonly narration: string;
  readonly counterparty: string;
  /** The month in which it was first open: `2026-09`. */
  readonly since: string;
  /** The reference of the payment that it is the fee of; empty where unknown, undefined where it isn't a fee. */
  readonly feeOf: string | undefined;
  /** True for what a row and its entry differ by; false in older files. */
  readonly isDifference: boolean;
  /** How many entries of the book have its reference and amount, and belong to other rows; 0 in older files. */
  readonly settled: number;
}

/** A row or an entry that a month was reconciled with. */
export type SettledItem = Pick<CarriedItem, "side" | "reference" | "amount" | "day">;

/** The last days of a month, which the next one reads again. */
export interface LastDays {
  /** The first of them. */
  readonly from: Day;
  readonly settled: readonly SettledItem[];
}

/** What a month leaves to the next one. */
export interface CarriedMonth {
  readonly open: readonly CarriedItem[];
  /** Undefined in older files. */
  readonly lastDays: LastDays | undefined;
  /** What the statement ended with; undefined where that isn't known, and in older files. */
  readonly closing?: Decimal | undefined;
  /** What was ignored in it and before, statement less book; undefined in older files. */
  readonly ignored?: Decimal | undefined;
  /** The digest of the month before, as it was then; empty for the first month, undefined in older files. */
  readonly after?: string | undefined;
}

/** What is carried of an account, by month. */
export type OpenMonths = ReadonlyMap<string, CarriedMonth>;

/**
 * Reads the open items of an account; none where there is no file yet.
 * @throws {Failure} usage: a file that isn't one of open items, with line and column; one of another account
 */
export async function readCarryFile(files: Files, path: string, accountNo: string): Promise<OpenMonths> {
  if ((await files.facts(path)) === undefined) return new Map();
  const text = await readText(files, path);
  try {
    const { value, places } = readPlacedJson(text);
    const fault = (place: string, what: string) => faultAt(path, text, places.get(place) ?? 0, what);
    if (!isJsonObject(value)) throw fault("", "it holds no JSON object");
    if (!(value["version"] instanceof Numeral) || value["version"].text !== fileVersion)
      throw fault("version", "this version reads other files of open items");
    if (value["account"] !== accountNo) {
      const kept = typeof value["account"] === "string" ? value["account"] : "";
      throw fault("account", `it holds the open items of account ${quote(kept)}, and this is ${quote(accountNo)}`);
    }
    const open = readMonths(value["months"], fault);
    const ends = readEnds(value["reconciled"], fault);
    return new Map([...open].map(([name, items]) => [name, { lastDays: undefined, ...ends.get(name), open: items }]));
  } catch (error) {
    throw error instanceof JsonError ? faultAt(path, text, error.position, withoutEnding(error.message, ".")) : error;
  }
}

/** The text of such a file: the same bytes for the same items. */
export function carryText(accountNo: string, months: OpenMonths): string {
  const sorted = [...months].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const open = sorted.map(([name, { open }]) => [name, open.map(written)]);
  const reconciled = sorted.flatMap(([name, { lastDays, closing, ignored, after }]) =>
    lastDays === undefined ? [] : [[name, writtenEnd({ lastDays, closing, ignored, after })]],
  );
  const kept = { months: Object.fromEntries(open), reconciled: Object.fromEntries(reconciled) };
  return `${JSON.stringify({ version: new Numeral(fileVersion), account: accountNo, ...kept }, null, 2)}\n`;
}

/** Tells a month apart from what it is after it was reconciled with another result. */
export function digestOf({ open, lastDays, closing, ignored }: CarriedMonth): string {
  const end = lastDays === undefined ? null : writtenEnd({ lastDays, closing, ignored });
  return createHash("sha256")
    .update(JSON.stringify([open.map(written), end]))
    .digest("hex");
}

type End = Omit<CarriedMonth, "open">;

function writtenEnd({ lastDays, closing, ignored, after }: End & { readonly lastDays: LastDays }): JsonObject {
  const { from, settled } = lastDays;
  const items = settled.map(({ side, reference, amount, day }) => ({
    side,
    reference,
    amount: new Numeral(amount.toString()),
    date: day.toString(),
  }));
  return {
    from: from.toString(),
    items,
    ...(closing === undefined ? {} : { closing: new Numeral(closing.toString()) }),
    ...(ignored === undefined || ignored.isZero ? {} : { ignored: new Numeral(ignored.toString()) }),
    ...(after === undefined ? {} : { after }),
  };
}

function written(item: CarriedItem): JsonObject {
  const { side, reference, amount, day, narration, counterparty, since, feeOf, isDifference, settled } = item;
  const fee = feeOf === undefined ? {} : { feeOf };
  const difference = isDifference ? { difference: true } : {};
  const entries = settled === 0 ? {} : { settled: Numeral.of(settled) };
  return {
    side,
    reference,
    amount: new Numeral(amount.toString()),
    date: day.toString(),
    narration,
    counterparty,
    since,
    ...fee,
    ...difference,
    ...entries,
  };
}

type Fault = (place: string, what: string) => Failure;

function readMonths(value: JsonValue | undefined, fault: Fault): ReadonlyMap<string, readonly CarriedItem[]> {
  if (value === undefined || !isJsonObject(value)) throw fault("", "it names no months");
  const months = new Map<string, readonly CarriedItem[]>();
  for (const [name, items] of Object.entries(value)) {
    const place = `months.${name}`;
    if (!month.test(name) || !Array.isArray(items))
      throw fault(place, "it has a month that isn't written like 2026-09");
    months.set(
      name,
      items.map((item, index) => {
        const read = readItem(item, `${place}.${index}`, fault);
        if (read.since > name) throw fault(`${place}.${index}`, "an item is open since a later month than its own");
        return read;
      }),
    );
  }
  return months;
}

function readEnds(value: JsonValue | undefined, fault: Fault): ReadonlyMap<string, End> {
  const months = new Map<string, End>();
  if (value === undefined) return months;
  if (!isJsonObject(value)) throw fault("reconciled", "it names no last days by month");
  for (const [name, days] of Object.entries(value)) {
    const place = `reconciled.${name}`;
    if (days === undefined || !isJsonObject(days) || !Array.isArray(days["items"]))
      throw fault(place, "it has no last days of a month");
    const from = typeof days["from"] === "string" ? Day.parse(days["from"]) : undefined;
    if (from === undefined) throw fault(place, "the last days of a month begin on no day");
    const settled = days["items"].map((item, index) => readSettled(item, `${place}.items.${index}`, fault));
    const after = typeof days["after"] === "string" ? days["after"] : undefined;
    const [closing, ignored] = [numberIn(days["closing"]), numberIn(days["ignored"])];
    for (const [member, read] of Object.entries({ closing, ignored }))
      if (days[member] !== undefined && read === undefined) throw fault(place, `${member} isn't a number`);
    months.set(name, { lastDays: { from, settled }, closing, ignored, after });
  }
  return months;
}

function readSettled(value: JsonValue, place: string, fault: Fault): SettledItem {
  if (!isJsonObject(value)) throw fault(place, "an item is not an object");
  const { side, reference, amount, date } = value;
  if (side !== "statement" && side !== "book")
    throw fault(place, "an item is neither of the statement nor of the book");
  const size = numberIn(amount);
  const day = typeof date === "string" ? Day.parse(date) : undefined;
  if (size === undefined || day === undefined) throw fault(place, "an item has no amount or no date");
  return { side, reference: typeof reference === "string" ? reference : "", amount: size, day };
}

function numberIn(value: JsonValue | undefined): Decimal | undefined {
  return value instanceof Numeral ? Decimal.parse(value.text) : undefined;
}

function readItem(value: JsonValue, place: string, fault: Fault): CarriedItem {
  const { side, reference, amount, day } = readSettled(value, place, fault);
  if (!isJsonObject(value)) throw fault(place, "an item is not an object");
  const text = (name: string) => (typeof value[name] === "string" ? value[name] : "");
  if (!month.test(text("since"))) throw fault(place, "an item has no month");
  const { settled = new Numeral("0") } = value;
  if (!(settled instanceof Numeral) || !wholeCount.test(settled.text))
    throw fault(place, "settled is how many entries of the book, as a whole number");
  return {
    side,
    reference,
    amount,
    day,
    narration: text("narration"),
    counterparty: text("counterparty"),
    since: text("since"),
    feeOf: value["feeOf"] === undefined ? undefined : text("feeOf"),
    isDifference: value["difference"] === true,
    settled: Number(settled.text),
  };
}

async function readText(files: Files, path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await files.read(path, fileMaxBytes));
  } catch (error) {
    const isForeign = error instanceof TypeError ? "it is not UTF-8" : systemReason(error, "read");
    const why = error instanceof FileTooLarge ? error.message : isForeign;
    if (why === undefined) throw error;
    throw new Failure("usage", `The open items in ${visible(path)} cannot be read: ${why}.`, {
      hint: "Check the name after --carry, and that you may read the file.",
      cause: error,
    });
  }
}

function faultAt(path: string, text: string, at: number, what: string): Failure {
  const { line, column } = lineAndColumn(text, at);
  return new Failure("usage", `${visible(path)}, line ${line}, column ${column}: ${what}.`, {
    hint: "Name the file that earlier months of this account were carried in; a new name begins with this month.",
    details: { [`line ${line}, column ${column}`]: what },
  });
}
