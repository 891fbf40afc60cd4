import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";

// Machines that are not set up for people: containers, build machines, small shares of large ones.

/** The program as shipped: Node reads sources in other ways, which take memory of their own. */
const program = join(import.meta.dirname, "../../bin/partner.js");
const stranger = 54_321;
const canBecomeOthers = process.getuid?.() === 0;
const why = canBecomeOthers ? "" : " (needs root)";

/** As a user that the machine does not know, without HOME and other variables. */
function asStranger(words: readonly string[], environment: Record<string, string>, input = "") {
  const others = { env: environment, uid: stranger, gid: stranger, encoding: "utf8", cwd: "/", input } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], others);
  return { exit: status, stdout, stderr };
}

/** Not below a folder that only the test's own user may enter. */
function folderOfStranger(): string {
  const folder = mkdtempSync(join(tmpdir(), "partner-stranger-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chownSync(folder, stranger, stranger);
  chmodSync(folder, 0o700);
  return folder;
}

test.runIf(canBecomeOthers)(`a user that the machine does not know gets a message about what is missing${why}`, () => {
  expect(asStranger(["wallets", "list"], {})).toEqual({
    exit: 3,
    stdout: "",
    stderr:
      "Error: There is no home folder to keep profiles and the journal in: HOME is not set, and the machine does not know user 54321.\n" +
      "Hint: Set HOME, or name two folders with PARTNER_CONFIG_DIR and PARTNER_STATE_DIR.\n",
  });
});

test.runIf(canBecomeOthers)(`with the two folders such a user keeps profiles and moves money${why}`, () => {
  const folder = folderOfStranger();
  const folders = { PARTNER_CONFIG_DIR: join(folder, "config"), PARTNER_STATE_DIR: join(folder, "state") };
  const add = "profile add shop --environment sandbox --base-url https://shop.example --account-id a --secrets-from -";
  expect(asStranger(add.split(" "), folders, '{"secretKey":"key-of-the-shop"}')).toMatchObject({ exit: 0 });
  const order = "transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference R-1 --yes";
  const inside = ["simulator", "run", "--", process.execPath, program, ...order.split(" "), "--json"];
  const { exit, stdout } = asStranger(inside, folders);
  expect([exit, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ state: "accepted", reference: "R-1" })]);
  expect(asStranger(["journal", "list"], folders)).toMatchObject({ exit: 0 });
});

test.runIf(process.platform !== "win32")("SIGUSR1 opens no debugger", async () => {
  const child = spawn(process.execPath, [program, "simulator", "start"], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
  const [ready] = await once(child.stdout, "data");
  child.kill("SIGUSR1");
  const [, origin = ""] = /account-base-url (\S+)/.exec(String(ready)) ?? [];
  // It is alive, and had the signal before this.
  expect((await fetch(`${origin}/none`)).status).toBe(404);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(said).toBe("GET /none 404 Not Found\n");
});

test.runIf(process.platform === "linux")(
  "commands take at most four memory arenas more address space than Node itself",
  () => {
    const folder = temporaryFolder();
    const look = join(folder, "look.cjs");
    writeFileSync(
      look,
      `process.on("exit", () => {
      const [, peak] = /^VmPeak:\\s+(\\d+) kB$/m.exec(require("node:fs").readFileSync("/proc/self/status", "utf8"));
      require("node:fs").writeFileSync(${JSON.stringify(folder)} + "/peak-" + process.pid, peak);
    });`,
    );
    const peakOf = (...words: string[]) => {
      spawnSync(process.execPath, ["--require", look, ...words], { env: { HOME: folder, PATH: process.env["PATH"] } });
      const peaks = globSync("peak-*", { cwd: folder }).map((name) => Number(readFileSync(join(folder, name), "utf8")));
      for (const name of globSync("peak-*", { cwd: folder })) rmSync(join(folder, name));
      expect(peaks).toHaveLength(1);
      return peaks[0] ?? Infinity;
    };
    // Node uses threads to read a file: each has a stack and an arena of its own.
    const own = peakOf("--eval", 'require("node:https"); require("node:fs").promises.readFile("/proc/self/status")');
    const arenasKiB = 4 * 128 * 1024;
    const order = "transfer --from 1 --to 2 --amount 5 --description rent --yes --check-statement never";
    const sends = [order, "webhook send http://127.0.0.1:9/ --max-retries 0"];
    const reads = ["wallets list", "journal list", "journal verify", "ledger status", "batch list", "doctor"];
    for (const line of ["--version", "completion bash", ...sends, ...reads])
      expect(peakOf(program, ...line.split(" "))).toBeLessThan(own + arenasKiB);
  },
);
