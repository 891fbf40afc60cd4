import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { contenderOf, printComparison } from "./bench.ts";
import { serveFile } from "./server.ts";
import { writeBook, writeStatement } from "./statement-file.ts";
import { printTable, ratio, takeTurns } from "./turns.ts";

const size = Number(process.env["BENCH_RECONCILE_ROWS"] ?? 1_000_000);
const runs = Number(process.env["BENCH_RECONCILE_RUNS"] ?? 3);

/**
 * A long statement against a book as long: over HTTP, compared, to a file; and the statement alone, to tell it apart.
 */
export async function benchReconcile({ folder, programs, figures }: Bench): Promise<void> {
  const [statement, book] = [join(folder, `statement-${size}.json`), join(folder, `book-${size}.csv`)];
  await writeStatement(statement, size);
  await writeBook(book, size);
  const server = await serveFile(statement);
  const compare = ["reconcile", "--account", "9000112200", "--month", "2026-10", "--book", book, "--output"];
  const lines = [
    { label: "reconcile --output csv", words: [...compare, "csv"] },
    { label: "reconcile --output json", words: [...compare, "json"] },
    {
      label: "wallet statement",
      words: ["wallet", "statement", "9000112200", "--month", "2026-10", "--output", "csv"],
    },
  ];
  const contenders = lines.flatMap(({ label, words }) =>
    programs.map((program) => contenderOf(program, words, { folder, environment: server.environment, label })),
  );
  try {
    const measured = takeTurns(contenders, runs, { warmUp: false });
    printTable(`${size} rows × ${size} rows, ${runs} runs each`, measured, "partner wallet statement");
    printComparison(measured, programs);
    const alone = measured.find(({ name }) => name === "partner wallet statement");
    for (const { name, medianMs, peakMb } of measured)
      figures.push({
        what: `${name}, ${size} rows`,
        value: `${(medianMs / 1000).toFixed(1)} s ${peakMb?.toFixed(0) ?? "?"} MB`,
        ratio: ratio(medianMs, alone?.medianMs),
        against: "the statement alone",
      });
  } finally {
    server.stop();
  }
}
