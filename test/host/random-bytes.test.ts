import { expect, test } from "vitest";
import { randomBytes, randomUuid } from "../../src/host/process/random-bytes.ts";

test("random bytes have the requested length, and are never the same", () => {
  const drawn = Array.from({ length: 100 }, () => randomBytes(16));
  expect(drawn.every(({ length }) => length === 16)).toBe(true);
  expect(new Set(drawn.map((bytes) => bytes.toString("hex"))).size).toBe(100);
  expect(randomBytes(0)).toHaveLength(0);
});

test("a request's id is a random UUID of version 4, whatever its bytes", () => {
  const ids = Array.from({ length: 1000 }, randomUuid);
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
  expect(ids.filter((id) => !form.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(1000);
});
