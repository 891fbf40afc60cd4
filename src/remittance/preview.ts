import { Failure } from "../values/failure.ts";
import { rateWarning } from "./check.ts";
import type { Draft } from "./draft.ts";
import type { Institution } from "./institution.ts";

/** What a person sees before a remittance leaves, and what the service's own list says about where it goes. */
export function remittancePreview(draft: Draft, institutions: readonly Institution[] | undefined) {
  const said = (path: string) => draft.get(path) ?? "";
  const institution = institutions?.find(({ code }) => code === said("institutionCode"));
  const warning = rateWarning(draft);
  return {
    title: `Remit ${said("receiverAmount")} TZS`,
    lines: [
      ["from", `${said("sender.fullName")}, ${said("sender.countryCode")}`],
      ["to", `${said("receiver.fullName")}, ${said("receiverAccount")}`],
      ["through", `${institution?.name ?? ""} ${said("institutionCode")} (${said("receiverChannel")})`.trim()],
      ["sender pays", `${said("senderAmount")} ${said("senderCurrency")} at ${said("exchangeRate")}`],
      ["description", said("description")],
    ] as const,
    faults: institutions === undefined ? [] : institutionFaults(draft, institutions),
    warnings: [
      ...(warning === undefined ? [] : [warning]),
      ...(institutions === undefined
        ? ["The list of institutions could not be had; the code was not compared with it."]
        : []),
    ],
  };
}

/** Spec 2.1: the code must come from the service's list; and it must be of the channel that was chosen. */
function institutionFaults(draft: Draft, institutions: readonly Institution[]): Failure[] {
  const [code, channel] = [draft.get("institutionCode") ?? "", draft.get("receiverChannel")];
  if (institutions.length === 0) return [];
  const known = institutions.filter((institution) => institution.code === code);
  if (known.some((institution) => institution.channel === undefined || institution.channel === channel)) return [];
  const problem = known.length === 0 ? "is none that the service lists" : `is not of the channel ${channel}`;
  const message = `--institution-code ${code} ${problem}.`;
  const hint = "See which there are: partner institutions";
  return [new Failure("usage", message, { hint, money: "not moved", details: { institutionCode: message } })];
}
