import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { readWebhookKey } from "../../src/contract/webhooks/key.ts";
import { signWebhook } from "../../src/contract/webhooks/webhook.ts";
import { documented } from "./webhook-bytes.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const key = documented.key;
/** Its base64 has both + and /, and the = at the end twice. */
const allBase64 = "//79/Pv6+fj39vX08/Lx8A==";

/** Signatures copied from the output of openssl. */
const vectors = [
  [key, documented.timestamp, documented.payload, documented.signature],
  [
    key,
    "2026-01-31T23:59:59.999+03:00",
    '{"transaction":{"id":"-X50jcLD-U"}}',
    "djzPrqnLblEMmrUCrwpZ5/V2Xk9TBWT+V/c/BQAOMqg=",
  ],
  [
    key,
    "2026-02-01T00:00:00Z",
    '{"transaction":{"id":"Zoë/😀","amountCredit":12345678901234567.10}}',
    "4KKNQTav1G+JNH6rKyfBmmbt5VKzUBay5qaFrTB+ehs=",
  ],
  [key, "2026-02-01T00:00:00Z", "", "NCJlsXFZqOC5x5wOZSp0ZRe0CAZOuPdbrMUxoYKxDMY="],
  [allBase64, "2026-02-01T00:00:00Z", '{"transaction":{"id":"a"}}', "uu9qJVgFIKC0kS0TfbTlAOJ6FAI/2kwKa5RfZsB4P4A="],
] as const;

test.each(vectors)("the key %s signs %s%s as %s", (keyText, timestamp, payload, signature) => {
  expect(signWebhook({ timestamp, payload }, readWebhookKey(keyText))).toBe(signature);
});

test.skipIf(!hasOpenssl)(
  `openssl makes the same signature for any content${hasOpenssl ? "" : " (needs openssl)"}`,
  () => {
    const payloads = [
      "\u0000",
      "\r\n",
      "é",
      "e\u0301",
      "\u{10FFFF}",
      "x".repeat(100_000),
      String.raw`\u0041`,
      '{"a":"\u2028"}',
    ];
    for (const payload of payloads) {
      const content = { timestamp: documented.timestamp, payload };
      expect(signWebhook(content, readWebhookKey(allBase64))).toBe(signedByOpenssl(content.timestamp + payload));
    }
  },
);

function signedByOpenssl(content: string): string {
  const hexKey = Buffer.from(allBase64, "base64").toString("hex");
  const args = ["dgst", "-sha256", "-mac", "HMAC", "-macopt", `hexkey:${hexKey}`, "-binary"];
  const { status, stdout } = spawnSync("openssl", args, { input: content });
  if (status !== 0) throw new Error("openssl did not sign.");
  return stdout.toString("base64");
}
