import { expect, test } from "vitest";
import { parseReference } from "../../src/values/reference.ts";
import { failureOf } from "./failure-of.ts";

test.each(["INV-42", "invoice 42/b", "kodi ya Oktoba é", "x".repeat(100)])("%s is kept as typed", (text) => {
  expect(parseReference(text, "--reference")).toBe(text);
});

test.each([
  ["", "--reference is empty."],
  [" INV-42", '--reference " INV-42" begins or ends with white space.'],
  ["INV-42\n", String.raw`--reference "INV-42\n" begins or ends with white space.`],
  ["INV\u200b42", String.raw`--reference "INV\u200b42" has characters in it that can't be seen.`],
  ["JULY-PAYOUT", '--reference "JULY-PAYOUT" ends in -PAYOUT, as the service writes its fees.'],
  ["INV-7-PAYIN", '--reference "INV-7-PAYIN" ends in -PAYIN, as the service writes its fees.'],
  ["x".repeat(101), `--reference "${"x".repeat(60)}…" is longer than 100 characters.`],
])("%j is refused as a reference", (text, message) => {
  expect(failureOf(() => parseReference(text, "--reference"))).toMatchObject({ ending: "usage", message });
});
