import { decodeDocument, memberText } from "../../contract/webhooks/envelope.ts";
import type { WebhookKey } from "../../contract/webhooks/key.ts";
import { signWebhook, webhookBody } from "../../contract/webhooks/webhook.ts";
import { encodeJson } from "../../contract/wire.ts";
import type { Clock, Host, Ids } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import type { JsonObject } from "../../values/json.ts";
import { isJsonObject, Numeral } from "../../values/json.ts";
import { combined } from "../../values/violation.ts";
import { isoDarEsSalaam } from "../../values/time/wall-time.ts";
import type { PayloadEdit } from "./payload-edit.ts";
import { applyEdit } from "./payload-edit.ts";
import type { Outgoing } from "./sending.ts";

const secondMs = 1000;

/** The text of the payload with that index. */
export type PayloadSource = (index: number) => string;

/** Which webhooks are sent, and in which order. */
export interface Batch {
  readonly times: number;
  /** How often each one is sent. */
  readonly copies: number;
  /** The last payload is sent first. */
  readonly isReversed: boolean;
}

/**
 * Invented payloads, or always the given text. A text without edits is used as it is, byte for byte.
 * @throws {Failure} usage: names every edit that can't be made
 */
export function payloadSource(
  text: string | undefined,
  edits: readonly PayloadEdit[],
  made: { ids: Ids; nowMs: number },
): PayloadSource {
  if (text !== undefined && edits.length === 0) return () => text;
  if (text === undefined) {
    const edited = (index: number) => encodeEdited(madePayload(index, made), edits);
    edited(0);
    return edited;
  }
  const document = decodeDocument(text);
  if (!isJsonObject(document)) {
    throw new Failure("usage", "The payload in the file isn't a JSON object, so nothing in it can be set.", {
      hint: "Leave --set out, or correct the file.",
    });
  }
  const edited = encodeEdited(document, edits);
  return () => edited;
}

/** Signs webhooks one by one, each when it is its turn. */
export function* sign(
  payloadOf: PayloadSource,
  { times, copies, isReversed }: Batch,
  { key, clock }: { key: WebhookKey; clock: Clock },
): Generator<Outgoing> {
  for (let turn = 0; turn < times; turn += 1) {
    const payload = payloadOf(isReversed ? times - 1 - turn : turn);
    const content = { timestamp: isoDarEsSalaam(clock.now()), payload };
    const one = { id: idIn(payload), body: webhookBody(content, signWebhook(content, key)) };
    for (let copy = 0; copy < copies; copy += 1) yield one;
  }
}

function encodeEdited(payload: JsonObject, edits: readonly PayloadEdit[]): string {
  const faults = edits.flatMap((edit) => faultOf(payload, edit) ?? []);
  if (faults.length > 0) throw combined(faults);
  return encodeJson(payload);
}

function faultOf(payload: JsonObject, edit: PayloadEdit): Failure | undefined {
  try {
    applyEdit(payload, edit, "--set");
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
}

function idIn(payloadText: string): string | undefined {
  const payload = decodeDocument(payloadText);
  const transaction = isJsonObject(payload) ? payload["transaction"] : undefined;
  return isJsonObject(transaction) ? memberText(transaction, "id") : undefined;
}

/**
 * An invented `transaction.created`, like the specification's example (6.2): a customer's payment. It has ids of its
 * own, and each later one has a later time.
 * @param index 0 for the first
 */
function madePayload(index: number, { ids, nowMs }: { ids: Host["ids"]; nowMs: number }): JsonObject {
  const id = ids.uuid();
  return {
    event: "transaction.created",
    account: { accountNo: "1234567890", accountName: "Business Account Ltd", bankId: "uuid-of-bank" },
    transaction: {
      id,
      transactionId: `BANK-${id.slice(0, 8)}`,
      reference: `TXN-REF-${id.slice(-12)}`,
      paymentReference: `PAY-REF-${index + 1}`,
      transactionDate: isoDarEsSalaam(nowMs + index * secondMs),
      creditOrDebit: "CREDIT",
      currency: "TZS",
      amountCredit: new Numeral("50000.00"),
      amountDebit: new Numeral("0"),
      availableBalance: new Numeral("150000.00"),
      currentBalance: new Numeral("150000.00"),
      description: "Customer payment received",
    },
    counterparty: null,
  };
}
