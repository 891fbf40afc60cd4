import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shells } from "../../src/completion/shims.ts";
import type { WireRequest } from "../../src/host/http/transport.ts";
import { unplugged } from "../fuzz/unplugged.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { shop } from "../profiles/fixture.ts";
import { isInstalled } from "../completion/completing-shell.ts";
import { ask, ok } from "./served.ts";

test.each(["tcsh", "Bash", ""])("the shell %j is not supported: exit 2", async (shell) => {
  const { exit, stdout, stderr } = await run(["completion", shell]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain("bash, zsh, fish, powershell");
});

test("the shell must be named: exit 2", async () => {
  expect(await run(["completion"])).toMatchObject({ exit: 2, stdout: "" });
});

test.each(shells)("the script for %s is the same in every format and environment", async (shell) => {
  const plain = await run(["completion", shell]);
  expect(plain).toMatchObject({ exit: 0, stderr: "" });
  for (const flags of [["--json"], ["--csv", "--quiet"], ["--output", "ndjson"]])
    expect((await run(["completion", shell, ...flags])).stdout).toBe(plain.stdout);
  const elsewhere = { environment: { PARTNER_BASE_URL: "broken", HOME: "" }, terminal: { stdout: true } };
  expect((await run(["completion", shell], elsewhere)).stdout).toBe(plain.stdout);
});

const manifest: { commands: Record<string, { flags: object }> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "..", "..", "oclif.manifest.json"), "utf8"),
);

/** A line up to the cursor, and the words offered there; `:files` means the shell's own files. */
const completions: readonly [line: string, offered: readonly string[]][] = [
  ["wal", ["wallet", "wallets"]],
  ["wallet ", ["balance", "statement"]],
  ["wallet b", ["balance"]],
  ["wallet balance --fa", ["--fail-below"]],
  ["wallets list --fa", []],
  ["wallet balance 9000112233 --fa", ["--fail-below"]],
  ["wallet balance --output ", ["csv", "json", "ndjson", "table"]],
  ["wallet balance --output=j", ["json"]],
  ["wallet balance --output=", ["csv", "json", "ndjson", "table"]],
  ["wallet balance -o n", ["ndjson"]],
  ["wallet balance -on", ["ndjson"]],
  ["wallet balance -qo", []],
  ["wallet balance -qo j", ["json"]],
  ["wallet balance --output x", []],
  ["wallet statement --output h", ["hledger", "html"]],
  ["wallet statement -o c", ["camt053", "csv"]],
  ["account statement --output=x", ["xero", "xlsx"]],
  ["wallet statement --js", ["--json"]],
  ["wallet statement --json --js", []],
  ["webhook send http://a.example --set a=b --se", ["--set"]],
  ["wallet statement --output json --str", ["--strict"]],
  ["wallet balance --output json --fa", ["--fail-below"]],
  ["wallet balance --fail-below ", []],
  ["wallet balance --save other", [":files"]],
  ["wallet balance --save=other", [":files"]],
  ["wallet balance --ca-cert oth", [":files"]],
  ["batch check ", [":files"]],
  ["profile add shop --secrets-from oth", [":files"]],
  ["wallet balance -p s", ["shop"]],
  ["wallet balance --profile ", ["other", "shop"]],
  ["wallet balance --profile=o", ["other"]],
  ["profile use ", ["other", "shop"]],
  ["profile show o", ["other"]],
  ["profile use --output json ", ["other", "shop"]],
  ["profile use --output=json ", ["other", "shop"]],
  ["profile use shop ", []],
  ["profile add ", []],
  ["profile add --environment s", ["sandbox", "simulator"]],
  ["simulator start --environment s", ["sandbox"]],
  ["simulator start --seed d", [":files", "demo"]],
  ["completion ", ["bash", "fish", "powershell", "zsh"]],
  ["completion zsh ", []],
  ["report cu", ["customers"]],
  ["report customers ", []],
  ["api ", ["GET", "POST"]],
  ["remit --receiver-channel ", ["BANK", "MOBILE"]],
  ["remit --sender-id-type=P", ["PASSPORT"]],
  ["help ex", ["exit-codes"]],
  ["--v", ["--version"]],
  ["wallet --h", ["--help"]],
  ["wallet balance -- --fa", []],
  ["nonsense ", []],
  ["-p ", ["other", "shop"]],
  ["-p shop wallet b", ["balance"]],
  ["--json wallet --output=csv ", ["balance", "statement"]],
  ["wallet --profile shop balance --fa", ["--fail-below"]],
  ["wallet --out", ["--output"]],
  ["wallet --fail-below 5 b", []],
  ["--quiet help ex", ["exit-codes"]],
  ["comp", ["completion"]],
  ["complete ", []],
  ["remit t", ["template"]],
  ["wallet balance 'sho", []],
  ["profile use 'sho", ["shop"]],
];

