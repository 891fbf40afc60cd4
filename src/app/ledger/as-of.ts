import { option } from "../../cli/line/input.ts";
import { parseMoment } from "../../values/time/instant.ts";
import { violation } from "../../values/violation.ts";

/** Shows what the ledger knew at some time, whatever came since. */
export const asOfFlag = {
  asOf: option({
    value: "TIME",
    summary: "What was known then, such as 2026-10-31T18:00:00+03:00.",
    read: parseInstant,
  }),
} as const;

/** The way to what the ledger lacks: a sync, unless it lacked that at some time in the past. */
export function lackHint(asOf: number | undefined, sync: string): string {
  return asOf === undefined
    ? sync
    : "No sync changes what was known then. To see what is known now, leave --as-of out.";
}

/** Milliseconds since 1970 UTC; a time without a zone could be any of two dozen. */
function parseInstant(text: string, field: string): number {
  const instant = /^[^T]*T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(text) ? parseMoment(text) : undefined;
  if (instant !== undefined) return instant;
  throw violation({
    field,
    text,
    problem: "isn't a time with its zone",
    example: "2026-10-31T18:00:00+03:00",
    rule: "ISO 8601",
  });
}
