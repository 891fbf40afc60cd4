import { expect, test } from "vitest";
import type { PostChore } from "../../src/simulator/chore.ts";
import { nextAttempt } from "../../src/simulator/delivery.ts";

test("spec 6.2: a delivery that fails is tried twenty times more within 24 hours, the first after 2 seconds", () => {
  const waits: number[] = [];
  let chore: PostChore | undefined = { kind: "post", atMs: 0, url: "http://127.0.0.1:9/", body: "{}", failures: 0 };
  while (chore !== undefined) {
    const next: PostChore | undefined = nextAttempt(chore, chore.atMs);
    if (next !== undefined) waits.push(next.atMs - chore.atMs);
    chore = next;
  }
  expect(waits).toHaveLength(20);
  expect(waits.slice(0, 5)).toEqual([2000, 4000, 8000, 16_000, 32_000]);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(24 * 3_600_000);
});
