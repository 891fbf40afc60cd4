import type { RemittanceDraft } from "../../remittance/draft.ts";
import { remittanceFields } from "../../remittance/fields.ts";
import { flagOf } from "./flags.ts";

/** What a command line says besides the fields of the remittance. */
export interface LineParts {
  readonly profile: string | undefined;
  readonly fromFile: string | undefined;
  readonly senderFrom: string | undefined;
  /** With it the callback's address is made, whatever it is made of. */
  readonly wait: boolean;
  readonly callbackUrl: string | undefined;
  /** What needs no flag. */
  readonly unsaid: RemittanceDraft;
}

/**
 * The command line that says all of this without a question. It has the reference, so that running it moves nothing a
 * second time. What tells who somebody is is left for a person to fill in: command lines are kept in many places.
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

/** A word as a shell takes it for one. */
function quoted(text: string): string {
  return /^[\w./:@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
