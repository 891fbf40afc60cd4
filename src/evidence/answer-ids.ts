import { tagOf } from "../contract/narration-tag.ts";
import type { Movement } from "../journal/movement.ts";
import { movementForms } from "../journal/requests/movement-kinds.ts";
import { requestOf, responseOf, requestText } from "../journal/requests/movement-request.ts";
import { amountOf } from "../values/money/amount.ts";
import type { JsonObject, JsonValue } from "../values/json.ts";

/** The names of id fields in answers. Spec 2.7, 2.8, 2.9. */
const idNames = ["transactionId", "transactionRef", "paymentRef", "paymentReference"] as const;
/** Request fields that an answer repeats: where one differs, the answer is about another order. */
const echoNames = ["from", "to", "accountNo", "msisdn", "externalRef", "partnerReference"] as const;
/** Placeholders for required fields without a value. */
const placeholder = /^(?:0+|[-_.]+|n\/?a|null|none|nil|undefined|unknown)$/i;

/**
 * The ids that the service gave an order, from its answer and callbacks. An answer about another order is ignored.
 */
export function answerIds(order: Pick<Movement, "kind" | "request" | "response" | "transactionId">): string[] {
  const [request, answer] = [requestOf(order), responseOf(order)];
  const said = idNames.flatMap((name) => requestText(answer, name)?.trim() ?? []);
  const told = order.transactionId === null ? [] : [order.transactionId];
  const ids = isAboutAnother(order.kind, request, answer)
    ? told.filter((id) => !said.includes(id))
    : [...said, ...told];
  return [...new Set(ids)].filter((id) => id !== "" && !placeholder.test(id));
}

function isAboutAnother(kind: Movement["kind"], request: JsonObject, answer: JsonObject): boolean {
  const isOurs = movementForms[kind].reference.field === "transactionRef";
  const names = isOurs ? [...echoNames, "transactionRef"] : echoNames;
  if (names.some((name) => textsDiffer(requestText(request, name), requestText(answer, name)))) return true;
  if (amountsDiffer(request["amount"], answer["amount"])) return true;
  return kind === "transfer" && textsDiffer(tagIn(request, "description"), tagIn(answer, "narration"));
}

function tagIn(object: JsonObject, name: string): string | undefined {
  return tagOf(requestText(object, name) ?? "") || undefined;
}

function textsDiffer(ours: string | undefined, theirs: string | undefined): boolean {
  return ours !== undefined && theirs !== undefined && ours !== theirs;
}

function amountsDiffer(ours: JsonValue | undefined, theirs: JsonValue | undefined): boolean {
  const [mine, said] = [amountOf(ours), amountOf(theirs)];
  return mine !== null && mine !== undefined && said !== null && (said === undefined || !said.equals(mine));
}
