import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { readWebhookKey } from "../../src/contract/webhooks/key.ts";
import { verifyWebhook } from "../../src/contract/webhooks/webhook.ts";
import { examineWebhook } from "../../src/webhooks/verify/examination.ts";
import { documented } from "../contract/webhook-bytes.ts";
import { size } from "../journal/long.ts";
import { randomOf } from "../journal/random.ts";
import type { Issued } from "./mutations.ts";
import { mutated } from "./mutations.ts";

/** How many bodies are changed: `PARTNER_MUTATIONS`; the seed of the random numbers: `PARTNER_SEED`. */
const count = Number(process.env["PARTNER_MUTATIONS"] ?? size(10_000, 1_000_000));
/** Finding out why a webhook is not valid takes many signatures. */
const examinedMax = 20_000;
const seed = Number(process.env["PARTNER_SEED"] ?? 1);
const key = readWebhookKey(documented.key);

const issued: readonly Issued[] = [
  sign(documented.timestamp, documented.payload),
  sign("2026-01-31T23:59:59.999+03:00", '{"event":"transaction.created","transaction":{"id":"-X50jcLD-U"}}'),
  sign("2026-02-01T00:00:00Z", '{"transaction":{"id":"Zoë Müller/é\uFFFD","amountCredit":12345678901234567.10}}'),
  sign("2026-02-01T00:00:00+0300", ' {"transaction" : {"id":"a", "narration":"1+1=2 \\u0000 😀"}} '),
];

/** Signed by the specification's four steps, without code of ours. */
function sign(timestamp: string, payload: string): Issued {
  const signature = createHmac("sha256", Buffer.from(documented.key, "base64"))
    .update(timestamp + payload)
    .digest("base64");
  return { timestamp, signature, payload, body: JSON.stringify({ timestamp, signature, payload }) };
}

/** The three texts of a body as JSON.parse finds them; undefined where there are none. */
function textsOf(body: Uint8Array): Record<"timestamp" | "signature" | "payload", unknown> | undefined {
  try {
    const document: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
    if (typeof document !== "object" || document === null || Array.isArray(document)) return undefined;
    const own = (name: string): unknown => Object.getOwnPropertyDescriptor(document, name)?.value;
    return { timestamp: own("timestamp"), signature: own("signature"), payload: own("payload") };
  } catch {
    return undefined;
  }
}

test(`of ${count} changed webhooks exactly those with the three signed texts are genuine`, () => {
  const random = randomOf(seed);
  const verdicts: Record<string, number> = {};
  for (let index = 0; index < count; index += 1) {
    const body = mutated(issued, random);
    const texts = textsOf(body);
    const isIssued = issued.some(
      ({ timestamp, signature, payload }) =>
        texts?.timestamp === timestamp && texts.signature === signature && texts.payload === payload,
    );
    const { verdict } = verifyWebhook(body, [key]);
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
    if ((verdict === "genuine") !== isIssued) {
      throw new Error(`seed ${seed}, body ${index} is ${verdict}: ${JSON.stringify(Buffer.from(body).toString())}`);
    }
  }
  // Each verdict occurred; otherwise the changes would be all of one kind.
  expect(Object.keys(verdicts).toSorted()).toEqual(["forged", "genuine", "not the envelope", "unreadable"]);
});

test("a webhook signed with another key is never genuine", () => {
  const random = randomOf(seed);
  const stranger = readWebhookKey("YW5vdGhlci1rZXktb2YtMTY=");
  const verdicts = new Set<string>();
  for (let index = 0; index < count / 10; index += 1) {
    verdicts.add(verifyWebhook(mutated(issued, random), [stranger]).verdict);
  }
  expect([...verdicts].toSorted()).toEqual(["forged", "not the envelope"]);
});

test("every faulty body gets a reason and a hint, and only genuine ones are called valid", () => {
  const random = randomOf(seed);
  for (let index = 0; index < Math.min(count / 10, examinedMax); index += 1) {
    const body = mutated(issued, random);
    const examined = examineWebhook(body, [key]);
    const { verdict } = verifyWebhook(body, [key]);
    const signed = verdict === "unreadable" ? ["valid", "bad body"] : ["valid"];
    const unsigned = verdict === "forged" ? ["bad signature"] : ["bad body"];
    expect(verdict === "genuine" || verdict === "unreadable" ? signed : unsigned).toContain(examined.verdict);
    if (examined.verdict === "valid") continue;
    expect(examined.why).toMatch(/^[A-Z].*\.$/);
    expect(examined.hint).not.toBe("");
  }
});

test("a payload that would become huge when written again is checked all the same", () => {
  const deep = `${"[".repeat(500)}${"1,".repeat(300_000)}1${"]".repeat(500)}`;
  const body = JSON.stringify({ ...issued[0], body: undefined, payload: deep });
  expect(examineWebhook(Buffer.from(body), [key]).verdict).toBe("bad signature");
});
