/** A moment as the service and this program write it, with the zone of Dar es Salaam or none. */
const moment = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d)(?:\.\d+)?(?:\+03:00)?$/;
const minuteChars = "2026-10-01 10:31".length;
const dayChars = "2026-10-01".length;

/** How much of a moment is shown. */
export interface TimeForm {
  readonly to: "second" | "minute" | "day";
  /** The day to omit, since every moment in the column is of that day; undefined to show days. */
  readonly day: string | undefined;
}

/** A moment for people: `2026-10-01 10:31:07`, or a part of it. Any other text is unchanged. */
export function timeText(text: string, { to, day }: TimeForm): string {
  const [, date, minute = "", second = ""] = moment.exec(text) ?? [];
  if (date === undefined) return text;
  const whole = `${date} ${minute}${second}`;
  if (to === "day") return whole.slice(0, dayChars);
  const shown = to === "minute" ? whole.slice(0, minuteChars) : whole;
  return date === day ? shown.slice(dayChars + 1) : shown;
}

/** True where every moment in a column is of that day. */
export function areAllOfDay(day: string, texts: readonly string[]): boolean {
  const moments = texts.filter((text) => text !== "");
  return moments.length > 0 && moments.every((text) => moment.exec(text)?.[1] === day);
}
