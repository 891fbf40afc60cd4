import { loadavg } from "node:os";
import { join } from "node:path";
import { processHost } from "../../src/host/process/process-host.ts";
import type { Around, Journal, Order } from "../../src/journal/journal.ts";
import type { CurrencySums } from "../../src/journal/spending.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import { dayInDarEsSalaam } from "../../src/values/time/day.ts";
import type { Bench } from "./bench.ts";
import { median } from "./turns.ts";

const sizes = (process.env["BENCH_LIMIT_ORDERS"] ?? "10,1000,100000").split(",").map(Number);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5) * 20;
/** How many orders share a commit while a journal is filled. */
const groupSize = 1_000;
const scope = "simulator http://127.0.0.1:8080 bench";

/** What an order with `limit.day` and the look at like orders costs in a journal of so many orders of the same day. */
export async function benchLimits({ folder, figures }: Bench): Promise<void> {
  const journals: { readonly size: number; readonly journal: Journal; readonly ms: number[] }[] = [];
  for (const size of sizes) {
    const journal = await filled(join(folder, `limits-${size}`), size);
    journals.push({ size, journal, ms: [] });
  }
  for (let round = 0; round < rounds; round += 1)
    for (const { size, journal, ms } of journals) ms.push(await timed(journal, size + round));
  const [first = Number.NaN] = journals.map(({ ms }) => median(ms) ?? Number.NaN);
  console.log(`\nAn order with limit.day, ${rounds} in turn (load ${loadavg()[0]?.toFixed(2)})`);
  for (const { size, ms, journal } of journals) {
    const middle = median(ms) ?? Number.NaN;
    const ratio = (middle / first).toFixed(2);
    console.log(`${String(size).padStart(10)} orders that day  ${middle.toFixed(2).padStart(8)} ms   ratio ${ratio}`);
    figures.push({
      what: `an order with limit.day, ${size} that day`,
      value: `${middle.toFixed(2)} ms`,
      ratio,
      against: `in time, ${sizes[0] ?? 0} that day`,
    });
    await journal.close();
  }
}

/** A journal of so many orders that were placed one by one, open for writing. */
export async function filled(folder: string, count: number): Promise<Journal> {
  const journal = await openJournal(processHost(), {
    stateFolder: join(folder, "state"),
    configFolder: join(folder, "config"),
    version: "bench",
    use: "write",
    warn: (line) => console.log(line),
  });
  for (let done = 0; done < count; done += groupSize) {
    const indexes = Array.from({ length: Math.min(groupSize, count - done) }, (_, index) => done + index);
    await Promise.all(indexes.map((index) => place(journal, orderAt(index))));
  }
  return journal;
}

/** Milliseconds from the order to its claim: the sums of the day, the look around, and the commit. */
async function timed(journal: Journal, index: number): Promise<number> {
  const started = performance.now();
  const settle = await claimed(journal, {
    ...orderAt(index),
    guard: { day: dayInDarEsSalaam(Date.now()), decide: (spent: CurrencySums) => void spent },
    check: (around: Around) => void around,
  });
  const ms = performance.now() - started;
  await settle();
  return ms;
}

async function place(journal: Journal, order: Order): Promise<void> {
  await (
    await claimed(journal, order)
  )();
}

async function claimed(journal: Journal, order: Order): Promise<() => Promise<unknown>> {
  const opening = await journal.open(order);
  if (opening.outcome !== "claimed") throw new Error("An order was there before");
  return () => opening.claim.settle({ state: "accepted", evidence: "statement" });
}

function orderAt(index: number): Order {
  const body = { amount: 1000 + index, from: "9000112233", to: "9000112244", description: `order ${index}` };
  return { scope, kind: "transfer", reference: `R${index}`, request: JSON.stringify(body), deadlineMs: 60_000 };
}
