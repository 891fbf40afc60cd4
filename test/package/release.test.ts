import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const has = (program: string) => spawnSync(program, ["-?"], { stdio: "ignore" }).error === undefined;

/** The commands of the release that sign, and those by which other people check. */
function signingCommands(): string {
  const lines = read(".github/workflows/release.yml").split("\n");
  return lines.flatMap((line) => /^ +(ssh-keygen -Y .*|printf .*|umask .*)$/.exec(line)?.[1] ?? []).join("\n");
}

test.runIf(has("ssh-keygen"))(
  "the release's signature passes the check of the README, and nothing else does (needs ssh-keygen)",
  () => {
    const folder = temporaryFolder();
    const sh = (script: string, environment = {}) =>
      spawnSync("sh", ["-ec", script], { cwd: folder, env: { PATH: process.env["PATH"], ...environment } }).status;
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(folder, "made")]);
    const [type = "", half = ""] = readFileSync(join(folder, "made.pub"), "utf8").split(" ");
    mkdirSync(join(folder, "artifacts"));
    mkdirSync(join(folder, "docs"));
    writeFileSync(join(folder, "artifacts/SHA256SUMS"), `${"0".repeat(64)}  partner\n`);
    const signers = read("docs/release-signers").replace(/^(partner-releases .*)ssh-ed25519 .*$/m, `$1${type} ${half}`);
    writeFileSync(join(folder, "docs/release-signers"), signers);
    const key = readFileSync(join(folder, "made"), "utf8");
    expect(sh(signingCommands(), { RUNNER_TEMP: folder, KEY: key })).toBe(0);
    const [verify = ""] = /^ssh-keygen -Y verify .*$/m.exec(read("README.md")) ?? [];
    const check = verify.replaceAll("SHA256SUMS", "artifacts/SHA256SUMS");
    expect(sh(check)).toBe(0);
    writeFileSync(join(folder, "artifacts/SHA256SUMS"), `${"1".repeat(64)}  partner\n`);
    expect(sh(check)).not.toBe(0);
  },
);

test.for([
  ["the same bytes", "as published", 0],
  ["other bytes", "tampered with", 1],
] as const)("a rebuild that gives %s is reported by the recipe", ([, bytes, exit]) => {
  const folder = temporaryFolder();
  const put = (name: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  };
  const [, recipe = ""] = /To build the same bytes again.*?```text\n([^`]*)```/s.exec(read("SECURITY.md")) ?? [];
  const address = /^PARTNER_REPOSITORY=(\S+) npm run repository$/m.exec(recipe)?.[1] ?? "";
  const sums = `${createHash("sha256").update(`as published, at ${address}`).digest("hex")}  partner\n`;
  put("published/SHA256SUMS", sums);
  put("artifacts/SHA256SUMS", sums);
  expect(recipe).toContain("sha256sum");
  put("bin/git", "#!/bin/sh\n", 0o755);
  // As in packaging: artifacts/ is emptied, and the sums are those of this run.
  const npm = `case "$*" in
  "run repository") printf %s "$PARTNER_REPOSITORY" > address ;;
  "run package") rm -r artifacts; mkdir artifacts && cd artifacts &&
    printf '${bytes}, at %s' "$(cat ../address)" > partner && sha256sum partner > SHA256SUMS ;;
esac
`;
  put("bin/npm", `#!/bin/sh\n${npm}`, 0o755);
  const env = { PATH: `${join(folder, "bin")}:${process.env["PATH"]}` };
  expect(spawnSync("sh", ["-ec", recipe], { cwd: folder, env }).status).toBe(exit);
});

test("README, signers and the release name the same key", () => {
  const [line = ""] = /^partner-releases .*$/m.exec(read("docs/release-signers")) ?? [];
  expect(line).not.toBe("");
  expect(read("README.md")).toContain(line);
});

test("the threat model names existing tests in each cell about what a party can and cannot do", () => {
  const [, table = ""] = read("SECURITY.md").split("## Threats");
  const cells = [...table.matchAll(/^\|(?! *party| *-)[^|]*\|([^|]+)\|([^|]+)\|$/gm)].flatMap(([, ...both]) => both);
  expect(cells.length).toBeGreaterThan(20);
  expect(cells.filter((cell) => !/: `test\/.*\.test\.ts` *$/.test(cell))).toEqual([]);
  const paths = [...table.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path = ""]) => path);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  for (const party of [
    "service",
    "proxy",
    "local users",
    "webhooks",
    "files",
    "maker",
    "checker",
    "runner",
    "database owner",
  ])
    expect(table).toMatch(new RegExp(`^\\| (?:(?:the|an?) )?${party}`, "m"));
});
