import { listInstitutions, remit } from "../../contract/remittance.ts";
import { Decimal } from "../../values/money/decimal.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { AdvanceJob } from "../scheduling/job.ts";
import type { RemittanceState } from "../outcomes.ts";
import { remittanceOutcome, returningStates } from "../outcomes.ts";
import type { RemittanceRecord } from "../books/record.ts";
import { answerJson, duplicateRequest, validationError } from "../refusal.ts";
import type { ServiceRule, RuleContext } from "./rule.ts";
import { rule } from "./rule.ts";

/** An institution that a remittance can be paid to. Spec is silent on its fields and codes: these are invented. */
interface Institution {
  readonly institutionCode: string;
  readonly name: string;
  readonly channel: "MOBILE" | "BANK";
}

const institutions: readonly Institution[] = [
  { institutionCode: "TZ-VODACOM-B2C", name: "Vodacom M-Pesa", channel: "MOBILE" },
  { institutionCode: "TZ-TIGO-B2C", name: "Tigo Pesa", channel: "MOBILE" },
  { institutionCode: "TZ-AIRTEL-B2C", name: "Airtel Money", channel: "MOBILE" },
  { institutionCode: "TZ-HALOTEL-B2C", name: "Halotel HaloPesa", channel: "MOBILE" },
  { institutionCode: "CORUTZTZ", name: "CRDB Bank", channel: "BANK" },
  { institutionCode: "NMIBTZTZ", name: "NMB Bank", channel: "BANK" },
  { institutionCode: "NLCBTZTX", name: "National Bank of Commerce", channel: "BANK" },
  { institutionCode: "SBICTZTX", name: "Stanbic Bank Tanzania", channel: "BANK" },
  { institutionCode: "EXTNTZTZ", name: "Exim Bank Tanzania", channel: "BANK" },
  { institutionCode: "EQBLTZTZ", name: "Equity Bank Tanzania", channel: "BANK" },
];

/** Spec is silent on both words; those of section 3 are the closest. */
const words: Readonly<Record<RemittanceState, { readonly statusCode: string; readonly statusMessage: string }>> = {
  CREATED: { statusCode: "PENDING_ACK", statusMessage: "Remittance created" },
  SUBMITTED: { statusCode: "PENDING_ACK", statusMessage: "Remittance submitted to the institution" },
  COMPLETED: { statusCode: "PAYMENT_ACCEPTED", statusMessage: "Receiver paid" },
  FAILED: { statusCode: "PAYMENT_REJECTED", statusMessage: "Receiver not paid" },
  CANCELED: { statusCode: "PAYMENT_CANCELED", statusMessage: "Canceled" },
  REVERSED: { statusCode: "REVERSED", statusMessage: "Payment reversed" },
};

/** The rules of spec 4.1 and 4.2. Spec is silent on their answers: the record is from an older API. */
export const remittanceRules: readonly ServiceRule[] = [
  rule(listInstitutions, () => answerJson(200, institutions)),

  rule(remit, (input, context) => {
    const { partnerReference, receiverChannel, institutionCode, callbackUrl } = input;
    const institution = institutions.find((one) => one.institutionCode === institutionCode);
    if (institution?.channel !== receiverChannel) {
      return validationError("A", { institutionCode: `must be a ${receiverChannel} institution` });
    }
    if (context.world.remittances.has(partnerReference)) return duplicateRequest(429);
    const createdAt = isoDarEsSalaam(context.nowMs);
    const receiverAmount = input.receiverAmount.text;
    const record: RemittanceRecord = {
      partnerReference,
      callbackUrl,
      receiverAmount,
      state: "CREATED",
      createdAt,
      updatedAt: createdAt,
    };
    context.world.payOut(decimalOf(receiverAmount));
    context.world.remittances.set(partnerReference, record);
    for (const [index, state] of remittanceOutcome(input.receiverAccount).states.entries()) {
      const atMs = context.nowMs + (index + 1) * context.callbackDelayMs;
      context.later({ kind: "advance", atMs, partnerReference, state });
    }
    return answerJson(200, documentOf(record));
  }),
];

/** Advances a remittance to its next state, refunds a failed one, and posts to the callback's address. */
export function advanceRemittance({ partnerReference, state }: AdvanceJob, context: RuleContext): void {
  const known = context.world.remittances.get(partnerReference);
  if (known === undefined) return;
  const record = { ...known, state, updatedAt: isoDarEsSalaam(context.nowMs) };
  context.world.remittances.set(partnerReference, record);
  if (returningStates.has(state)) context.world.payOut(decimalOf(known.receiverAmount).negate());
  const body = JSON.stringify(documentOf(record));
  context.later({ kind: "post", atMs: context.nowMs, url: known.callbackUrl, body, failures: 0 });
}

function documentOf({ partnerReference, state, createdAt, updatedAt }: RemittanceRecord): object {
  return { partnerReference, status: state, ...words[state], createdAt, updatedAt };
}

function decimalOf(text: string): Decimal {
  return Decimal.parseJson(text) ?? Decimal.zero;
}
