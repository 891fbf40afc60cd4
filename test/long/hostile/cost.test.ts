import { expect, test } from "vitest";
import { costFault, growthFault } from "../../hostile/cost.ts";

// What measures the readers finds what it is for.

/** Takes so many times a fixed piece of the processor's time. */
function toil(times: number): number {
  let sum = 0;
  for (let step = 0; step < times * 500_000; step += 1) sum += Math.sqrt(step);
  return sum;
}

test("what grows with the square of its size is found, and what grows with its size is not", async () => {
  const sizes = [10, 40, 160];
  expect(await growthFault((size) => toil((size / 10) ** 2), sizes)).toMatch(/characters take/);
  expect(await growthFault((size) => toil(size / 10), sizes)).toBeUndefined();
});

test("what takes much longer than ordinary bytes is found, and what takes a little longer is not", async () => {
  expect(await costFault(() => toil(200), [() => toil(2), () => toil(4)])).toMatch(/^hostile ones take /);
  expect(await costFault(() => toil(200), [() => toil(2), () => toil(80)])).toBeUndefined();
});
