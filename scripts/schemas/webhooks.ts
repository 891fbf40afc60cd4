import { eventStates, keptStates } from "../../src/webhooks/inbox/inbox.ts";
import { detailFields, machineFields } from "../../src/webhooks/inbox/inbox-report.ts";
import { replayFields } from "../../src/webhooks/listen/replay.ts";
import { attemptFields } from "../../src/webhooks/send/sending-report.ts";
import type { Schema } from "./form.ts";
import {
  anyObject,
  count,
  either,
  flag,
  listOf,
  moment,
  nullable,
  object,
  oneOf,
  rowOf,
  text,
  withDescription,
} from "./form.ts";

const received = {
  receivedAt: moment,
  payload: withDescription(nullable(anyObject), "The document that was signed; null where there is none to read."),
};
const mayLack = ["late", "requestId", "timestamp", "problem"];
const event = object({ id: text, ...received, late: flag, requestId: nullable(text), timestamp: text });

/** Webhooks that came and went. */
export const webhookSchemas: Readonly<Record<string, Schema>> = {
  "webhook:inbox:list": listOf(
    rowOf(machineFields, { nullable: mayLack, precisely: { ...received, state: oneOf(...keptStates) } }),
  ),
  "webhook:inbox:prune": object({ removed: count }),
  "webhook:inbox:replay": listOf(
    rowOf(replayFields, { nullable: ["problem"], precisely: { state: oneOf(...eventStates) } }),
  ),
  "webhook:inbox:show": rowOf(detailFields, {
    nullable: [...mayLack, "nextAttemptAt", "body"],
    precisely: { ...received, state: oneOf(...keptStates), nextAttemptAt: moment },
  }),
  "webhook:listen": withDescription(event, "Each line is one event."),
  "webhook:send": listOf(
    rowOf(attemptFields, {
      nullable: ["id", "status"],
      precisely: { at: moment, outcome: oneOf("delivered", "retry", "failed") },
    }),
  ),
  "webhook:verify": either(
    listOf(
      object({
        file: text,
        verdict: oneOf("valid", "bad signature", "bad body", "bad key", "too old", "not read"),
        id: nullable(text),
        timestamp: nullable(text),
        reason: nullable(text),
        hint: nullable(text),
        payload: nullable(anyObject),
      }),
      "Of several files: a row for each.",
    ),
    withDescription(anyObject, "Of one file: the document that was signed."),
  ),
};
