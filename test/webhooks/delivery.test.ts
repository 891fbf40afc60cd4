import { expect, test } from "vitest";
import { retriesMax, waitAfter } from "../../src/webhooks/send/delivery.ts";

test("spec 6.2: a failed delivery is tried twenty times more within 24 hours, first after 2 seconds", () => {
  const waits = Array.from({ length: retriesMax }, (_, failed) => waitAfter(failed + 1));
  expect(waits.slice(0, 5)).toEqual([2000, 4000, 8000, 16_000, 32_000]);
  expect(waits.reduce((sum: number, wait) => sum + (wait ?? Number.NaN), 0)).toBeLessThanOrEqual(24 * 3_600_000);
  expect(waitAfter(retriesMax + 1)).toBeUndefined();
});
