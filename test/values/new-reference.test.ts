import { expect, test } from "vitest";
import { Day } from "../../src/values/time/day.ts";
import { newReference, newReferenceBytes } from "../../src/values/new-reference.ts";

const day = Day.parse("2026-10-01") ?? expect.unreachable();

test("a new reference has the kind, the day and letters that cannot be confused", () => {
  const random = Uint8Array.from([0, 1, 9, 10, 17, 18, 31, 32, 223, 255]);
  expect(newReference("T", day, random)).toBe("T261001019AHJZ0ZZ");
});

test("every letter of the alphabet is equally likely, and I, L, O and U are not among them", () => {
  const times = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const letter = newReference("C", day, new Uint8Array(newReferenceBytes).fill(byte)).at(-1) ?? "";
    times.set(letter, (times.get(letter) ?? 0) + 1);
  }
  expect([...times.keys()].toSorted().join("")).toBe("0123456789ABCDEFGHJKMNPQRSTVWXYZ");
  expect(new Set(times.values())).toEqual(new Set([8]));
});
