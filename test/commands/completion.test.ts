import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listProfiles } from "../../src/completion/profile-names.ts";
import { shells } from "../../src/completion/shells.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { shop } from "../profiles/fixture.ts";
import { isInstalled } from "../completion/completing-shell.ts";

test.each(["tcsh", "Bash", ""])("the shell %j is none of the four, exit 2", async (shell) => {
  const { exit, stdout, stderr } = await run(["completion", shell]);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain("bash, zsh, fish, powershell");
});

test("the shell has to be named, exit 2", async () => {
  expect(await run(["completion"])).toMatchObject({ exit: 2, stdout: "" });
});

test.each(shells)("the script for %s is the same in every format and every world", async (shell) => {
  const plain = await run(["completion", shell]);
  expect(plain).toMatchObject({ exit: 0, stderr: "" });
  for (const flags of [["--json"], ["--csv", "--quiet"], ["--output", "ndjson"]])
    expect((await run(["completion", shell, ...flags])).stdout).toBe(plain.stdout);
  const elsewhere = { environment: { PARTNER_BASE_URL: "broken", HOME: "" }, terminal: { stdout: true } };
  expect((await run(["completion", shell], elsewhere)).stdout).toBe(plain.stdout);
});

test.each(shells)("the script for %s knows every command and every flag", async (shell) => {
  const { stdout } = await run(["completion", shell]);
  const help = await run(["--help"]);
  const [, listed = ""] = /COMMANDS\n(.*?)\n\n/s.exec(help.stdout) ?? [];
  const commands = listed.split("\n").map((line) => line.trim().split(/ {2,}/)[0] ?? "");
  expect(commands).toContain("wallet statement");
  expect(commands.filter((command) => !stdout.includes(command))).toEqual([]);
  const ofStatement = (await run(["wallet", "statement", "--help"])).stdout.match(/(?<= )--[a-z-]+/g) ?? [];
  const known = (flag: string) => stdout.includes(flag) || stdout.includes(`-l ${flag.slice(2)} `);
  expect(ofStatement.filter((flag) => !known(flag))).toEqual([]);
});

test("what the scripts run prints the names of the profiles and nothing else", async () => {
  const folder = temporaryFolder();
  const { shop: profile } = shop.config.profiles;
  const config = { version: 1, profiles: { shop: profile, "till-2": profile } };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const [program, ...argv] = listProfiles.split(" ");
  const listed = await run(argv, { environment: { PARTNER_CONFIG_DIR: folder } });
  expect(program).toBe("partner");
  expect(listed).toMatchObject({ exit: 0, stdout: "shop\ntill-2\n", stderr: "" });
});

test("the script for PowerShell is plain ASCII, for it reads a file in the machine's own encoding", async () => {
  const { stdout } = await run(["completion", "powershell"]);
  expect(stdout).toMatch(/^[\n -~]*$/);
  expect(stdout).toContain("[char]0x2026");
});

test.skipIf(!isInstalled("pwsh"))("PowerShell: offers what fits at the cursor (needs pwsh)", async () => {
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