/** The words of a line as a shell passes them: the last one is being typed, and bash splits at `=` and `:`. */
function handedOver(shell: string, line: string): string[] {
  const words = (shell === "bash" ? line.replaceAll(/[=:]+/g, " $& ").replaceAll(/ ( [=:])/g, "$1") : line).split(" ");
  const current = words.pop() ?? "";
  // After a break, bash passes the break itself as the word at the cursor.
  if (shell === "bash" && /[=:]$/.test(line)) return [...words.slice(0, -1), `:${words.at(-1) ?? ""}`];
  return [...words, `:${current}`];
}

const ran = () => expect.unreachable("A program was run, or a database opened.");

describe.each(shells)("completion for %s", (shell) => {
  test("offers what fits at the cursor, without a request, a program or a database, and writes no file", async () => {
    const requests: WireRequest[] = [];
    const { host, environment } = unplugged({ status: 200, body: "[]" }, requests);
    const profiles = twoProfiles();
    const world = {
      host: { ...host, run: ran, listen: ran, sqlite: ran },
      environment: { ...environment, ...profiles },
    };
    const offered: [string, string[]][] = [];
    for (const [line] of completions) {
      const { exit, stdout, stderr } = await run(["complete", shell, ...handedOver(shell, line)], world);
      expect({ line, exit, stderr }).toEqual({ line, exit: 0, stderr: "" });
      const words = stdout
        .split("\n")
        .slice(0, -1)
        .map((each) => each.split("\t")[0] ?? "");
      offered.push([line, words.map((word) => word.replace(/^(--[a-z-]+=|-o(?=[a-z]))/, "")).toSorted()]);
    }
    expect(offered).toEqual(completions);
    expect(requests).toEqual([]);
    expect(readdirSync(profiles.PARTNER_CONFIG_DIR, { recursive: true })).toEqual(["config.json"]);
  });
});

function twoProfiles(): { readonly PARTNER_CONFIG_DIR: string } {
  const folder = temporaryFolder();
  const { shop: profile } = shop.config.profiles;
  const config = { version: 1, profiles: { shop: profile, other: profile } };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config), { mode: 0o600 });
  return { PARTNER_CONFIG_DIR: folder };
}

test("every command and every flag is offered", async () => {
  for (const [id, { flags }] of Object.entries(manifest.commands)) {
    const words = id.split(":");
    expect(await offeredIn([...words.slice(0, -1), `:${words.at(-1)}`])).toContain(words.at(-1));
    const names = Object.keys(flags).map((name) => `--${name}`);
    expect(await offeredIn([...words, ":--"])).toEqual(expect.arrayContaining([...names, "--help"]));
  }
});

async function offeredIn(words: readonly string[]): Promise<string[]> {
  const { stdout } = await run(["complete", "fish", ...words]);
  return stdout.split("\n").map((line) => line.split("\t")[0] ?? "");
}

test("completion ends without an error, whatever is typed", async () => {
  const word = fc.oneof(
    fc.constantFrom(
      "wallet",
      "balance",
      "profile",
      "use",
      "-p",
      "--output",
      "-qo",
      "--",
      "-",
      "=",
      ":",
      "--json=x",
      "'",
    ),
    fc.string({ unit: "binary", maxLength: 6 }),
  );
  const property = fc.asyncProperty(fc.constantFrom(...shells, "", "tcsh"), fc.array(word), async (shell, words) => {
    const { exit, stdout, stderr } = await run(["complete", shell, ...words]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(/^(?:[^\t\n]+\t[^\t\n]*\n)*$/);
  });
  await fc.assert(property, { numRuns: 25 });
});

test("profiles that can't be read cause no error on Tab", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "config.json"), "{", { mode: 0o600 });
  const ended = await run(["complete", "zsh", "-p", ":"], { environment: { PARTNER_CONFIG_DIR: folder } });
  expect(ended).toMatchObject({ exit: 0, stdout: "", stderr: "" });
});

