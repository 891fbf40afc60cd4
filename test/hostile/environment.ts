import { readFileSync } from "node:fs";
import { join } from "node:path";
import { proxyFor } from "../../src/host/http/proxy.ts";
import { readPostgresUrl } from "../../src/values/addresses/postgres-url.ts";
import { unplugged } from "../fuzz/unplugged.ts";
import { run, words } from "../partner.ts";
import type { Reader } from "./reader.ts";
import { settled, typed } from "./reader.ts";

const manifest: { commands: Record<string, { flags: Record<string, { type: string }> }> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "oclif.manifest.json"), "utf8"),
);

/** Each flag with a value once, at the first command that has it: they mean the same everywhere. */
const flags = new Map(
  Object.entries(manifest.commands)
    .toReversed()
    .flatMap(([id, { flags }]) =>
      Object.entries(flags).flatMap(([name, { type }]) => (type === "option" ? [[name, id] as const] : [])),
    ),
);

const starts: Readonly<Record<string, string>> = {
  PARTNER_BASE_URL: "https://a.example/",
  PARTNER_ACCOUNT_BASE_URL: "https://a.example/",
  PARTNER_JOURNAL_URL: "postgres://h/",
};
const names = "PROFILE OUTPUT BASE_URL ACCOUNT_BASE_URL ENVIRONMENT ACCOUNT_ID SECRET_KEY ACCESS_TOKEN WEBHOOK_KEY";
const variables = [...names.split(" "), "JOURNAL_URL", "CONFIG_DIR", "STATE_DIR"].map((name) => `PARTNER_${name}`);

/** Words of command lines and variables. */
export const environmentReaders: readonly Reader[] = [
  ...variables.map((name): Reader => ({
    name,
    takes: "words",
    read: async (hostile) => {
      const { host, environment } = unplugged({ status: 200, body: "[]" });
      const set = { ...environment, [name]: (starts[name] ?? "") + hostile };
      for (const line of ["wallets list", "journal list", "webhook verify -"])
        await run(words(line), { host, environment: set });
    },
  })),
  ...[...flags].map(([name, id]) =>
    typed(`partner ${id.replaceAll(":", " ")} --${name}`, (run) => [...id.split(":"), `--${name}=${run}`], "words"),
  ),
  typed("an argument", (run) => ["wallet", "balance", "--", run], "words"),
  typed("words that are no command", (run) => [run, run], "words"),
  typed(
    "a thousand words",
    (run) => Array.from({ length: run.length / 8 }, (_, at) => run.slice(8 * at, 8 * at + 8)),
    "words",
  ),
  typed("letters behind a dash", (run) => ["wallets", "list", `-${run}`, `-q${"q".repeat(run.length)}`], "words"),
  typed("what is completed", (run) => ["complete", "bash", run, "=", run, `:${run}`], "words"),
  { name: "an address of PostgreSQL", takes: "words", read: (run) => readPostgresUrl(`postgres://h/d?${run}`) },
  {
    name: "NO_PROXY",
    takes: "words",
    read: (run) => settled(() => proxied({ HTTPS_PROXY: "http://p", NO_PROXY: run })),
  },
  { name: "HTTPS_PROXY", takes: "words", read: (run) => settled(() => proxied({ HTTPS_PROXY: `http://${run}` })) },
];

function proxied(environment: Readonly<Record<string, string>>): unknown {
  return proxyFor({ host: "a.example", port: 443, secure: true }, environment);
}
