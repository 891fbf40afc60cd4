import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { processHost } from "../../src/host/process/process-host.ts";
import { openInbox } from "../../src/webhooks/inbox/inbox-file.ts";
import { payloadOf, signed } from "../../test/webhooks/flood.ts";
import type { Bench, Program } from "./bench.ts";
import { contenderOf } from "./bench.ts";
import { writeJournal } from "./journal-file.ts";
import { filled } from "./limits.ts";
import { serveFile } from "./server.ts";
import { writeBatch, writeBook, writeStatement } from "./statement-file.ts";
import type { Measured } from "./turns.ts";
import { printTable, takeTurns } from "./turns.ts";

const sizes = (process.env["BENCH_GROWTH"] ?? "1000,10000,100000,1000000").split(",").map(Number);
const runs = Number(process.env["BENCH_GROWTH_RUNS"] ?? 1);
const wanted = process.env["BENCH_GROWTH_OF"]?.split(",");
const warn = (line: string) => console.log(line);

type Task = (size: number, folder: string) => Promise<Prepared>;

interface Prepared {
  readonly words: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  stop?(): void;
}

/** What a run takes when there is ten times as much: time and memory of one command each, at each size. */
const tasks: Readonly<Record<string, Task>> = {
  statement,
  sort,
  workbook,
  reconcile,
  batch,
  journal,
  verify,
  by,
  inbox,
};

/** Time and peak memory at each size; what costs more than ten times as much for ten times the rows stands out. */
export async function benchGrowth({ folder, programs }: Bench): Promise<void> {
  const [program] = programs;
  if (program === undefined) return;
  for (const [name, task] of Object.entries(tasks)) {
    if (wanted?.includes(name) === false) continue;
    const measured: Measured[] = [];
    for (const size of sizes) {
      try {
        measured.push(await measure(program, name, task, size, folder));
      } catch (error) {
        console.log(`\n${name} of ${size}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    printTable(`Growth of ${name}, ${runs} runs each`, measured);
  }
}

async function measure(program: Program, name: string, task: Task, size: number, folder: string): Promise<Measured> {
  const own = join(folder, `growth-${name}-${size}`);
  mkdirSync(own, { mode: 0o700 });
  const prepared = await task(size, own);
  try {
    const environment = { PARTNER_STATE_DIR: join(own, "state"), PARTNER_CONFIG_DIR: join(own, "config") };
    const contender = contenderOf(program, prepared.words, {
      folder,
      environment: { ...environment, ...prepared.environment },
      label: `${name} of ${size}`,
    });
    const [result] = takeTurns([contender], runs, { warmUp: size < 100_000 });
    if (result === undefined) throw new Error("nothing was measured");
    console.log(`${result.name}: ${(result.medianMs / 1000).toFixed(2)} s, ${result.peakMb?.toFixed(0) ?? "?"} MB`);
    return result;
  } finally {
    prepared.stop?.();
  }
}

async function statement(size: number, folder: string, form = ["--output", "csv"]): Promise<Prepared> {
  const file = join(folder, "statement.json");
  await writeStatement(file, size);
  const server = await serveFile(file);
  const words = ["wallet", "statement", "9000112200", "--month", "2026-10", ...form];
  return { words, environment: server.environment, stop: () => server.stop() };
}

function sort(size: number, folder: string): Promise<Prepared> {
  return statement(size, folder, ["--output", "csv", "--sort", "-balance"]);
}

function workbook(size: number, folder: string): Promise<Prepared> {
  return statement(size, folder, ["--save", join(folder, "statement.xlsx")]);
}

async function reconcile(size: number, folder: string): Promise<Prepared> {
  const book = join(folder, "book.csv");
  await writeBook(book, size);
  const account = ["--account", "9000112200", "--month", "2026-10"];
  return {
    ...(await statement(size, folder)),
    words: ["reconcile", ...account, "--book", book, "--output", "csv"],
  };
}

async function batch(size: number, folder: string): Promise<Prepared> {
  const file = join(folder, "batch.csv");
  await writeBatch(file, size);
  const wallets = join(folder, "wallets.json");
  writeFileSync(wallets, '[{"accountNo":"9000112233","currency":"TZS"},{"accountNo":"9000112244","currency":"TZS"}]');
  const server = await serveFile(wallets);
  const words = ["batch", "check", file, "--kind", "transfer", "--output", "csv"];
  return { words, environment: server.environment, stop: () => server.stop() };
}

async function journal(size: number, folder: string): Promise<Prepared> {
  await writeJournal(folder, size);
  sayBytes(join(folder, "state", "journal.db"));
  return { words: ["journal", "list", "--output", "csv"] };
}

async function verify(size: number, folder: string): Promise<Prepared> {
  await (await filled(folder, size)).close();
  sayBytes(join(folder, "state", "journal.db"));
  return { words: ["journal", "verify"] };
}

async function by(size: number, folder: string): Promise<Prepared> {
  return { ...(await journal(size, folder)), words: ["journal", "list", "--by", "nobody", "--output", "csv"] };
}

async function inbox(size: number, folder: string): Promise<Prepared> {
  const events = await openInbox(processHost(), { stateFolder: join(folder, "state"), use: "write", warn });
  for (let first = 0; first < size; first += 5000) {
    const ids = Array.from({ length: Math.min(5000, size - first) }, (_, index) => `E${first + index}`);
    await Promise.all(
      ids.map((id) =>
        events.store({
          id,
          receivedAt: Date.UTC(2026, 9, 1),
          requestId: id,
          timestamp: "2026-10-01T08:00:00+03:00",
          body: Buffer.from(signed(payloadOf(id), "2026-10-01T08:00:00+03:00")),
          dueAt: null,
        }),
      ),
    );
  }
  await events.close();
  sayBytes(join(folder, "state", "inbox.db"));
  return { words: ["webhook", "inbox", "list", "--output", "csv"] };
}

function sayBytes(path: string): void {
  console.log(`\n${path}: ${(statSync(path).size / 1e6).toFixed(0)} MB`);
}
