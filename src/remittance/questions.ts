import type { Choice, Prompts } from "../host/process/prompts.ts";
import { noChange } from "../host/process/prompts.ts";
import { visible } from "../values/text/text.ts";
import type { RemittanceDraft } from "./draft.ts";
import { isToMobile } from "./draft.ts";
import type { RemittanceField } from "./fields.ts";
import { formOrder } from "./form.ts";
import type { Institution } from "./institution.ts";
import { institutionsOfChannel } from "./institution.ts";
import { wholeShillings } from "./rate.ts";
import { formatTyped, tidyTyped } from "./typed.ts";

export interface Interview {
  readonly prompts: Prompts;
  readonly institutions: readonly Institution[];
  /** The violations of a draft, by path. */
  readonly violationsOf: (draft: RemittanceDraft) => Readonly<Record<string, string>>;
  /** Tells a person which field is asked for, and why a given one is asked again. */
  readonly say: (line: string) => Promise<void>;
  /** Keeps the answers so far, if the questions end early. */
  readonly keep?: ((draft: RemittanceDraft) => Promise<void>) | undefined;
}

/** How to type a value, by kind. */
const forms: Readonly<Partial<Record<RemittanceField["kind"], string>>> = {
  day: "YYYY-MM-DD",
  country: "two letters, such as KE",
  currency: "three letters, such as USD",
  phone: "such as 255712345678",
};

/** Asks only for missing or invalid fields, in the order of the form. */
export async function askForRest(known: RemittanceDraft, interview: Interview): Promise<RemittanceDraft> {
  const draft = new Map(known);
  let asked = 0;
  await interview.say(
    "You are asked for what is missing or wrong. At the end you can change every answer; nothing is sent before you say yes. Ctrl-C ends it.",
  );
  for (const field of formOrder) {
    const violation = interview.violationsOf(draft)[field.path];
    if (violation === undefined) continue;
    if (draft.has(field.path)) await interview.say(`${field.path} ${violation}.`);
    try {
      draft.set(field.path, await ask(field, draft, interview));
    } catch (error) {
      if (asked > 0) await interview.keep?.(draft);
      throw error;
    }
    asked += 1;
  }
  return draft;
}

/**
 * Asks what to change about a draft, and then for that: the field's path and its new value.
 * Undefined where nothing is to be changed.
 * @param fixed paths that cannot be changed
 */
export async function askForChange(
  draft: RemittanceDraft,
  fixed: readonly string[],
  interview: Interview,
): Promise<readonly [path: string, value: string] | undefined> {
  const open = formOrder.filter(({ path }) => !fixed.includes(path));
  const named = open.map((each): Choice<string> => {
    const { path, words, personal } = each;
    const value = draft.get(path);
    const isShown = value !== undefined && personal !== true;
    return { value: path, name: visible(isShown ? `${words}: ${formatTyped(each, value)}` : words) };
  });
  const path = await interview.prompts.choose("What should change?", [...named, noChange]);
  if (path === noChange.value) return undefined;
  const field = formOrder.find((each) => each.path === path);
  if (field === undefined) throw new Error(`There is no field ${path}.`);
  return [path, await ask(field, draft, interview, field.personal === true ? undefined : draft.get(path))];
}

function ask(field: RemittanceField, draft: RemittanceDraft, interview: Interview, initial?: string): Promise<string> {
  const { prompts, institutions } = interview;
  const { path, kind, choices = [] } = field;
  if (kind === "choice")
    return prompts.choose(
      field.words,
      choices.map((value) => ({ value, name: value })),
    );
  const offered = path === "institutionCode" ? choicesFor(institutions, draft.get("receiverChannel")) : [];
  if (offered.length > 0) return prompts.search(field.words, (typed) => matching(offered, typed));
  return askText(field, draft, interview, initial);
}

async function askText(
  field: RemittanceField,
  draft: RemittanceDraft,
  { prompts, violationsOf }: Interview,
  initial: string | undefined,
): Promise<string> {
  const { path, words, kind } = field;
  const tidy = (typed: string) => tidyIn(field, draft, typed);
  const faultIn = (typed: string) => violationsOf(new Map(draft).set(path, tidy(typed)))[path];
  const offer = initial ?? offerFor(path, draft);
  const form = forms[kind];
  const typed = await prompts.text({
    message: form === undefined ? words : `${words} (${form})`,
    check(text) {
      const violation = faultIn(text);
      return violation === undefined ? true : `It ${violation}.`;
    },
    initial: offer === undefined || faultIn(offer) !== undefined ? undefined : offer,
    show: (text) => formatTyped(field, text),
  });
  return tidy(typed);
}

/** Brings the number to be credited into the same form as the receiver's own. */
function tidyIn(field: RemittanceField, draft: RemittanceDraft, typed: string): string {
  const isNumber = field.path === "receiverAccount" && isToMobile(draft);
  return tidyTyped(isNumber ? { ...field, kind: "phone" } : field, typed);
}

/** A value derived from earlier answers: accepted with Enter, or typed over. */
function offerFor(path: string, draft: RemittanceDraft): string | undefined {
  if (path === "receiverAmount") return wholeShillings(draft);
  return path === "receiverAccount" && isToMobile(draft) ? draft.get("receiver.phoneNumber") : undefined;
}

function choicesFor(institutions: readonly Institution[], channel: string | undefined): Choice<string>[] {
  return institutionsOfChannel(institutions, channel).map(({ code, name }) => ({
    value: code,
    name: visible(name === undefined ? code : `${name} (${code})`),
  }));
}

/** By name or by code. */
function matching(choices: readonly Choice<string>[], typed: string): Choice<string>[] {
  const wanted = typed.trim().toLowerCase();
  return choices.filter(({ name }) => name.toLowerCase().includes(wanted));
}
