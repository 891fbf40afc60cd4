import { spawnSync } from "node:child_process";

// The steps of the tour, played inside of `partner simulator run`. Each command line is shown and then run.

const [program = ""] = process.argv.slice(2);

/** The first wallet of the demo account: the one that pays out. */
function firstWallet(): string {
  const { stdout } = spawnSync(process.execPath, [program, "wallets", "list", "--json"], { encoding: "utf8" });
  const wallets: unknown = JSON.parse(stdout);
  const first: unknown = Array.isArray(wallets) ? wallets[0] : undefined;
  if (typeof first === "object" && first !== null && "accountNo" in first) return String(first.accountNo);
  throw new Error("The simulator has no wallet.");
}

function step(remark: string, ...words: readonly string[]): void {
  console.log(`\n# ${remark}\n$ partner ${words.join(" ")}`);
  const { status } = spawnSync(process.execPath, [program, ...words], { stdio: "inherit" });
  if (status !== 0) throw new Error(`partner ${words.join(" ")} ended with ${String(status)}.`);
}

const wallet = firstWallet();
const file = `tour/${wallet}-last-month.csv`;
step("What is there?", "wallets", "list");
step("What does one of them hold?", "wallet", "balance", wallet);
step("What moved through it last month, and does it add up?", "wallet", "statement", wallet, "--last-month");
step(
  "The same for the books: a file that is written only if it adds up.",
  "wallet",
  "statement",
  wallet,
  "--last-month",
  "--strict",
  "--save",
  file,
);
console.log(`\nThe statement is in ${file}. Next: partner --help, or docs/guide/getting-started.md.`);
