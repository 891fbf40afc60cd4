import { join } from "node:path";
import { serveFile } from "./server.ts";
import { writeBook, writeStatement } from "./statement-file.ts";
import { printTable, takeTurns } from "./turns.ts";

const program = join(import.meta.dirname, "../../bin/partner.js");
const size = Number(process.env["BENCH_RECONCILE_ROWS"] ?? 1_000_000);
const runs = Number(process.env["BENCH_RECONCILE_RUNS"] ?? 3);

/** A long statement against a book as long: over HTTP, compared, to a file; and the statement alone, to tell it apart. */
export async function benchReconcile(folder: string): Promise<void> {
  const [statement, book] = [join(folder, `statement-${size}.json`), join(folder, `book-${size}.csv`)];
  await writeStatement(statement, size);
  await writeBook(book, size);
  const server = await serveFile(statement);
  const environment = { ...server.environment, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
  const partner = (...words: string[]) => ({
    name: `partner ${words[0] ?? ""} … ${words.at(-1) ?? ""}`,
    command: process.execPath,
    args: [program, ...words],
    environment,
    stdoutFile: join(folder, "partner.out"),
  });
  const compare = ["reconcile", "--account", "9000112200", "--month", "2026-10", "--book", book, "--output"];
  const contenders = [
    partner(...compare, "csv"),
    partner(...compare, "json"),
    partner("wallet", "statement", "9000112200", "--month", "2026-10", "--output", "csv"),
  ];
  try {
    printTable(`${size} rows × ${size} rows, ${runs} runs each`, takeTurns(contenders, runs, { warmUp: false }));
  } finally {
    server.stop();
  }
}
