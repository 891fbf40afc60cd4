import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalog } from "../../src/catalog.ts";
import { commandGroups } from "../../src/app/help/command-groups.ts";
import { topics } from "../../src/app/help/topics.ts";
import { exitCodes } from "../../src/values/failure.ts";
import { run, words } from "../partner.ts";
import { ask, ok } from "./served.ts";
import { program } from "../program.ts";

const commands = Object.keys(catalog).map((id) => id.replaceAll(":", " "));
const groups = [...new Set(commands.filter((id) => id.includes(" ")).map((id) => id.split(" ")[0] ?? ""))];

const pages = ["", ...commands.flatMap((command) => [command, `${command} flags`]), ...groups, ...Object.keys(topics)];

function asWords(text: string): string {
  return text.split(/\s+/).join(" ");
}

async function helpOf(line: string) {
  const { exit, stdout, stderr } = await run(words(line));
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(stdout.endsWith("\n")).toBe(true);
  return stdout;
}

test("partner alone, --help, -h and help all print the same", async () => {
  const text = await helpOf("");
  for (const line of ["--help", "-h", "help", "help --json", "help help", "--no-color -h"])
    expect(await helpOf(line)).toBe(text);
  const words = ` ${asWords(text)} `;
  for (const command of commands) expect(words).toMatch(new RegExp(` ${command},? `));
  expect(words).toContain(` TOPICS partner help ${Object.keys(topics).join(", ")} `);
});

test.each(commands)(
  "%s prints the same help however it is asked for, and it ends with its exit codes",
  async (command) => {
    const text = await helpOf(`${command} --help`);
    for (const line of [`${command} -h`, `help ${command}`, `--help ${command}`, `${command} --json --help`])
      expect(await helpOf(line)).toBe(text);
    const [, codes = ""] = /\n\nEXIT CODES\n {2}([\d, ]+) \(partner help exit-codes\)\n$/.exec(text) ?? [];
    // Every command can be interrupted, and its result may not fit on the disk.
    expect(codes.split(", ")).toEqual(expect.arrayContaining(["0", "1", "2", "5", "130", "143"]));
    expect(codes.split(", ").filter((code) => !exitCodes.some(({ exit }) => String(exit) === code))).toEqual([]);
    expect(text).toContain(`\n  $ partner ${command}`);
    expect(text).not.toMatch(/\u001b|undefined|<%/);
  },
);

test.each(commands)("the flags of %s are aligned", async (command) => {
  for (const section of (await helpOf(`${command} --help`)).split("\n\n")) {
    const flags = section.split("\n").filter((line) => /^ {2,6}(-\w, )?--/.test(line));
    const starts = flags.map((line) => line.indexOf("--"));
    expect(starts).toEqual(starts.map(() => starts[0]));
  }
});

/** The text of a page on a terminal with this many columns. */
async function pageIn(columns: number, page: string): Promise<string> {
  const { exit, stdout, stderr } = await run(["help", ...words(page)], { terminal: { stdout: true }, columns });
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  return stdout;
}

/** The words of a page, without line breaks and what surrounds them. */
function saidBy(page: string): string {
  return asWords(page.replaceAll(" \\\n", "\n")).replaceAll("\u001b[1m", "").replaceAll("\u001b[0m", "");
}

