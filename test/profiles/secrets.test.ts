import { expect, test } from "vitest";
import type { SecretKind } from "../../src/profiles/secrets/secrets.ts";
import { checkSecret } from "../../src/profiles/secrets/secrets.ts";
import { webhookKey } from "./fixture.ts";

test.each<[SecretKind, string]>([
  ["secretKey", "a/b+c=="],
  ["secretKey", "two words"],
  ["secretKey", "x".repeat(8_192)],
  ["accessToken", "eyJhbGciOi.J9.x_y-z"],
  ["webhookKey", webhookKey],
  ["webhookKey", `${webhookKey} ${webhookKey}`],
])("as %s %s is accepted", (kind, text) => {
  expect(checkSecret(kind, text)).toBeUndefined();
});

test.each<[SecretKind, string, string]>([
  ["secretKey", "", "is empty"],
  ["secretKey", "a\nb", "holds a line break or a character beyond ASCII"],
  ["secretKey", "kéy", "holds a line break or a character beyond ASCII"],
  ["accessToken", " token", "begins or ends with white space"],
  ["accessToken", "Bearer token", "starts with the word Bearer: leave it out"],
  ["secretKey", "x".repeat(8_193), "is longer than 8192 characters"],
  ["webhookKey", "c2hvcnQ=", "is shorter than 16 bytes"],
  ["webhookKey", webhookKey.slice(0, -1), "is not base64"],
  ["webhookKey", webhookKey.replace("k=", "l="), "is not base64"],
  ["webhookKey", webhookKey.replaceAll("c", "-"), "is not base64"],
  ["webhookKey", `${webhookKey} ${webhookKey} ${webhookKey}`, "holds more than two keys"],
])("as %s %j is refused", (kind, text, problem) => {
  expect(checkSecret(kind, text)).toBe(problem);
});
