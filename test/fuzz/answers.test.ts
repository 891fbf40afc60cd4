import * as fc from "fast-check";
import { expect, test } from "vitest";
import { formats } from "../../src/report/options.ts";
import { jsonTexts, mutated } from "../contract/wire-arbitraries.ts";
import { errorIn } from "../commands/served.ts";
import { run, words } from "../partner.ts";
import { unplugged } from "./unplugged.ts";

const lines = [
  "wallets list",
  "wallet balance 42",
  "wallet statement 42 --month 2026-02",
  "account balance 42 --fail-below 5",
  "account statement 42 --today --strict",
  "institutions --search a",
  "profile check",
];

/** Names and values with a meaning in an error body, so that random bodies are not all alike. */
const documented = fc.constantFrom(
  "statusCode",
  "reason",
  "message",
  "error",
  "details",
  "field",
  "success",
  "result",
  "statement",
  "data",
);
const { body } = fc.letrec<{ body: unknown; object: unknown }>((tie) => ({
  body: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(null, "", 400, 401, 404, 500, "SUCCESS", "PAYMENT_REJECTED", false, true, -1, 1e300),
    fc.string({ unit: "binary" }),
    fc.array(tie("body"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.oneof(documented, fc.string({ maxLength: 5 })), tie("body"), { maxKeys: 5 }),
}));
const bodies = fc.oneof(
  body.map((value) => Buffer.from(JSON.stringify(value))),
  mutated(jsonTexts).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);
const statuses = fc.oneof(
  fc.constantFrom(200, 201, 204, 301, 307, 400, 401, 403, 404, 408, 409, 429, 500, 502, 503),
  fc.integer({ min: 200, max: 599 }),
);
const retryAfter = fc.oneof(fc.constant(undefined), fc.string(), fc.nat().map(String));

test("any answer of a service leads to a documented exit code without a stack, and stdout only with 0", async () => {
  const property = fc.asyncProperty(
    fc.constantFrom(...lines),
    fc.constantFrom(...formats),
    statuses,
    bodies,
    retryAfter,
    async (line, format, status, body, after) => {
      const headers: Record<string, string> = after === undefined ? {} : { "retry-after": after };
      const ended = await run(words(`${line} --output ${format}`), unplugged({ status, headers, body }));
      expect([0, 3, 4, 5, 9]).toContain(ended.exit);
      expect(ended.stderr).not.toMatch(/\n {4}at |[^\P{Cc}\n]/u);
      expect(ended.stdout === "" || ended.exit === 0).toBe(true);
      expect(ended.exit === 0 || ended.stderr.includes("Error: ")).toBe(true);
      expect(ended.exit === 0 || format === "table" || format === "csv" || "money" in errorIn(ended)).toBe(true);
    },
  );
  await fc.assert(property, { numRuns: 300 });
});
