import type { KeyObject } from "node:crypto";
import { createSecretKey } from "node:crypto";
import { Failure } from "../../values/failure.ts";
import { checkWebhookKeys, splitWebhookKeys } from "../../values/webhook-key.ts";

/** A key for signing webhooks. It is created once, since that takes longer than signing. */
export type WebhookKey = KeyObject;

/**
 * Reads one key, as the partner got it. Spec 5: base64.
 * @throws {Failure} setup; the text is not repeated
 */
export function readWebhookKey(text: string): WebhookKey {
  const [key, ...more] = readWebhookKeys(text);
  if (key === undefined || more.length > 0) throw badKey("holds more than one key");
  return key;
}

/**
 * Reads one key, or two separated by a space during a change of keys.
 * @throws {Failure} setup; the text is not repeated
 */
export function readWebhookKeys(text: string): readonly WebhookKey[] {
  const problem = checkWebhookKeys(text);
  if (problem !== undefined) throw badKey(problem);
  return splitWebhookKeys(text).map((key) => createSecretKey(key, "base64"));
}

function badKey(problem: string): Failure {
  return new Failure("setup", `The webhook key ${problem}.`, {
    hint: "Copy it again from where you got it, all of it: base64 of at least 16 bytes.",
    reason: "bad key",
  });
}
