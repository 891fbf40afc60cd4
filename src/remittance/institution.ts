import type { JsonObject, JsonValue } from "../values/json.ts";
import { Numeral } from "../values/json.ts";
import type { RemittanceDraft } from "./draft.ts";

/** The known fields of an institution. */
export interface Institution {
  readonly code: string;
  readonly name: string | undefined;
  readonly channel: "MOBILE" | "BANK" | undefined;
}

/** The row's code is the first of these that it has. */
const codeNames = [/^institution_?code$/i, /^code$/i, /^(?!.*(country|currency)).*code$/i];
const channelName = /^(.*channel|.*type|.*category|group)$/i;

/**
 * The specification is silent on the fields of an institution, so they are recognised by names that look like a code, a
 * name or a channel. Rows without a code can't be chosen, and are left out.
 */
export function institutionsOf(rows: readonly JsonObject[]): Institution[] {
  return rows.flatMap((row) => {
    const code = codeNames.map((name) => textIn(row, name)).find((text) => text !== undefined);
    return code === undefined ? [] : [{ code, name: textIn(row, /name$/i), channel: channelOf(row) }];
  });
}

/** Those that can be reached through a channel. */
export function institutionsOfChannel(institutions: readonly Institution[], wanted: string | undefined): Institution[] {
  return institutions.filter(({ channel }) => channel === undefined || channel === wanted);
}

/** Spec 2.1: the code must come from the service's list; it must also be one of the chosen channel's. */
export function institutionViolation(draft: RemittanceDraft, institutions: readonly Institution[]): string | undefined {
  const [code, channel] = [draft.get("institutionCode"), draft.get("receiverChannel")];
  const offered = institutionsOfChannel(institutions, channel);
  if (code === undefined || offered.some((institution) => institution.code === code)) return undefined;
  if (institutions.some((institution) => institution.code === code)) return `is not of the channel ${channel}`;
  return offered.length === 0 ? undefined : "is none that the service lists";
}

function channelOf(row: JsonObject): Institution["channel"] {
  const words = Object.entries(row).map(([name, value]) => (channelName.test(name) ? textOf(value) : ""));
  const says = (word: RegExp) => words.some((text) => word.test(text));
  return says(/^mobile/i) ? "MOBILE" : says(/^bank/i) ? "BANK" : undefined;
}

function textIn(row: JsonObject, name: RegExp): string | undefined {
  const found = Object.entries(row).find(([field, value]) => name.test(field) && textOf(value) !== "");
  return found === undefined ? undefined : textOf(found[1]);
}

function textOf(value: JsonValue): string {
  return value instanceof Numeral ? value.text : typeof value === "string" ? value : "";
}
