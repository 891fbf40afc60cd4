import { expect, test } from "vitest";
import { costFault, growthFault } from "../../hostile/cost.ts";

// The measurement of the readers finds what it should find.

/** Takes so many times a fixed piece of the processor's time. */
function toil(times: number): number {
  let sum = 0;
  for (let step = 0; step < times * 500_000; step += 1) sum += Math.sqrt(step);
  return sum;
}

test("quadratic growth is found, and linear growth is accepted", async () => {
  const sizes = [10, 40, 160];
  expect(await growthFault((size) => toil((size / 10) ** 2), sizes)).toMatch(/characters take/);
  expect(await growthFault((size) => toil(size / 10), sizes)).toBeUndefined();
});

test("input that takes much longer than ordinary bytes is found, and a little longer is accepted", async () => {
  expect(await costFault(() => toil(200), [() => toil(2), () => toil(4)])).toMatch(/^hostile ones take /);
  expect(await costFault(() => toil(200), [() => toil(2), () => toil(80)])).toBeUndefined();
});
