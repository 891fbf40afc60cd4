import type { PostJob } from "../scheduling/job.ts";
import type { Fault } from "../fault.ts";

const contraries: Readonly<Record<string, string>> = {
  PAYMENT_ACCEPTED: "PAYMENT_REJECTED",
  PAYMENT_REJECTED: "PAYMENT_ACCEPTED",
  COMPLETED: "FAILED",
  FAILED: "COMPLETED",
  // This makes a webhook's signature invalid.
  CREDIT: "DEBIT",
  DEBIT: "CREDIT",
};

/** What a callback is about, by the names in its body. */
export interface CallbackName {
  readonly endpoint: "collect" | "payout" | "remit" | "webhook";
  /** The order's own reference; empty for a webhook. */
  readonly reference: string;
}

export function callbackName({ body, of }: Pick<PostJob, "body" | "of">): CallbackName | undefined {
  const document: unknown = JSON.parse(body);
  if (typeof document !== "object" || document === null) return undefined;
  if ("partnerReference" in document) return { endpoint: "remit", reference: String(document.partnerReference) };
  if ("signature" in document) return { endpoint: "webhook", reference: "" };
  return "transactionRef" in document
    ? { endpoint: of ?? "collect", reference: String(document.transactionRef) }
    : undefined;
}

/** The callbacks that are delivered under a fault. */
export function applyToCallback({ name, timeMs, text }: Fault, callback: PostJob): PostJob[] {
  if (name === "drop-callback") return [];
  if (name === "double-callback") return [callback, { ...callback }];
  if (name === "contradict-callback") return [callback, { ...callback, body: contrary(callback.body) }];
  if (name === "say-callback") return [{ ...callback, body: withWord(callback.body, text) }];
  return [{ ...callback, atMs: callback.atMs + timeMs }];
}

function contrary(body: string): string {
  return body.replaceAll(/[A-Z_]+/g, (word) => contraries[word] ?? word);
}

/** Replaces the status words of a callback: A/B for the two of a remittance, or one word for both. */
function withWord(body: string, words: string): string {
  const [status = "", statusCode = status] = words.split("/");
  const values: Readonly<Record<string, string>> = { status, statusCode };
  return body.replaceAll(/"(status|statusCode)":"[^"]*"/g, (_, name: string) => `"${name}":"${values[name] ?? ""}"`);
}