test.each(pages)("help %s fits the terminal and breaks no word", async (page) => {
  const whole = await pageIn(500, page);
  for (const columns of [60, 80, 100]) {
    const text = await pageIn(columns, page);
    const lines = text.replaceAll(/\u001b\[\d+m/g, "").split("\n");
    expect(lines.filter((line) => line.length > columns && line.trim().includes(" "))).toEqual([]);
    expect(saidBy(text)).toBe(saidBy(whole));
  }
  expect(await pageIn(0, page)).toBe(await pageIn(80, page));
  for (const columns of [1, 29]) expect(saidBy(await pageIn(columns, page))).toBe(saidBy(whole));
  expect((await helpOf(`help ${page}`)).split("\n")).toEqual(
    (await pageIn(80, page)).replaceAll(/\u001b\[\d+m/g, "").split("\n"),
  );
});

test.each(commands)("the help of %s is at most 60 lines, and names each of its flags", async (command) => {
  const page = await helpOf(`help ${command}`);
  expect(page.split("\n").length - 1).toBeLessThanOrEqual(60);
  const shared = await helpOf("help flags");
  for (const [flag] of (await helpOf(`help ${command} flags`)).matchAll(/--[a-z-]+(?= |$)/gm))
    expect(page + shared).toContain(flag);
});

test("each command is in one group of the overview", async () => {
  const grouped = commandGroups.flatMap(({ common, more }) => [...common, ...more]);
  expect(grouped.toSorted()).toEqual(Object.keys(catalog).toSorted());
  expect(commandGroups.map(({ heading }) => heading)).toEqual([
    "Look",
    "Move money",
    "Month end",
    "Webhooks",
    "Set up",
  ]);
});

test.runIf(existsSync("/dev/full")).each(["--help", "help cron", "--version"])(
  "%s exits with 5 when its output can't be written, like every output",
  (line) => {
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [program, ...words(line)], {
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect(stderr.toString()).toContain(
      "The result could not be written to the standard output completely: the disk is full.\n",
    );
    expect(status).toBe(5);
  },
);

test.each(groups)("help for %s lists all commands of that name", async (group) => {
  const text = await helpOf(`help ${group}`);
  for (const command of commands.filter((id) => id.startsWith(`${group} `))) expect(text).toContain(`  ${command} `);
  expect(await helpOf(`${group} --help`)).toBe(text);
});

/** What each topic has to explain, by a word of it that only its explanation has. */
const explained: Readonly<Record<string, readonly string[]>> = {
  flags: ["--profile", "--no-input", "--retries"],
  "exit-codes": ["mismatch", "do NOT repeat it"],
  environment: ["PARTNER_STATE_DIR", "PARTNER_SECRET_KEY"],
  cron: ["--fail-below", "crontab"],
  unknown: ["journal resolve", "--evidence"],
  amounts: ["25.000 may mean 25000 or 25"],
  where: ["~", "and", "not"],
  faults: ["lose-answer"],
};

test.each(Object.keys(topics))("help %s explains it", async (topic) => {
  const text = await helpOf(`help ${topic}`);
  for (const word of explained[topic] ?? ["words of this topic, missing in this test"]) expect(text).toContain(word);
});

test("the exit codes are those of the contract", async () => {
  const text = await helpOf("help exit-codes");
  const codes = [...text.matchAll(/^ +(\d+) {2}(\w+)/gm)].map(([, exit, ending]) => `${exit} ${ending}`);
  expect(codes).toEqual([
    "0 ok",
    "1 bug",
    "2 usage",
    "3 setup",
    "4 refused",
    "5 unavailable",
    "6 unknown",
    "7 pending",
    "8 incomplete",
    "9 mismatch",
    "130 interrupted",
    "143 interrupted",
  ]);
});

test("help explains every variable of the contract", async () => {
  const text = await helpOf("help environment");
  for (const name of [
    ..."PROFILE OUTPUT NO_INPUT BASE_URL ACCOUNT_BASE_URL ENVIRONMENT ACCOUNT_ID SECRET_KEY".split(" "),
    ..."ACCESS_TOKEN WEBHOOK_KEY CONFIG_DIR STATE_DIR".split(" "),
  ])
    expect(text).toContain(`PARTNER_${name} `);
  for (const name of ["HTTPS_PROXY", "NO_PROXY", "NODE_EXTRA_CA_CERTS", "NO_COLOR", "FORCE_COLOR", "TERM"])
    expect(text).toContain(name);
});

test("help works with broken settings, and asks nothing", async () => {
  const environment = { HOME: "", PARTNER_CONFIG_DIR: "", PARTNER_BASE_URL: "broken", PARTNER_OUTPUT: "broken" };
  const result = await run(["wallets", "list", "--help"], { environment, terminal: { stdin: true, stderr: true } });
  expect(result).toMatchObject({ exit: 0, stderr: "" });
});

test("help has no colours with NO_COLOR and on a dumb terminal", async () => {
  for (const environment of [{ NO_COLOR: "1" }, { TERM: "dumb" }]) {
    const { stdout } = await run(["help", "wallet", "statement"], {
      environment,
      terminal: { stdout: true, stderr: true },
    });
    expect(stdout).not.toContain("\u001b");
  }
});

test("flags of every command may come before the command and between its words", async () => {
  for (const line of [
    "--output csv wallets list",
    "-o csv wallets list",
    "wallets -q --csv list",
    "--output=csv wallets list",
  ])
    expect(await ask(line, ok("[]"))).toMatchObject({ exit: 0, stdout: expect.stringMatching(/^accountNo,/) });
  const balance = await ask("-q --timeout 5s wallet --json balance 42", ok('{"availableBalance":1.0}'));
  expect(balance).toMatchObject({ exit: 0, stdout: '{\n  "availableBalance": 1.0\n}\n' });
  expect(balance.requests[0]).toContain('{"accountNo":"42"}');
});

test("wallet list means wallets list, also in help", async () => {
  expect((await ask("wallet list --csv", ok("[]"))).stdout).toBe((await ask("wallets list --csv", ok("[]"))).stdout);
  for (const line of ["wallet list --help", "help wallet list"])
    expect(await helpOf(line)).toBe(await helpOf("help wallets list"));
});

test("words after -- are never flags", async () => {
  expect(await ask("wallets list --", ok("[]"))).toMatchObject({ exit: 0 });
  const dashed = await ask("wallet balance --json -- --help", ok("{}"));
  expect(dashed).toMatchObject({ exit: 0, stdout: "{}\n" });
  expect(dashed.requests[0]).toContain('{"accountNo":"--help"}');
});

test("an id that starts with a dash is accepted after --", async () => {
  for (const id of ["-5", "-X50jcLD_U"]) {
    const { exit, requests } = await ask(["wallet", "balance", "--json", "--", id], ok("{}"));
    expect(exit).toBe(0);
    expect(requests[0]).toContain(`{"accountNo":"${id}"}`);
  }
});

const root = join(import.meta.dirname, "..", "..");

test("--version prints the program, its version, the system and Node, from the sources as from bin", async () => {
  const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const said = `partner/${version} ${process.platform}-${process.arch} node-${process.version}\n`;
  expect(await helpOf("--version")).toBe(said);
  for (const line of ["--version --json", "-v", "version", "version --json", "-qv"])
    expect(await helpOf(line)).toBe(said);
  for (const script of ["dev.js", "partner.js"])
    expect(execFileSync(process.execPath, [join(root, "bin", script), "--version"], { encoding: "utf8" })).toBe(said);
});

test("a person's word is shown for an order that was paid, not only for one that was not and can be sent again", async () => {
  expect(await helpOf("help unknown")).toContain(
    '    partner journal resolve KEY --as accepted --evidence "bank letter 12"\n    partner journal resolve KEY --as refused --evidence "support ticket 4711"\n',
  );
});

test("list items are indented below their words, not below the dash", async () => {
  expect(await helpOf("help unknown")).toContain(
    "\n  - Wallet, side and amount are the order's, and its value date lies from the\n    day before to 7 days after.\n",
  );
});
