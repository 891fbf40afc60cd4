import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkTranscript } from "../../scripts/transcript/play.ts";
import { temporaryFolder } from "../memory-host.ts";

// The output of `npm run package -- linux-x64` runs as a user gets it; .ci/run makes it first. An executable of
// another build would be tested in vain.

const root = join(import.meta.dirname, "../..");
const artifacts = join(root, "artifacts");
const { version }: { version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const executable = join(artifacts, `partner-${version}-linux-x64`);
const debian = join(artifacts, `partner_${version}_amd64.deb`);
const isOurMachine = process.platform === "linux" && process.arch === "x64";
const isFresh = isOurMachine && carriesThisBuild(executable);
const why = isFresh ? "" : " (skipped: needs npm run package -- linux-x64, on that machine)";
const sessions = globSync("*.txt", { cwd: join(root, "test/transcripts") }).toSorted();

/** The files of the build are at the executable's end. */
function carriesThisBuild(program: string): boolean {
  if (!existsSync(program)) return false;
  const bytes = readFileSync(program);
  const files = ["oclif.manifest.json", ...globSync(["dist/**/*.cjs", "docs/schemas/*.json"], { cwd: root })];
  const carried = bytes.subarray(-8 * 1_048_576);
  return files.every((file) => carried.includes(readFileSync(join(root, file))));
}

/** The executable alone: no Node to be found, no home, no terminal. */
function start(words: readonly string[], environment: Record<string, string> = {}, program = executable) {
  const { stdout, stderr, status } = spawnSync(program, words, {
    env: environment,
    encoding: "utf8",
    cwd: temporaryFolder(),
  });
  return { stdout, stderr, exit: status };
}

test.runIf(isFresh).each(sessions)(
  `the executable plays %s as written, with no Node to be found${why}`,
  async (name) => {
    const source = readFileSync(join(root, "test/transcripts", name), "utf8");
    expect(await checkTranscript(source, { node: undefined, program: executable })).toEqual([]);
  },
);

test.runIf(isFresh)(`it shows the version of the Node inside it${why}`, () => {
  expect(start(["--version"])).toEqual({ stdout: `partner/${version} linux-x64 node-v26.10.0\n`, stderr: "", exit: 0 });
});

test.runIf(isFresh)(`it prints the schemas inside it${why}`, () => {
  const stdout = readFileSync(join(root, "docs/schemas/wallets-list.json"), "utf8");
  expect(start(["schema", "wallets", "list"])).toEqual({ stdout, stderr: "", exit: 0 });
});

test.runIf(isFresh)(`it can talk to its own simulator, with an empty environment${why}`, () => {
  const { stdout, exit } = start(["simulator", "run", "--", "partner", "wallets", "list", "--output", "csv"]);
  expect(stdout.split("\n").slice(0, 2)).toEqual([
    "accountNo,accountName,type,balance,currency,countryCode",
    expect.stringMatching(/^9000112233,/),
  ]);
  expect(exit).toBe(0);
});

test.runIf(isFresh)(`exit codes are passed on, also those of a program that it runs${why}`, () => {
  expect(start(["wallets", "lst"]).exit).toBe(2);
  expect(start(["wallets", "list"], { HOME: "" }).exit).toBe(3);
  expect(
    start(["simulator", "run", "--", "partner", "wallet", "balance", "9000112233", "--fail-below", "500000000000"])
      .exit,
  ).toBe(9);
});

test.runIf(isFresh)(`Node's own variables and flags have no effect on it${why}`, () => {
  const { stdout, exit } = start(["help", "exit-codes"], { NODE_OPTIONS: "--require /nowhere.js" });
  expect([stdout.split("\n")[0], exit]).toEqual(["EXIT CODES", 0]);
  expect(start(["--eval", "console.log(1)"])).toMatchObject({ stdout: "", exit: 2 });
});

test.runIf(isFresh)(`it writes no files except those requested${why}`, () => {
  const home = temporaryFolder();
  expect(start(["--help"], { HOME: home }).exit).toBe(0);
  expect(readdirSync(home)).toEqual([]);
});

test.runIf(isFresh)(`the sums of all files are right${why}`, () => {
  const { stdout, status } = spawnSync("sha256sum", ["--check", "SHA256SUMS"], { cwd: artifacts, encoding: "utf8" });
  expect(status).toBe(0);
  const checked = stdout
    .trim()
    .split("\n")
    .map((line) => line.replace(/: OK$/, ""));
  expect(checked).toEqual(
    readdirSync(artifacts)
      .filter((name) => !name.startsWith(".") && name !== "SHA256SUMS")
      .toSorted(),
  );
});

test.runIf(isFresh)(`the npm package has manual, bill of materials, licences and shrinkwrap${why}`, () => {
  const { stdout } = spawnSync("tar", ["-tzf", `partner-${version}.tgz`], { cwd: artifacts, encoding: "utf8" });
  const names = stdout
    .trim()
    .split("\n")
    .map((name) => name.replace("package/", ""));
  expect(names).toEqual(
    expect.arrayContaining([
      "LICENSE",
      "bin/partner.js",
      "dist/NOTICES.txt",
      "dist/man/partner.1",
      "dist/sbom.cdx.json",
      "docs/shared-journal.md",
      "npm-shrinkwrap.json",
    ]),
  );
  expect(names.filter((name) => /^(src|test|scripts|artifacts|node_modules)\//.test(name))).toEqual([]);
});

const hasDpkg = spawnSync("dpkg", ["--version"], { stdio: "ignore" }).error === undefined && process.getuid?.() === 0;

test.runIf(isFresh && hasDpkg)(
  `the Debian package is installed, runs, and leaves nothing when it is removed${why} (needs dpkg and root)`,
  () => {
    const system = temporaryFolder();
    const dpkg = (...words: string[]) => spawnSync("dpkg", [`--root=${system}`, ...words], { encoding: "utf8" });
    mkdirSync(join(system, "var/lib/dpkg"), { recursive: true });
    spawnSync("touch", [join(system, "var/lib/dpkg/status"), join(system, "var/lib/dpkg/available")]);
    // Its libraries are those of this system, and the empty one has no record of them.
    expect(dpkg("--force-depends", "--install", debian).status).toBe(0);
    const program = join(system, "usr/bin/partner");
    expect(readFileSync(program).equals(readFileSync(executable))).toBe(true);
    expect(start(["--version"], {}, program).exit).toBe(0);
    const listed = dpkg("--listfiles", "partner").stdout.split("\n");
    expect(listed).toEqual(
      expect.arrayContaining([
        "/usr/share/man/man1/partner.1.gz",
        "/usr/share/man/man1/partner-wallet-statement.1.gz",
        "/usr/share/bash-completion/completions/partner",
        "/usr/share/zsh/vendor-completions/_partner",
        "/usr/share/fish/vendor_completions.d/partner.fish",
        "/usr/share/doc/partner/copyright",
        "/usr/share/doc/partner/sbom.cdx.json.gz",
      ]),
    );
    expect(start(["completion", "bash"]).stdout).toBe(
      readFileSync(join(system, "usr/share/bash-completion/completions/partner"), "utf8"),
    );
    expect(dpkg("--purge", "partner").status).toBe(0);
    expect(existsSync(join(system, "usr"))).toBe(false);
  },
);

/** Another machine's programs are run by QEMU, with that machine's libraries. */
const armExecutable = join(artifacts, `partner-${version}-linux-arm64`);
const armLibraries = "/usr/aarch64-linux-gnu";
const hasArm =
  existsSync(armLibraries) && spawnSync("qemu-aarch64", ["--version"], { stdio: "ignore" }).error === undefined;
const canEmulate = isOurMachine && hasArm && carriesThisBuild(armExecutable);

function emulated(...words: readonly string[]) {
  return spawnSync("qemu-aarch64", ["-L", armLibraries, armExecutable, ...words], { encoding: "utf8" });
}

test.runIf(canEmulate)(
  `the executable for ARM runs, too${canEmulate ? "" : " (skipped: needs npm run package, qemu-aarch64 and libstdc++6-arm64-cross)"}`,
  () => {
    expect(emulated("--version").stdout).toBe(`partner/${version} linux-arm64 node-v26.10.0\n`);
    expect(emulated("help", "exit-codes").stdout).toBe(start(["help", "exit-codes"]).stdout);
  },
);
