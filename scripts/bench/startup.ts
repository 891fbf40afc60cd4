import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentedBody, documented } from "../../test/contract/webhook-bytes.ts";
import type { Bench } from "./bench.ts";
import { contenderOf, isInstalled, printComparison } from "./bench.ts";
import { serveFile } from "./server.ts";
import type { Contender } from "./turns.ts";
import { printTable, ratio, takeTurns } from "./turns.ts";

const root = join(import.meta.dirname, "../..");
const runs = Number(process.env["BENCH_STARTS"] ?? 15);

const wallets = Array.from({ length: 10 }, (_, index) => ({
  accountNo: `90001122${String(index).padStart(2, "0")}`,
  accountName: `Wallet ${index}`,
  type: "DISBURSEMENT",
  balance: 4_500_000.5 + index,
  currency: "TZS",
  countryCode: "TZ",
}));

/** How long a run of each kind of command takes from nothing to its end, against a Node that does nothing at all. */
export async function benchStartup({ folder, programs, figures }: Bench): Promise<void> {
  const [file, webhook] = [join(folder, "wallets.json"), join(folder, "webhook.json")];
  writeFileSync(file, JSON.stringify(wallets));
  writeFileSync(webhook, documentedBody);
  const server = await serveFile(file);
  const environment = { ...server.environment, PARTNER_WEBHOOK_KEY: documented.key };
  const order = "--from 9000112200 --to 9000112201 --amount 1000 --description rent --check-statement never";
  const lines = [
    "--version",
    "--help",
    "wallets list --output json",
    "wallets list",
    "wallet statement --help",
    `transfer --dry-run ${order}`,
    `transfer --yes ${order} --again`,
    "profile list",
    "journal list",
    `webhook verify ${webhook}`,
    "completion bash",
  ];
  const contenders = [
    { name: "node -e 0", command: process.execPath, args: ["-e", "0"] },
    ...lines.flatMap((line) => {
      const label = line
        .split(" ")
        .slice(0, line.startsWith("transfer") ? 2 : 4)
        .join(" ")
        .replace(webhook, "FILE");
      return programs.map((program) => contenderOf(program, line.split(" "), { folder, environment, label }));
    }),
    ...executables(lines.slice(0, 4), folder, environment),
    ...others(server.environment.PARTNER_BASE_URL, folder),
  ];
  try {
    const measured = takeTurns(contenders, runs);
    printTable(`Start-up, ${runs} runs each, warm compile cache, Node ${process.version}`, measured);
    printComparison(measured, programs);
    const [base] = measured;
    for (const { name, medianMs, peakMb } of measured)
      figures.push({
        what: name,
        value: `${medianMs.toFixed(0)} ms ${peakMb?.toFixed(0) ?? "?"} MB`,
        ratio: ratio(medianMs, base?.medianMs),
        against: "node -e 0",
      });
  } finally {
    server.stop();
  }
}

/** What `npm run package` made for this machine; nothing where it did not. */
function executables(
  lines: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>>,
): Contender[] {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const command = join(root, "artifacts", `partner-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(command)) return [];
  const home = { HOME: folder, XDG_CACHE_HOME: join(folder, "cache") };
  return lines.map((line) => ({
    name: `executable ${line}`,
    command,
    args: line.split(" "),
    environment: { ...environment, ...home },
  }));
}

/** Other programs that make the same request. */
function others(url: string, folder: string): Contender[] {
  const bare = join(import.meta.dirname, "bare-request.cjs");
  return [
    { name: "a script with node:http alone", command: process.execPath, args: [bare, `${url}/wallets`] },
    ...(isInstalled("gh")
      ? [
          {
            name: "gh api",
            command: "gh",
            args: ["api", `${url}/wallets`],
            environment: {
              GH_TOKEN: "bench",
              GH_NO_UPDATE_NOTIFIER: "1",
              GH_CONFIG_DIR: join(folder, "gh"),
              HOME: folder,
            },
          },
        ]
      : []),
    ...(isInstalled("curl") ? [{ name: "curl", command: "curl", args: ["-s", `${url}/wallets`] }] : []),
  ];
}
