import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ar, gzip, tar } from "../../scripts/package/archive.ts";
import { debianPackage } from "../../scripts/package/debian.ts";
import { stripBinary } from "../../scripts/package/strip.ts";
import { temporaryFolder } from "../memory-host.ts";

const moment = new Date("2026-10-31T12:00:00Z");
const files = [
  { path: "usr/share/b.txt", content: Buffer.from("b\n") },
  { path: "usr/bin/a", content: Buffer.from("#!/bin/sh\nexit 7\n"), executable: true },
  { path: "usr/share/empty", content: Buffer.alloc(0) },
  { path: "usr/share/block", content: Buffer.alloc(512, "x") },
];

function has(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined;
}

function output(command: string, ...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(command, args, {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], TZ: "UTC", LC_ALL: "C" },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
}

test.runIf(has("tar") && process.platform === "linux")(
  "tar unpacks what was packed, with modes, owner and age (needs tar)",
  () => {
    const folder = temporaryFolder();
    const file = join(folder, "a.tar");
    writeFileSync(file, tar(files, moment));
    const lines = output("tar", "--full-time", "-tvf", file).trim().split("\n");
    expect(lines.map((line) => line.replaceAll(/ +/g, " "))).toEqual([
      "drwxr-xr-x root/root 0 2026-10-31 12:00:00 ./",
      "drwxr-xr-x root/root 0 2026-10-31 12:00:00 ./usr/",
      "drwxr-xr-x root/root 0 2026-10-31 12:00:00 ./usr/bin/",
      "drwxr-xr-x root/root 0 2026-10-31 12:00:00 ./usr/share/",
      "-rwxr-xr-x root/root 17 2026-10-31 12:00:00 ./usr/bin/a",
      "-rw-r--r-- root/root 2 2026-10-31 12:00:00 ./usr/share/b.txt",
      "-rw-r--r-- root/root 512 2026-10-31 12:00:00 ./usr/share/block",
      "-rw-r--r-- root/root 0 2026-10-31 12:00:00 ./usr/share/empty",
    ]);
    output("tar", "-xf", file, "-C", folder);
    for (const { path, content } of files) expect(readFileSync(join(folder, path))).toEqual(content);
  },
);

test("the same files give the same bytes in any order", () => {
  expect(tar(files.toReversed(), moment)).toEqual(tar(files, moment));
});

test("a name that is too long for the archive is refused", () => {
  expect(() => tar([{ path: "x".repeat(101), content: Buffer.alloc(0) }], moment)).toThrow("too long for the archive");
});

test("compressed bytes contain no time and no system", () => {
  const compressed = gzip(Buffer.from("text"));
  expect([...compressed.subarray(0, 10)]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
  expect(gunzipSync(compressed).toString()).toBe("text");
});

test("a member of odd length is padded, as ar requires", () => {
  const bytes = ar(
    [
      { path: "odd", content: Buffer.from("abc") },
      { path: "even", content: Buffer.from("ab") },
    ],
    moment,
  );
  expect(bytes.toString()).toBe(
    "!<arch>\n" +
      "odd             1793448000  0     0     100644  3         `\nabc\n" +
      "even            1793448000  0     0     100644  2         `\nab",
  );
});

const contents = {
  version: "1.2.3~rc.1",
  architecture: "arm64",
  description: "Run an account from the command line: wallets, money.",
  moment,
  executable: Buffer.from("#!/bin/sh\necho hello\n"),
  share: [{ path: "share/man/man1/partner.1.gz", content: gzip(Buffer.from(".TH P 1\n")) }],
  copyright: "MIT\n",
  changelog: "# Changelog\n",
  sbom: "{}\n",
};

test.runIf(has("dpkg-deb"))("dpkg-deb reads the package, which was made without it (needs dpkg-deb)", () => {
  const folder = temporaryFolder();
  const file = join(folder, "a.deb");
  writeFileSync(file, debianPackage(contents));
  expect(output("dpkg-deb", "--field", file)).toBe(`Package: partner
Version: 1.2.3~rc.1
Architecture: arm64
Maintainer: The authors of partner <partner@example.org>
Installed-Size: 7
Depends: libatomic1 (>= 4.8), libc6 (>= 2.28), libgcc-s1 (>= 3.4), libstdc++6 (>= 5)
Section: utils
Priority: optional
Description: run an account from the command line
 Wallets, money.
 One executable: no other runtime has to be installed.
`);
  output("dpkg-deb", "--extract", file, join(folder, "root"));
  output("dpkg-deb", "--control", file, join(folder, "control"));
  expect(readFileSync(join(folder, "root/usr/bin/partner"))).toEqual(contents.executable);
  expect(statSync(join(folder, "root/usr/bin/partner")).mode & 0o777).toBe(0o755);
  const sums = readFileSync(join(folder, "control/md5sums"), "utf8");
  writeFileSync(join(folder, "root/sums"), sums);
  expect(output("sh", "-c", `cd '${join(folder, "root")}' && md5sum --check --quiet sums`)).toBe("");
  expect(sums.trim().split("\n")).toHaveLength(7);
});

test("the same contents give the same package", () => {
  expect(debianPackage(contents)).toEqual(debianPackage({ ...contents, share: [...contents.share] }));
});

test.runIf(process.platform === "linux" && has("readelf"))(
  "a stripped binary still runs, without symbols and debug information (needs readelf)",
  () => {
    const whole = readFileSync(process.execPath);
    const stripped = stripBinary(whole);
    const file = join(temporaryFolder(), "node");
    writeFileSync(file, stripped, { mode: 0o755 });
    expect(stripped.length).toBeLessThanOrEqual(whole.length);
    expect(output(file, "--print", "process.version")).toBe(`${process.version}\n`);
    const sections = output("readelf", "--sections", "--wide", file);
    expect(sections).toContain(".dynsym");
    expect(sections).not.toMatch(/\.symtab|\.debug_info/);
    expect(stripBinary(stripped).equals(stripped)).toBe(true);
  },
);

test("a file that isn't a Linux binary is left alone", () => {
  const bytes = Buffer.from("MZ… a program for another system");
  expect(stripBinary(bytes)).toBe(bytes);
});
