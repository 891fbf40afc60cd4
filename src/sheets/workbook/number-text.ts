import { Day } from "../../values/time/day.ts";

/** The digits that a spreadsheet keeps of a number; further ones are rounding errors. */
const numberMaxDigits = 15;
/** From here on, whole numbers may have lost digits. */
const wholeLimit = 10 ** numberMaxDigits;
const numberForm = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[Ee][+-]?\d+)?$/;

/** The serial number of 1970-01-01 in the two date systems of workbooks. */
const serialOf1970 = { from1900: 25_569, from1904: 24_107 } as const;
/** 1900-03-01: before it, some spreadsheets count a day that never was. */
const firstSerialFrom1900 = 61;
/** 9999-12-31. */
const lastSerial = 2_958_465;
const secondsPerDay = 86_400;

/** A cell as text, or its violation, in words that follow its place. */
export type CellText = { readonly text: string } | { readonly problem: string };

/**
 * The digits of a cell's number: whole numbers as they are, others rounded to the 15 digits that a spreadsheet keeps,
 * never with an exponent.
 */
export function numberText(stored: string): CellText {
  const number = numberForm.test(stored) ? Number(stored) : Number.NaN;
  if (!Number.isFinite(number)) return { problem: "has a number that cannot be read" };
  if (Number.isInteger(number)) {
    if (Math.abs(number) < wholeLimit) return { text: String(number === 0 ? 0 : number) };
    return { problem: `has more digits than the ${numberMaxDigits} that a spreadsheet keeps` };
  }
  return { text: plain(number.toPrecision(numberMaxDigits)) };
}

/** The digits of a double without exponent and without zeros at the end. */
function plain(digits: string): string {
  const [mantissa = "", exponent = "0"] = digits.split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const shift = Number(exponent);
  const zeros = "0".repeat(Math.abs(shift));
  const padded = shift < 0 ? zeros + whole + fraction : whole + fraction + zeros;
  const point = shift < 0 ? whole.length : whole.length + shift;
  const [front, back] = [padded.slice(0, point).replace(/^0+(?=\d)/, ""), padded.slice(point).replace(/(?<!0)0+$/, "")];
  return `${sign}${front}${back === "" ? "" : `.${back}`}`;
}

/** The day that a cell shows, `2026-10-31`, with its time if it has one, `2026-10-31 08:30:00`. */
export function dateText(stored: string, from1904: boolean): CellText {
  const serial = numberForm.test(stored) ? Number(stored) : Number.NaN;
  const first = from1904 ? 0 : firstSerialFrom1900;
  if (!(serial >= first && serial <= lastSerial)) return { problem: "has a date that spreadsheets do not agree on" };
  const seconds = Math.round(serial * secondsPerDay);
  const ofDay = seconds % secondsPerDay;
  const day = new Day(Math.floor(seconds / secondsPerDay) - serialOf1970[from1904 ? "from1904" : "from1900"]);
  const time = [ofDay / 3600, (ofDay / 60) % 60, ofDay % 60].map((part) => String(Math.floor(part)).padStart(2, "0"));
  return { text: ofDay === 0 ? day.toString() : `${day.toString()} ${time.join(":")}` };
}
