import { expect, test } from "vitest";
import { hasWholeWords } from "../../src/values/text/whole-words.ts";

test.each([
  ["Payment INV-7, thanks", "inv-7", true],
  ["Payment INV-77", "INV-7", false],
  ["PAYINV-7", "INV-7", false],
  ["INV-7/2026", "INV-7", true],
  ["Café Kilimanjaro", "CAFÉ", true],
  ["Cafés", "Café", false],
  ["bank  charges", "bank charges", false],
  ["ref #12", "#12", true],
  ["ref #123", "#12", false],
  ["", "x", false],
])("%j contains %j as whole words: %s", (text, wanted, isThere) => {
  expect(hasWholeWords(text, wanted)).toBe(isThere);
});
