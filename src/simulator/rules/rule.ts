import type { Effect, Endpoint } from "../../contract/endpoint.ts";
import type { Violations } from "../../contract/request.ts";
import type { OutgoingResponse } from "../../host/server/listener.ts";
import { isJsonObject } from "../../values/json.ts";
import { dayOfTimestamp } from "../../values/time/wall-time.ts";
import type { Job } from "../scheduling/job.ts";
import { validationError } from "../refusal.ts";
import type { RowChange } from "../books/row.ts";
import type { World } from "../world.ts";
import { asServiceReads, isNearCallback } from "./service-reading.ts";
import { validatorWords } from "./validator-words.ts";

/** What an answer is made from, besides the request. */
export interface RuleContext {
  readonly world: World;
  /** The simulator's time. */
  readonly nowMs: number;
  /** How long a subscriber, or a remittance's next state, takes. */
  readonly callbackDelayMs: number;
  /** Schedules a job. */
  later(job: Job): void;
  /** The filter for a statement's rows; `endpoint` is its name with hyphens. */
  readonly served: (endpoint: StatementName) => RowChange;
}

export type StatementName = "wallet-statement" | "account-statement";

/** What the service does for one endpoint. */
export interface ServiceRule {
  readonly endpoint: Endpoint;
  /** Checks the input's form, then answers. It is synchronous: nothing else happens meanwhile. */
  answer(input: unknown, context: RuleContext): OutgoingResponse;
}

/** Fields with days; the schema's form of a day allows 2026-02-30. */
const dayFields = new Set([
  "startDate",
  "endDate",
  "transactionDate",
  "paymentDate",
  "sender.dateOfBirth",
  "sender.idExpiryDate",
]);

/** A rule whose `answer` gets only input in the form of the specification. */
export function rule<E extends Effect, Input extends object, Output>(
  endpoint: Endpoint<E, Input, Output>,
  answer: (input: Input, context: RuleContext) => OutgoingResponse,
): ServiceRule {
  return {
    endpoint,
    answer(received, context) {
      const input = asServiceReads(endpoint, received);
      const near = isJsonObject(input) && isNearCallback(input["callbackUrl"]) ? input["callbackUrl"] : undefined;
      const secure = { callbackUrl: near?.replace("http:", "https:") };
      const checked = near === undefined ? input : Object.assign({}, input, secure);
      const parsed = endpoint.request.schema.safeParse(checked);
      if (!parsed.success) {
        return validationError(endpoint.auth, validatorWords(endpoint, parsed.error.issues, input));
      }
      const faults = dayFaults(parsed.data);
      if (Object.keys(faults).length > 0) return validationError(endpoint.auth, faults);
      return answer(near === undefined ? parsed.data : { ...parsed.data, callbackUrl: near }, context);
    },
  };
}

/** Spec 4.4, 4.6, 8: the period's end is not before its start. */
export function periodViolations({
  startDate,
  endDate,
}: {
  startDate: string;
  endDate: string;
}): Violations | undefined {
  return endDate < startDate ? { endDate: "must not be before startDate" } : undefined;
}

function dayFaults(input: object, within = ""): Violations {
  const faults: Record<string, string> = {};
  for (const [name, value] of Object.entries(input) as [string, unknown][]) {
    const path = within + name;
    if (typeof value === "object" && value !== null) Object.assign(faults, dayFaults(value, `${path}.`));
    const isDay = typeof value === "string" && dayFields.has(path);
    if (isDay && dayOfTimestamp(value) === undefined) faults[path] = "must be a day that exists";
  }
  return faults;
}
