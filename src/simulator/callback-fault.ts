import type { PostChore } from "./chore.ts";
import type { Fault } from "./fault.ts";

const contraries: Readonly<Record<string, string>> = {
  PAYMENT_ACCEPTED: "PAYMENT_REJECTED",
  PAYMENT_REJECTED: "PAYMENT_ACCEPTED",
  COMPLETED: "FAILED",
  FAILED: "COMPLETED",
  // The signature of a webhook does not cover it then.
  CREDIT: "DEBIT",
  DEBIT: "CREDIT",
};

/** The endpoint whose callback it is, by what the body names, or `webhook`. */
export function targetOfCallback(body: string): "collect" | "remit" | "webhook" | undefined {
  const document: unknown = JSON.parse(body);
  if (typeof document !== "object" || document === null) return undefined;
  if ("partnerReference" in document) return "remit";
  if ("signature" in document) return "webhook";
  return "transactionRef" in document ? "collect" : undefined;
}

/** What is delivered in place of a callback. */
export function applyToCallback({ name, timeMs }: Fault, callback: PostChore): PostChore[] {
  if (name === "drop-callback") return [];
  if (name === "double-callback") return [callback, { ...callback }];
  if (name === "contradict-callback") return [callback, { ...callback, body: contrary(callback.body) }];
  return [{ ...callback, atMs: callback.atMs + timeMs }];
}

function contrary(body: string): string {
  return body.replaceAll(/[A-Z_]+/g, (word) => contraries[word] ?? word);
}
