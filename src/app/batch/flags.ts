import type { MovementKind } from "../../journal/movement.ts";
import { movementKinds } from "../../journal/movement.ts";
import type { BatchForm } from "../../movements/batch/batch-form.ts";
import { batchMaxRows } from "../../movements/batch/batch-file.ts";
import { columnsOf } from "../../movements/batch/columns.ts";
import type { Expectation } from "../../movements/batch/expectation.ts";
import { parseTotal } from "../../movements/batch/expectation.ts";
import { remittanceFields } from "../../remittance/fields.ts";
import { parseAccountNumber } from "../../values/account-number.ts";
import { closest } from "../../values/text/closest.ts";
import { Failure } from "../../values/failure.ts";
import { flagName } from "../../values/text/flag-name.ts";
import { violation } from "../../values/violation.ts";
import { quote } from "../../values/text/text.ts";
import type { FlagValues } from "../../cli/line/input.ts";
import { anyText, oneOf, option, repeatedOption, toggle, wholeNumber } from "../../cli/line/input.ts";

/** Values for all rows, so that files stay narrow. */
export const batchFormFlags = {
  kind: option({
    value: movementKinds.join("|"),
    summary: "What the rows are; not needed if a column `kind` says so.",
    group: "rows",
    read: oneOf(...movementKinds),
  }),
  from: option({
    value: "ACCOUNT",
    summary: "The wallet that pays every transfer.",
    group: "rows",
    read: parseAccountNumber,
  }),
  account: option({
    value: "ACCOUNT",
    summary: "The wallet of every withdrawal.",
    group: "rows",
    read: parseAccountNumber,
  }),
  description: option({ value: "TEXT", summary: "The description of every row.", group: "rows", read: anyText }),
  narration: option({ value: "TEXT", summary: "The narration of every row.", group: "rows", read: anyText }),
  date: option({ value: "YYYY-MM-DD", summary: "The day of every withdrawal.", group: "rows", read: anyText }),
  channel: option({ value: "C", summary: "The channel of every collection.", group: "rows", read: anyText }),
  callbackUrl: option({ value: "URL", summary: "The callback of every row.", group: "rows", read: anyText }),
  set: repeatedOption({
    value: "COLUMN=VALUE",
    summary: "Any other column for every row, such as sender.countryCode=KE; repeat it.",
    group: "rows",
    read: parseSetting,
  }),
  sheet: option({ value: "NAME", summary: "The sheet of a workbook that has several.", group: "rows", read: anyText }),
  noTag: toggle({ summary: "Leave the reference out of a transfer's description.", group: "rows" }),
  expectCount: option({
    value: "N",
    summary: "Stop unless the file has this many rows.",
    group: "rows",
    read: wholeNumber(0, batchMaxRows),
  }),
  expectTotal: repeatedOption({
    value: "AMOUNT",
    summary: "Stop unless the amounts add up to this; with several currencies TZS=AMOUNT, repeated.",
    group: "rows",
    read: parseTotal,
  }),
} as const;

export type BatchFlags = FlagValues<typeof batchFormFlags>;

/** A person's decision about rows that look like payments made before. */
export const repeatFlags = {
  allowRepeats: toggle({ summary: "Take rows that look like payments made before.", group: "rows" }),
} as const;

/** Flags that have the name of a column. */
const shared = ["from", "account", "description", "narration", "date", "channel", "callbackUrl"] as const;
/** Kinds of rows for which the service sends callbacks; undefined for a file of several kinds. */
const calledBack: ReadonlySet<MovementKind | undefined> = new Set(["collect", "remit", "payout", undefined]);

/**
 * How to read the rows.
 * @param callbackUrl of the profile
 * @throws {Failure} usage: a column that no such row has, or one that is given twice
 */
export function batchForm(flags: BatchFlags, callbackUrl: string | undefined): BatchForm {
  const { kind, noTag, sheet, set = [] } = flags;
  const given = shared.flatMap((name): [string, string, string][] => {
    const value = flags[name];
    return value === undefined ? [] : [[name, value, `--${flagName(name)}`]];
  });
  const constants = new Map<string, string>();
  for (const [name, value, flag] of [...given, ...set.map(([name, value]) => [name, value, "--set"] as const)]) {
    if (constants.has(name)) throw new Failure("usage", `${name} is given twice.`, { hint: "Keep one of them." });
    constants.set(knownColumn(name, kind, flag), value);
  }
  const defaults = new Map<string, string>();
  if (callbackUrl !== undefined && calledBack.has(kind)) defaults.set("callbackUrl", callbackUrl);
  if (kind === undefined || kind === "remit")
    for (const { path, standard } of remittanceFields) if (standard !== undefined) defaults.set(path, standard);
  return { kind, constants, defaults, tagged: !noTag, sheet };
}

/** What the file is expected to contain. */
export function expectationOf({ expectCount, expectTotal = [] }: BatchFlags): Expectation {
  return { count: expectCount, totals: expectTotal };
}

function parseSetting(text: string, field: string): readonly [name: string, value: string] {
  const at = text.indexOf("=");
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw violation({
    field,
    text,
    problem: "sets nothing",
    example: "description=Salaries",
    rule: "a column, =, a value",
  });
}

function knownColumn(name: string, kind: MovementKind | undefined, flag: string): string {
  const names = columnsOf(kind).map((column) => column.name);
  if (names.includes(name) && name !== "reference") return name;
  const near = closest(name, names);
  const rows = kind === undefined ? "row" : kind;
  throw new Failure("usage", `${flag}: no ${rows} has a column ${quote(name)} that all of them could share.`, {
    hint:
      near === undefined
        ? `See the columns: partner batch template --kind ${kind ?? "transfer"}`
        : `Did you mean ${near}?`,
  });
}
