import { expect, test } from "vitest";
import { parseAccountNumber } from "../../src/values/account-number.ts";
import { failureOf } from "./failure-of.ts";

test.each(["0560066551200", "015A8XX787600", "X50jcLD-U", "-abc", "...", "1/2"])("%s is kept as typed", (text) => {
  expect(parseAccountNumber(text, "ACCOUNT")).toBe(text);
});

test.each([
  ["", "ACCOUNT is empty."],
  [".", 'ACCOUNT "." isn\'t a valid account number.'],
  ["..", 'ACCOUNT ".." isn\'t a valid account number.'],
  ["9000 112233", 'ACCOUNT "9000 112233" has white space in it.'],
  ["9000\u00a0112233", 'ACCOUNT "9000\u00a0112233" has white space in it.'],
  ["9000112233\n", String.raw`ACCOUNT "9000112233\n" has white space in it.`],
  ["9000\u200b", String.raw`ACCOUNT "9000\u200b" has characters in it that can't be seen.`],
  ["\ud83d", String.raw`ACCOUNT "\ud83d" has characters in it that can't be seen.`],
  ["9".repeat(65), `ACCOUNT "${"9".repeat(60)}…" is longer than 64 characters.`],
])("%j is refused as an account number", (text, message) => {
  expect(failureOf(() => parseAccountNumber(text, "ACCOUNT"))).toMatchObject({ ending: "usage", message });
});
