import { Day, dayInDarEsSalaam, msOfDayInDarEsSalaam } from "./day.ts";

/** Every form in which the service writes time starts with the day; the time follows a space or a T. */
const dayChars = 10;
/**
 * The length of the part of a timestamp without a zone that determines its day: the day, and the character after it.
 */
const dayEndChars = dayChars + 1;
const afterDay = new Set(["", " ", "T"]);
/** The shortest timestamp with a zone: `2026-10-01T08:00Z`. */
const zonedMinChars = 17;
const zone = /(?:Z|[+-]\d\d:?\d\d)$/;
/** The zone of Dar es Salaam, all year. */
const ownZone = /\+03:?00$/;

/** Wall-clock time in Dar es Salaam, `YYYY-MM-DD HH:mm:ss`: the form that the service expects without a zone. */
export function wallTime(epochMs: number): string {
  return `${dayInDarEsSalaam(epochMs).toString()} ${timeOfDay(epochMs)}`;
}

/** The same instant with its zone, `2026-10-01T08:00:00+03:00`: ISO 8601 as the service writes it. */
export function isoDarEsSalaam(epochMs: number): string {
  return `${dayInDarEsSalaam(epochMs).toString()}T${timeOfDay(epochMs)}+03:00`;
}

/**
 * The day of a service's timestamp in Dar es Salaam, `YYYY-MM-DD`. Without a zone, a timestamp is in the service's own
 * time, and its day is as written; one with another zone is converted. Undefined where the text does not start with a
 * valid day.
 */
export function dayOfTimestamp(text: string): string | undefined {
  const day = text.slice(0, dayChars);
  if (!afterDay.has(text.charAt(dayChars)) || Day.parse(day) === undefined) return undefined;
  return isElsewhere(text) ? Day.parse(inDarEsSalaam(text).slice(0, dayChars))?.toString() : day;
}

/** The part of a timestamp that determines its day: timestamps with the same part are of one day. */
export function dayPart(text: string): string {
  return isElsewhere(text) ? text : text.slice(0, dayEndChars);
}

/** The day as written at the start of a timestamp; with another zone, it may differ from the day in Dar es Salaam. */
export function writtenDay(text: string): string {
  return text.slice(0, dayChars);
}

/** True for a timestamp with a zone other than that of Dar es Salaam. */
export function isElsewhere(text: string): boolean {
  return text.length >= zonedMinChars && zone.test(text) && !ownZone.test(text);
}

/**
 * Converts a timestamp with another zone to wall-clock time in Dar es Salaam. Other texts are unchanged; an invalid
 * time becomes empty.
 */
export function inDarEsSalaam(text: string): string {
  if (!isElsewhere(text)) return text;
  const epochMs = Date.parse(text.replace(" ", "T").replace(/([+-]\d\d)(\d\d)$/, "$1:$2"));
  return Number.isNaN(epochMs) ? "" : wallTime(epochMs);
}

function timeOfDay(epochMs: number): string {
  const seconds = Math.floor(msOfDayInDarEsSalaam(epochMs) / 1000);
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => Math.floor(part).toString().padStart(2, "0"))
    .join(":");
}

/** A moment in wall-clock time: a day, and seconds since its midnight. */
export interface Moment {
  readonly day: Day;
  readonly seconds: number;
}

const timestampForm =
  /^(\d{4}-\d\d-\d\d)(?:[ T]([01]\d|2[0-3]):([0-5]\d):([0-5]\d(?:\.\d{1,9})?))?(?:Z|[+-]\d\d:?\d\d)?$/;

/**
 * The moment of a timestamp of the service, as written: its zone, if it has one, is ignored. Undefined for any other
 * text.
 */
export function momentOf(text: string): Moment | undefined {
  const [, date = "", hours = "0", minutes = "0", seconds = "0"] = timestampForm.exec(text) ?? [];
  const day = Day.parse(date);
  if (day === undefined) return undefined;
  return { day, seconds: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) };
}
