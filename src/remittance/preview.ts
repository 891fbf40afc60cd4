import { amountOf } from "../values/money/amount.ts";
import { groupedWhileTyped } from "../values/money/decimal.ts";
import { formatMoney } from "../values/money/money.ts";
import { findMsisdn } from "../values/msisdn.ts";
import { operatorWarning } from "../values/operators.ts";
import { quote } from "../values/text/text.ts";
import type { RemittanceDraft } from "./draft.ts";
import { isToMobile } from "./draft.ts";
import type { Institution } from "./institution.ts";
import { rateReading, rateWarning } from "./rate.ts";

/**
 * The preview of a remittance, for a person.
 * @param callback where the outcome is reported
 * @param institutions undefined where the list is not available, null where it was not requested
 */
export function remittancePreview(
  draft: RemittanceDraft,
  callback: string,
  institutions: readonly Institution[] | undefined | null,
) {
  const said = (path: string) => draft.get(path) ?? "";
  const money = (path: string, currency: string) => {
    const amount = amountOf(said(path));
    return `${amount ? formatMoney(amount, currency) : said(path)} ${currency}`;
  };
  const institution = institutions?.find(({ code }) => code === said("institutionCode"));
  const through = `${said("institutionCode")}, ${said("receiverChannel")}`;
  const paid = money("senderAmount", said("senderCurrency"));
  return {
    title: `Remit ${money("receiverAmount", "TZS")} to ${said("receiver.fullName")}`,
    lines: [
      ["sender", `${said("sender.fullName")} (${said("sender.countryCode")}), ${said("sender.phoneNumber")}`],
      ["receiver", `${said("receiver.fullName")}, ${said("receiver.phoneNumber")}`],
      ["account", said("receiverAccount")],
      ["through", institution?.name === undefined ? through : `${institution.name} (${through})`],
      ["sender pays", `${paid}, at ${groupedWhileTyped(said("exchangeRate"))}, before fees`],
      ["description", said("description")],
      ["callback", callback],
    ] as const,
    violations: [],
    warnings: [
      phoneWarning(said("sender.phoneNumber")),
      receiverWarning(draft),
      rateReading(draft),
      rateWarning(draft),
      listWarning(institutions),
    ].filter((warning) => warning !== undefined),
  };
}

/** A remark about a mobile number that another operator than the named one usually has. */
export function receiverWarning(draft: RemittanceDraft): string | undefined {
  const msisdn = isToMobile(draft) ? findMsisdn(draft.get("receiverAccount") ?? "") : undefined;
  return msisdn === undefined ? undefined : operatorWarning(draft.get("institutionCode") ?? "", msisdn);
}

/** Spec 2.1 gives the sender's number no form: an address typed there by mistake would be sent. */
function phoneWarning(phone: string): string | undefined {
  return /\p{L}/u.test(phone) ? `The sender's phone number ${quote(phone)} has letters.` : undefined;
}

function listWarning(institutions: readonly Institution[] | undefined | null): string | undefined {
  if (institutions === undefined)
    return "The list of institutions could not be fetched; the code was not compared with it.";
  if (institutions === null || institutions.length > 0) return undefined;
  return "The list of institutions names no code; the code was not compared with it.";
}
