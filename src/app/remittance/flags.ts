import type { RemittanceDraft } from "../../remittance/draft.ts";
import type { RemittanceField } from "../../remittance/fields.ts";
import { remittanceFields } from "../../remittance/fields.ts";
import { formOrder, pageOf } from "../../remittance/form.ts";
import { tidyPhone } from "../../remittance/typed.ts";
import { flagName } from "../../values/text/flag-name.ts";
import type { Option } from "../../cli/line/input.ts";
import { anyText, option } from "../../cli/line/input.ts";
import { moneyFlags } from "../money/flags.ts";
import { waitFlags } from "../money/waits/wait-flags.ts";

/** Placeholders for values in the help, by kind. */
const placeholders: Readonly<Partial<Record<RemittanceField["kind"], string>>> = {
  amount: "N",
  day: "YYYY-MM-DD",
  time: "TIMESTAMP",
  phone: "255712345678",
  country: "KE",
  currency: "USD",
};

/** Flags for files with a draft, or with a sender to use again. */
export const senderFileFlags = {
  fromFile: option({
    value: "FILE",
    summary: "The specification's body as JSON, - for stdin; flags override it.",
    group: "files",
    read: anyText,
  }),
  senderFrom: option({
    value: "FILE",
    summary: "The sender, as --save-sender wrote it; overrides --from-file.",
    group: "files",
    read: anyText,
  }),
  saveSender: option({
    value: "FILE",
    summary: "Save the sender, without the number of the id, for --sender-from.",
    group: "files",
    read: anyText,
  }),
} as const;

/** One flag for every field of a remittance, named by its path; two of them are grouped with other commands' flags. */
export const remittanceFlags: Readonly<Record<string, Option<string, false>>> = Object.fromEntries(
  formOrder
    .filter(({ path }) => path !== "partnerReference" && !Object.hasOwn(waitFlags, flagKey(path)))
    .map((field) => [
      flagKey(field.path),
      option({
        value: field.choices?.join("|") ?? placeholders[field.kind] ?? "TEXT",
        summary: `${field.words}${field.standard === undefined ? "" : ` (default: ${field.standard})`}.`,
        group: pageOf(field),
        words: field.choices,
        read: anyText,
      }),
    ]),
);

/** The values of flags, by path. Violations are reported later, together with missing fields. */
export function draftOfFlags(flags: Readonly<Record<string, unknown>>): RemittanceDraft {
  return new Map(
    remittanceFields.flatMap(({ path, kind }): [string, string][] => {
      const value = flags[path === "partnerReference" ? "reference" : flagKey(path)];
      return typeof value === "string" ? [[path, kind === "phone" ? tidyPhone(value) : value]] : [];
    }),
  );
}

/** `--sender-full-name` for `sender.fullName`; `--reference`, as in every money command, for `partnerReference`. */
export function flagOf(path: string): string {
  const key: keyof typeof moneyFlags = "reference";
  return `--${path === "partnerReference" ? key : flagName(flagKey(path))}`;
}

/** `sender.fullName` has the key `senderFullName`. */
function flagKey(path: string): string {
  return path.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
}
