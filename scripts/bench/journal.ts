import { mkdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { processHost } from "../../src/host/process/process-host.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import type { Bench } from "./bench.ts";
import { median } from "./turns.ts";

const orders = Number(process.env["BENCH_ORDERS"] ?? 500);
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 5);
/** An order is put down, sent and settled: three commits, each on disk before the next. */
const commitsOfAnOrder = 3;

/** Commits a second of the journal, one after the other, against as many bare INSERTs with fsync. */
export async function benchJournal({ folder, figures }: Bench): Promise<void> {
  const rates: { readonly bare: number; readonly ours: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const bare = bareRate(join(folder, `bare-${round}.db`));
    const ours = await ourRate(join(folder, `journal-${round}`), round);
    // The first round warms up.
    if (round > 0) rates.push({ bare, ours });
  }
  const bare = median(rates.map((rate) => rate.bare)) ?? Number.NaN;
  const ours = median(rates.map((rate) => rate.ours)) ?? Number.NaN;
  const ratio = (median(rates.map((rate) => rate.ours / rate.bare)) ?? Number.NaN).toFixed(2);
  console.log(`\nJournal, ${orders} orders, ${rounds} rounds (load ${loadavg()[0]?.toFixed(2)})`);
  console.log(`bare node:sqlite, INSERT and fsync     ${bare.toFixed(0).padStart(8)}/s`);
  console.log(`the journal's commits                  ${ours.toFixed(0).padStart(8)}/s   ratio ${ratio}`);
  figures.push({
    what: "journal, commits one after the other",
    value: `${ours.toFixed(0)}/s`,
    ratio,
    against: "in rate, INSERT and fsync",
  });
}

function bareRate(path: string): number {
  const database = new DatabaseSync(path);
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (number INTEGER PRIMARY KEY, text)",
  );
  const insert = database.prepare("INSERT INTO rows (text) VALUES (?)");
  const started = performance.now();
  for (let index = 0; index < orders * commitsOfAnOrder; index += 1) insert.run(requestOf(index));
  const ms = performance.now() - started;
  database.close();
  return (orders * commitsOfAnOrder * 1000) / ms;
}

async function ourRate(folder: string, round: number): Promise<number> {
  mkdirSync(folder, { mode: 0o700 });
  const journal = await openJournal(processHost(), {
    stateFolder: join(folder, "state"),
    configFolder: join(folder, "config"),
    version: "bench",
    use: "write",
    warn: (line) => Promise.resolve(console.log(line)),
  });
  const started = performance.now();
  for (let index = 0; index < orders; index += 1) {
    const opening = await journal.open({
      scope: "bench",
      kind: "transfer",
      reference: `R${round}-${index}`,
      request: requestOf(index),
      deadlineMs: 60_000,
    });
    if (opening.outcome !== "claimed") throw new Error("An order was there before");
    await opening.claim.beforeDialling("bench");
    opening.claim.beforeFirstByte("bench");
    await opening.claim.settle({ state: "accepted", response: `{"statusCode":"PAYMENT_ACCEPTED"}` });
  }
  const ms = performance.now() - started;
  await journal.close();
  return (orders * commitsOfAnOrder * 1000) / ms;
}

function requestOf(index: number): string {
  return `{"amount":1000,"from":"9000112233","to":"9000112244","description":"order ${index}"}`;
}
