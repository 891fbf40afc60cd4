import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSecrets, secretsFromEnvironment } from "../../src/profiles/secrets/secret-input.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { failureOf, webhookKey } from "./fixture.ts";

test("secrets are read from stdin or from a file", async () => {
  const stdin = JSON.stringify({ secretKey: "s", accessToken: "t", webhookKey });
  const { secretKey, accessToken, webhookKey: key } = await readSecrets(memoryHost({ stdin }), "-");
  expect([secretKey?.reveal(), accessToken?.reveal(), key?.reveal()]).toEqual(["s", "t", webhookKey]);
  const path = join(temporaryFolder(), "secrets.json");
  writeFileSync(path, '{"accessToken":"t"}\n');
  expect(Object.keys(await readSecrets(memoryHost(), path))).toEqual(["accessToken"]);
});

test.each([
  ["hunter2", "What came from stdin isn't a JSON object."],
  ["", "What came from stdin isn't a JSON object."],
  ['["hunter2"]', "What came from stdin isn't a JSON object."],
  ["null", "What came from stdin isn't a JSON object."],
  [Buffer.from([0xff, 0xfe]), "What came from stdin isn't a JSON object."],
  ['{"hunter2":""}', "The secrets from stdin have a key that is not one of secretKey, accessToken, webhookKey."],
  [
    '{"__proto__":"hunter2"}',
    "The secrets from stdin have a key that is not one of secretKey, accessToken, webhookKey.",
  ],
  [
    '{"secretKey":7,"accessToken":"hunter2\\n","webhookKey":"hunter2"}',
    "Several values cannot be used: secretKey, accessToken, webhookKey.",
  ],
  ['{"secretKey":""}', "secretKey is empty."],
  ["x".repeat(70_000), "The secrets cannot be read from stdin: it is too large."],
])("%j is refused without being repeated", async (stdin, message) => {
  const failure = await failureOf(readSecrets(memoryHost({ stdin }), "-"));
  expect({ ending: failure.ending, message: failure.message }).toEqual({ ending: "usage", message });
  expect(message + failure.hint).not.toContain("hunter2");
});

test("a missing file is reported", async () => {
  expect((await failureOf(readSecrets(memoryHost(), "/nowhere/secrets.json"))).message).toBe(
    "The secrets cannot be read from /nowhere/secrets.json: there is no such file or folder.",
  );
});

test("a script can pass the secrets in the environment instead", async () => {
  const environment = { PARTNER_SECRET_KEY: "s", PARTNER_WEBHOOK_KEY: webhookKey, PARTNER_ACCESS_TOKEN: "" };
  const secrets = await secretsFromEnvironment(memoryHost({ environment }));
  expect([secrets.secretKey?.reveal(), secrets.webhookKey?.reveal()]).toEqual(["s", webhookKey]);
  expect(Object.keys(secrets)).toEqual(["secretKey", "webhookKey"]);
  const wrong = memoryHost({ environment: { PARTNER_WEBHOOK_KEY: "hunter2" } });
  expect((await failureOf(secretsFromEnvironment(wrong))).message).toBe("PARTNER_WEBHOOK_KEY is not base64.");
});
