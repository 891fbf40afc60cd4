import type { DateFormat } from "../../../values/book-writing.ts";
import { dateFormats } from "../../../values/book-writing.ts";
import { Day } from "../../../values/time/day.ts";
import { dayOfTimestamp } from "../../../values/time/wall-time.ts";
import type { ReadCell } from "./book-form.ts";

/** How a book writes its days. */
export interface DayForm {
  /** Undefined where it is not set: then ISO days, and days with the month's name. */
  readonly format: DateFormat | undefined;
  /** True in a workbook: its date cells arrive as ISO days, whatever its text cells look like. */
  readonly hasDates: boolean;
}

/** A day, and the form in which it is written where that was detected. */
export interface WrittenDay {
  /** Days since 1970-01-01. */
  readonly serial: number;
  readonly recognised: DateFormat | undefined;
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const named = /^(\d{1,2})([-/. ])([A-Za-z]{3,9})\.?\2(\d{4}|\d{2})$/;
const timeBehind = /[ T]\d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp][Mm])?$/;
const century = "20";

/** Reads a day, alone or before a time of day. */
export function readBookDay(text: string, { format, hasDates }: DayForm): ReadCell<WrittenDay> {
  const wanted = format ?? "YYYY-MM-DD";
  const day = dayIn(text, wanted) ?? (hasDates ? dayIn(text, "YYYY-MM-DD") : undefined);
  if (day !== undefined) return { value: { serial: day.serial, recognised: undefined } };
  const readings = dateFormats.flatMap((other) => {
    const read = other === wanted ? undefined : dayIn(text, other);
    return read === undefined ? [] : [{ form: other, read }];
  });
  const [meant] = readings;
  if (format === undefined && meant?.form.includes("MMM") === true)
    return { value: { serial: meant.read.serial, recognised: meant.form } };
  if (text === "") return { problem: "is empty" };
  const problem = `isn't a day in the form ${wanted}`;
  if (meant === undefined) return { problem };
  const settings = readings.map(({ form }) => ({ key: "dateFormat", value: form }) as const);
  return { problem: `${problem}; --book-date-format ${wordsOf(readings)}`, settings };
}

/** `10/05/2026` can be a day of May or of October: then each form is named with the day that it reads. */
function wordsOf(readings: readonly { readonly form: DateFormat; readonly read: Day }[]): string {
  const [first, ...others] = readings.map(({ form, read }) => ({ form, day: read.toString() }));
  if (others.length === 0) return `${first?.form} would read it`;
  return [`${first?.form} would read ${first?.day}`, ...others.map(({ form, day }) => `${form} ${day}`)].join(", and ");
}

function dayIn(text: string, format: DateFormat): Day | undefined {
  if (format === "YYYY-MM-DD") return Day.parse(dayOfTimestamp(text) ?? "");
  const bare = text.includes(":") ? text.replace(timeBehind, "") : text;
  if (format === "DD-MMM-YY" || format === "DD-MMM-YYYY") return namedDay(bare, format.length - "DD-MMM-".length);
  const separator = format.charAt(2);
  const parts = bare.split(separator);
  if (parts.length !== 3 || !parts.every((part) => /^\d+$/.test(part))) return undefined;
  const [first = "", second = "", year = ""] = parts;
  const [date, month] = format.startsWith("DD") ? [first, second] : [second, first];
  return Day.parse(`${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`);
}

/** A day whose month has its English name, in full or its first three letters. */
function namedDay(text: string, yearDigits: number): Day | undefined {
  const [, date = "", , name = "", year = ""] = named.exec(text) ?? [];
  const month = months.indexOf(name.slice(0, 3).toLowerCase()) + 1;
  if (month === 0 || year.length !== yearDigits || !isMonth(name, month)) return undefined;
  const whole = yearDigits === 2 ? century + year : year;
  return Day.parse(`${whole}-${String(month).padStart(2, "0")}-${date.padStart(2, "0")}`);
}

const wholeNames = "january february march april may june july august september october november december".split(" ");

function isMonth(name: string, month: number): boolean {
  const word = name.toLowerCase();
  return word.length === 3 || wholeNames.indexOf(word) + 1 === month || (word === "sept" && month === 9);
}