test("completion loads nothing heavy: no oclif, no database, no HTTP", () => {
  const script = `
    const { registerHooks } = await import("node:module");
    const loaded = [];
    registerHooks({ resolve: (specifier, context, next) => { loaded.push(specifier); return next(specifier, context); } });
    const { completions } = await import(process.argv[1]);
    const { application } = await import(process.argv[2]);
    await completions(["fish", "profile", "use", ":"], [], application, { files: {}, environment: { PARTNER_CONFIG_DIR: "/nowhere" } });
    console.log(JSON.stringify(loaded));`;
  const module = join(import.meta.dirname, "../../src/cli/completing.ts");
  const application = join(import.meta.dirname, "../../src/application.ts");
  const argv = ["--input-type=module", "-e", script, module, application];
  const loaded: string[] = JSON.parse(execFileSync(process.execPath, argv, { encoding: "utf8" }));
  expect(loaded.filter((name) => /oclif|undici|sqlite|node:http|inquirer|^pg$/.test(name))).toEqual([]);
});

test("the script for PowerShell is plain ASCII, because PowerShell reads files in the machine's own encoding", async () => {
  const { stdout } = await run(["completion", "powershell"]);
  expect(stdout).toMatch(/^[\n -~]*$/);
});

test.skipIf(!isInstalled("pwsh"))("PowerShell offers what fits at the cursor (needs pwsh)", async () => {
  const file = join(temporaryFolder(), "completion.ps1");
  writeFileSync(file, (await run(["completion", "powershell"])).stdout);
  const offered = (line: string) => {
    const asked = `. ${file}; (TabExpansion2 '${line}' ${line.length}).CompletionMatches.CompletionText`;
    const { stdout } = spawnSync("pwsh", ["-NoProfile", "-Command", asked], { encoding: "utf8" });
    return stdout.split(/\r?\n/).filter((word) => word !== "");
  };
  expect(offered("partner wal")).toEqual(["wallet", "wallets"]);
  expect(offered("partner wallet balance --fa")).toEqual(["--fail-below"]);
  expect(offered("partner wallet balance --output=j")).toEqual(["--output=json"]);
  expect(offered("partner wallet balance -o n")).toEqual(["ndjson"]);
});

/** What bash is offered at the end of a line, on a machine that has seen one account's wallets and orders. */
async function offeredAt(line: string, environment: Record<string, string>) {
  const { exit, stdout, stderr } = await run(["complete", "bash", ...handedOver("bash", line)], {
    environment,
    host: { run: ran, listen: ran, transport: ran },
  });
  expect({ line, exit, stderr }).toEqual({ line, exit: 0, stderr: "" });
  return stdout.split("\n").slice(0, -1).toSorted();
}

describe("wallets and orders seen before", () => {
  const list =
    '[{"accountNo":"9000112233","accountName":"Main float","balance":1.0,"currency":"TZS"},{"accountNo":"0560","accountName":"Mishahara","balance":1.0,"currency":"TZS"}]';

  test("are completed by number, name or reference, without a request", async () => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    await ask("wallets list", ok(list), { environment, terminal: { stdout: true } });
    const transfer = "transfer --from 9000112233 --to 0560 --amount 5 --description d --reference R-1 --yes";
    const sent = ok('{"transactionId":"T1","statusCode":"PAYMENT_ACCEPTED"}');
    await ask(`${transfer} --check-statement never`, [ok(list), sent], { environment });
    const both = ["0560\tMishahara", "9000112233\tMain float"];
    expect(await offeredAt("wallet balance ", environment)).toEqual(both);
    expect(await offeredAt("transfer --from ", environment)).toEqual(both);
    expect(await offeredAt("transfer --to 05", environment)).toEqual(["0560\tMishahara"]);
    expect(await offeredAt("transfer --to mish", environment)).toEqual(["0560\tMishahara"]);
    expect(await offeredAt("withdraw --account 9", environment)).toEqual(["9000112233\tMain float"]);
    expect(await offeredAt("journal show ", environment)).toEqual(["R-1\t"]);
    expect(await offeredAt("journal resolve R", environment)).toEqual(["R-1\t"]);
    expect(await offeredAt("account balance ", environment)).toEqual([]);
  });

  test("are not offered for another profile, and no secret is looked up", async () => {
    const environment = { ...twoProfiles(), PARTNER_BASE_URL: "" };
    await ask("wallets list", ok(list), { environment: twoProfiles(), terminal: { stdout: true } });
    expect(await offeredAt("-p shop wallet balance ", environment)).toEqual([]);
    expect(await offeredAt("-p shop journal show ", environment)).toEqual([]);
    expect(await offeredAt("-p nobody journal show ", environment)).toEqual([]);
  });

  test("are not remembered from a list that is not shown on a terminal", async () => {
    const folder = temporaryFolder();
    await ask("wallets list", ok(list), { environment: { PARTNER_CONFIG_DIR: folder } });
    expect(readdirSync(folder)).toEqual([]);
  });
});
