import type { RemittanceDraft } from "../../remittance/draft.ts";
import { remittanceFields } from "../../remittance/fields.ts";
import { flagOf } from "./flags.ts";

/** Parts of a command line besides the fields of the remittance. */
export interface LineParts {
  readonly profile: string | undefined;
  readonly fromFile: string | undefined;
  readonly senderFrom: string | undefined;
  /** With it the callback's address is made when the order is sent. */
  readonly wait: boolean;
  readonly callbackUrl: string | undefined;
  /** Values that need no flag. */
  readonly unsaid: RemittanceDraft;
}

/**
 * The command line for this remittance, complete without a question. It has the reference, so running it again moves
 * nothing a second time. Personal data is left for a person to fill in, since command lines are kept in many places.
 */
export function remittanceLine(draft: RemittanceDraft, parts: LineParts): string {
  const { profile, fromFile, senderFrom, wait, callbackUrl, unsaid } = parts;
  const fields = remittanceFields.flatMap(({ path, personal }): [string, string][] => {
    const text = path === "callbackUrl" && wait ? callbackUrl : draft.get(path);
    if (text === undefined || text === unsaid.get(path)) return [];
    return [[flagOf(path), personal === true ? "'…'" : quoted(text)]];
  });
  const named = { "--profile": profile, "--from-file": fromFile, "--sender-from": senderFrom };
  const others = Object.entries(named).flatMap(([flag, value]) => (value === undefined ? [] : [flag, quoted(value)]));
  return ["partner remit", ...others, ...fields.flat(), ...(wait ? ["--wait"] : [])].join(" ");
}

/** Quotes a word for a shell, where it needs quotes. */
function quoted(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
