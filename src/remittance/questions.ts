import type { Choice, Prompts } from "../host/prompts.ts";
import { amountOf } from "../values/amount.ts";
import type { Decimal } from "../values/decimal.ts";
import { convertedAmount } from "./check.ts";
import type { Draft } from "./draft.ts";
import type { RemittanceField } from "./fields.ts";
import { groups, remittanceFields } from "./fields.ts";
import type { Institution } from "./institution.ts";

export interface Interview {
  readonly prompts: Prompts;
  readonly institutions: readonly Institution[];
  /** What is wrong with a draft, by path. */
  readonly faultsOf: (draft: Draft) => Readonly<Record<string, string>>;
}

/** Asks for just what is missing or wrong, in the order of a form: who sends, who receives, how much, through what. */
export async function askForRest(known: Draft, interview: Interview): Promise<Draft> {
  const draft = new Map(known);
  for (const group of groups) {
    for (const field of remittanceFields.filter((candidate) => candidate.group === group)) {
      if (interview.faultsOf(draft)[field.path] === undefined) continue;
      draft.set(field.path, await ask(field, draft, interview));
    }
  }
  return draft;
}

function ask(field: RemittanceField, draft: Draft, interview: Interview): Promise<string> {
  const { prompts, institutions } = interview;
  const { path, words, kind, choices = [] } = field;
  if (kind === "choice")
    return prompts.choose(
      words,
      choices.map((value) => ({ value, name: value })),
    );
  const offered = path === "institutionCode" ? choicesFor(institutions, draft.get("receiverChannel")) : [];
  if (offered.length > 0) return prompts.search(words, (typed) => matching(offered, typed));
  const check = (typed: string) => {
    const fault = interview.faultsOf(new Map([...draft, [path, typed]]))[path];
    return fault === undefined ? true : `It ${fault}.`;
  };
  const initial = path === "receiverAmount" ? wholeText(convertedAmount(draft)) : undefined;
  return prompts.text({ message: words, check, initial, ...(kind === "amount" ? { show: grouped } : {}) });
}

function choicesFor(institutions: readonly Institution[], channel: string | undefined): Choice<string>[] {
  return institutions
    .filter((institution) => institution.channel === undefined || institution.channel === channel)
    .map(({ code, name }) => ({ value: code, name: name === undefined ? code : `${name} (${code})` }));
}

/** By name or by code. */
function matching(choices: readonly Choice<string>[], typed: string): Choice<string>[] {
  const wanted = typed.toLocaleLowerCase();
  return choices.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
}

/** `1500000` is easier to get right as `1,500,000`. */
function grouped(typed: string): string {
  const amount = amountOf(typed);
  return amount && typed === amount.toString() ? amount.grouped(0) : typed;
}

/** Whole shillings, the rest left off: the receiver's amount has no cents. */
function wholeText(amount: Decimal | undefined): string | undefined {
  return amount?.toString().replace(/\..*$/, "");
}
