import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveFile } from "./server.ts";
import { printTable, takeTurns } from "./turns.ts";

const program = join(import.meta.dirname, "../../bin/partner.js");
const runs = Number(process.env["BENCH_STARTS"] ?? 15);

const wallets = Array.from({ length: 10 }, (_, index) => ({
  accountNo: `90001122${String(index).padStart(2, "0")}`,
  accountName: `Wallet ${index}`,
  type: "DISBURSEMENT",
  balance: 4_500_000.5 + index,
  currency: "TZS",
  countryCode: "TZ",
}));

/** How long a run takes from nothing to its end, against a Node that does nothing at all. */
export async function benchStartup(folder: string): Promise<void> {
  const file = join(folder, "wallets.json");
  writeFileSync(file, JSON.stringify(wallets));
  const server = await serveFile(file);
  const environment = { ...server.environment, HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
  const partner = (...words: string[]) => ({
    name: ["partner", ...words].join(" "),
    command: process.execPath,
    args: [program, ...words],
    environment,
  });
  const contenders = [
    { name: "node -e 0", command: process.execPath, args: ["-e", "0"] },
    partner("--version"),
    partner("--help"),
    partner("wallets", "list", "--output", "json"),
    partner("wallets", "list"),
  ];
  try {
    const title = `Start-up, ${runs} runs each, warm compile cache, Node ${process.version}`;
    printTable(title, takeTurns(contenders, runs));
  } finally {
    server.stop();
  }
}
