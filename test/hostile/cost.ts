/** Anything read within this time is fast enough. */
const freeMs = 100;
/**
 * How many times as long, for so many times as much input: linear reading takes one time, quadratic reading that many
 * times again.
 */
const growthMax = 2.5;
const attempts = 3;

/** Reads an input of so many characters. */
export type Work = (size: number) => unknown;

/**
 * Checks whether the time grows faster than the input. CPU time of this thread counts, so the rest of
 * the machine has no influence, and a suspicious result is measured several times.
 * @param sizes the smallest first, so that a test of quadratic code ends
 * @returns what is wrong, in words
 */
export async function growthFault(work: Work, sizes: readonly number[]): Promise<string | undefined> {
  let [before, smaller] = [0, 0];
  for (const size of sizes) {
    let took = await cpuMs(() => work(size));
    if (isTooMuch(took, before, size / smaller)) {
      took = await least(() => work(size), took);
      before = smaller === 0 ? 0 : await least(() => work(smaller), before);
      if (isTooMuch(took, before, size / smaller))
        return `${smaller} characters take ${before.toFixed(0)} ms, ${size} take ${took.toFixed(0)} ms`;
    }
    [before, smaller] = [took, size];
  }
  return undefined;
}

/** How many times as long hostile bytes may take as ordinary ones of the same size. */
const costMax = 10;

/**
 * Checks whether hostile bytes take more than ten times the processor's time of ordinary ones of the same size: the
 * dearest of several, since input that is refused at its first byte costs nothing.
 * @returns what is wrong, in words
 */
export async function costFault(
  hostile: () => unknown,
  ordinary: readonly (() => unknown)[],
): Promise<string | undefined> {
  const took = await cpuMs(hostile);
  if (took <= freeMs) return undefined;
  let dearest = 0;
  for (const each of ordinary) dearest = Math.max(dearest, await cpuMs(each));
  if (took <= costMax * dearest) return undefined;
  const [leastHostile, again] = [await least(hostile, took), dearest];
  if (leastHostile <= Math.max(freeMs, costMax * again)) return undefined;
  return `hostile ones take ${leastHostile.toFixed(0)} ms, ordinary ones of the same size ${again.toFixed(0)} ms`;
}

function isTooMuch(tookMs: number, beforeMs: number, timesAsMuch: number): boolean {
  if (tookMs <= freeMs) return false;
  return beforeMs === 0 || tookMs > growthMax * timesAsMuch * beforeMs;
}

async function least(run: () => unknown, first: number): Promise<number> {
  let fewest = first;
  for (let attempt = 1; attempt < attempts; attempt += 1) fewest = Math.min(fewest, await cpuMs(run));
  return fewest;
}

/** The clock of a thread advances in steps of a few milliseconds: less than one step counts as one. */
async function cpuMs(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await run();
  const { user, system } = process.threadCpuUsage(before);
  return Math.max(1, (user + system) / 1000);
}
