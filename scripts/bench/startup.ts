import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serveFile } from "./server.ts";
import { printTable, takeTurns } from "./turns.ts";

const root = join(import.meta.dirname, "../..");
const program = join(root, "bin/partner.js");
const runs = Number(process.env["BENCH_STARTS"] ?? 15);

const wallets = Array.from({ length: 10 }, (_, index) => ({
  accountNo: `90001122${String(index).padStart(2, "0")}`,
  accountName: `Wallet ${index}`,
  type: "DISBURSEMENT",
  balance: 4_500_000.5 + index,
  currency: "TZS",
  countryCode: "TZ",
}));

/** What `npm run package` made for this machine; undefined where it did not. */
function findExecutable(): string | undefined {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const file = join(root, "artifacts", `partner-${version}-${process.platform}-${process.arch}`);
  return existsSync(file) ? file : undefined;
}

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
  const executable = findExecutable();
  const alone = (...words: string[]) =>
    executable === undefined
      ? []
      : [{ name: ["executable", ...words].join(" "), command: executable, args: words, environment }];
  const contenders = [
    { name: "node -e 0", command: process.execPath, args: ["-e", "0"] },
    partner("--version"),
    partner("--help"),
    partner("wallets", "list", "--output", "json"),
    partner("wallets", "list"),
    ...alone("--version"),
    ...alone("--help"),
    ...alone("wallets", "list", "--output", "json"),
    ...alone("wallets", "list"),
  ];
  try {
    const title = `Start-up, ${runs} runs each, warm compile cache, Node ${process.version}`;
    printTable(title, takeTurns(contenders, runs));
  } finally {
    server.stop();
  }
}
