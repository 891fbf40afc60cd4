import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { dayInDarEsSalaam } from "../../src/values/time/day.ts";
import type { Bench, Program } from "./bench.ts";
import { serveWith } from "./server.ts";
import type { Contender, Measured } from "./turns.ts";
import { printTable, ratio, takeTurns } from "./turns.ts";

const sizes = (process.env["BENCH_LEDGER_ROWS"] ?? "100000,1000000").split(",").map(Number);
const days = 30;
const wallets = 10;
const dailyRounds = 5;
const findRounds = 5;
/** A reference, words, and what every row has: of that the first 10,000 are shown. */
const needles = ["BULK00004711", "malipo 4711", "125"];

/**
 * A first sync against a statement of the same rows, a search in them against a start, a daily sync of ten wallets with
 * nothing new, a status, and sizes.
 */
export async function benchLedger({ folder, programs, figures }: Bench): Promise<void> {
  const [program] = programs;
  if (program === undefined) return;
  const today = dayInDarEsSalaam(Date.now());
  const start = today.addDays(1 - days).toString();
  for (const count of sizes) {
    const own = join(folder, `ledger-${count}`);
    mkdirSync(own);
    const file = join(own, "rows.json");
    const server = await serveWith("serve-ledger.ts", [file, String(count), "1", today.toString()]);
    const contender = contenders(program, own, server.environment);
    try {
      const measured = takeTurns(
        [
          contender(["wallet", "statement", "9000112200", "--start-date", start, "--output", "csv"]),
          contender(["ledger", "sync", "--start-date", start]),
          contender(["ledger", "status"]),
          contender(["ledger", "sync"]),
        ],
        1,
        { warmUp: false },
      );
      const base = measured[0];
      printTable(`A wallet of ${count} rows`, measured, base?.name);
      const state = join(own, "state");
      const stateBytes = readdirSync(state).reduce((sum, name) => sum + statSync(join(state, name)).size, 0);
      for (const { name, medianMs, cpuMs, peakMb } of measured)
        figures.push({
          what: `${name}, ${count} rows`,
          value: `${(medianMs / 1000).toFixed(1)} s ${peakMb?.toFixed(0) ?? "?"} MB`,
          ratio: bothRatios({ medianMs, cpuMs }, base),
          against: base?.name ?? "",
        });
      benchFind(contender, count, figures);
      const beyond = (stateBytes - statSync(file).size) / count;
      figures.push({
        what: `ledger, bytes a row beyond its text, ${count} rows`,
        value: beyond.toFixed(0),
        ratio: "",
        against: "",
      });
    } finally {
      server.stop();
      rmSync(own, { recursive: true });
    }
  }
  await benchDaily(program, folder, figures);
}

/** How much longer a search takes than a command that does nothing. */
function benchFind(contender: (words: readonly string[]) => Contender, count: number, figures: Bench["figures"]): void {
  const finds = needles.map((needle) => ({
    ...contender(["find", needle, "--offline", "--csv"]),
    name: `find ${needle}`,
  }));
  const measured = takeTurns([contender(["profile", "list"]), ...finds], findRounds);
  const [start, ...found] = measured;
  printTable(`Searches in ${count} rows`, measured, start?.name);
  for (const { name, medianMs, cpuMs = 0 } of found)
    figures.push({
      what: `${name} --offline, ${count} rows, beyond a start`,
      value: `${(medianMs - (start?.medianMs ?? 0)).toFixed(0)} ms, processor ${(cpuMs - (start?.cpuMs ?? 0)).toFixed(0)} ms`,
      ratio: "",
      against: "",
    });
}

/** By the clock and by the processor's time. */
function bothRatios({ medianMs, cpuMs }: Pick<Measured, "medianMs" | "cpuMs">, base: Measured | undefined): string {
  return `${ratio(medianMs, base?.medianMs)} · ${ratio(cpuMs, base?.cpuMs)}`;
}

/** What a night costs on which nothing has happened. */
async function benchDaily(program: Program, folder: string, figures: Bench["figures"]): Promise<void> {
  const today = dayInDarEsSalaam(Date.now());
  const own = join(folder, "ledger-daily");
  mkdirSync(own);
  const server = await serveWith("serve-ledger.ts", [
    join(own, "rows.json"),
    "30000",
    String(wallets),
    today.toString(),
  ]);
  const contender = contenders(program, own, server.environment);
  const from = today.addDays(-3).toString();
  const all = ["wallet", "statement", "--all", "--start-date", from, "--save", join(own, "w-{account}.csv")];
  try {
    takeTurns([contender(["ledger", "sync", "--start-date", today.addDays(1 - days).toString()])], 1, {
      warmUp: false,
    });
    const measured = takeTurns([contender(all), contender(["ledger", "sync"])], dailyRounds);
    const [reads, sync] = measured;
    printTable(`${wallets} wallets with nothing new`, measured, reads?.name);
    if (sync !== undefined)
      figures.push({
        what: `${sync.name}, ${wallets} wallets with nothing new`,
        value: `${sync.medianMs.toFixed(0)} ms`,
        ratio: bothRatios(sync, reads),
        against: "wallet statement --all of the same days",
      });
  } finally {
    server.stop();
  }
}

function contenders({ name, script }: Program, own: string, environment: Readonly<Record<string, string>>) {
  return (words: readonly string[]): Contender => ({
    name: `${name} ${words.slice(0, 2).join(" ")}${words.includes("--start-date") ? " --start-date" : ""}`,
    command: process.execPath,
    args: [script, ...words],
    environment: { ...environment, PARTNER_STATE_DIR: join(own, "state"), PARTNER_CONFIG_DIR: join(own, "config") },
  });
}
