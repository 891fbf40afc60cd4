import { spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect } from "vitest";
import type { Files } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import type { Desk } from "./journal-desk.ts";
import { movedUnder, openDesk } from "./journal-desk.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/shared-journal.md"), "utf8");
const script = /```python\n([^`]*hashlib[^`]*)```/.exec(page)?.[1] ?? "";
const needsPython = spawnSync("python3", ["--version"]).status === 0 ? "" : " (skipped: needs python3)";
const yearLater = now + 366 * 86_400_000;
type PartnerIn = Parameters<typeof openDesk>[0];

/** Two finished orders, and one with an unknown outcome. */
async function used(
  partnerIn: PartnerIn,
  lose: () => void,
): Promise<{ desk: Desk; later: Desk; file: string; head: string }> {
  const desk = openDesk(partnerIn);
  await desk.send("R-1");
  lose();
  await desk.send("LOST-1");
  await desk.send("R-2");
  const later = desk.at({ world: { now: yearLater } });
  return { desk, later, file: join(desk.config, "2026.ndjson"), head: await headOf(desk) };
}

async function headOf(desk: Desk): Promise<string> {
  return String(JSON.parse((await desk.partner`journal verify --json`).stdout).head);
}

async function listed(desk: Desk): Promise<string[]> {
  const rows: { reference: string }[] = JSON.parse((await desk.partner`journal list --json`).stdout);
  return rows.map(({ reference }) => reference);
}

describe("an archive", () => {
  test("takes finished orders and leaves an unknown one", async ({ partnerIn, faults }) => {
    const { later, file } = await used(partnerIn, () => faults.loseNextAnswer());
    const archived = await later.partner`journal archive --before 2027-01-01 --save ${file} --json`;
    expect(archived).toMatchObject({ exit: 0 });
    expect(JSON.parse(archived.stdout)).toMatchObject({ file, orders: 2, lines: 9 });
    expect(await listed(later)).toEqual(["R-1", "LOST-1", "R-2"]);
    const text = readFileSync(file, "utf8");
    expect(text).toContain('"R-1"');
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).step)
        .slice(-3),
    ).toEqual(["archive", "archive", "seal"]);
    expect((await later.partner`journal show R-1`).stdout).toContain("Archived in 2026.ndjson");
    expect((await later.partner`find R-1 --offline`).stdout).toContain("Archived in 2026.ndjson");
  });

  test("keeps when an order was placed", async ({ partnerIn }) => {
    const { later, file } = await used(partnerIn, () => undefined);
    const ordered = async () =>
      JSON.parse((await later.partner`find R-1 --offline --json`).stdout)[0].events.find(
        ({ what }: { what: string }) => what === "ordered",
      );
    const before = await ordered();
    expect(await later.partner`journal archive --before 2027-01-01 --save ${file}`).toMatchObject({ exit: 0 });
    expect(await ordered()).toEqual(before);
  });

  test.for([
    ["config", "credentials.json", "keeps for itself"],
    ["state", "inbox.db.json", "keeps for itself"],
    ["config", "orders.csv", "a CSV file cannot hold"],
  ] as const)("is never written into %s/%s", async ([folder, name, says], { partnerIn }) => {
    const { later, desk } = await used(partnerIn, () => undefined);
    const file = join(desk[folder], name);
    const archived = await later.partner`journal archive --before 2027-01-01 --save ${file} --json`;
    expect([archived.exit, archived.stdout, existsSync(file)]).toEqual([2, "", false]);
    expect(archived.stderr).toContain(says);
  });

  test("verifies on its own, and the journal still verifies with every head noted before", async ({
    partnerIn,
    faults,
  }) => {
    const { desk, later, file, head } = await used(partnerIn, () => faults.loseNextAnswer());
    const heads = (await desk.partner`journal export --events --csv --columns hash`).stdout.trim().split("\n").slice(1);
    const archived = JSON.parse(
      (await later.partner`journal archive --before 2027-01-01 --save ${file} --json`).stdout,
    );
    expect(await later.partner`journal verify ${file} --head ${archived.head}`).toMatchObject({ exit: 0 });
    expect(await later.partner`journal verify`).toMatchObject({ exit: 0 });
    expect(heads.at(-1)).toBe(head);
    for (const noted of heads) expect(await later.partner`journal verify --head ${noted}`).toMatchObject({ exit: 0 });
    expect(await later.partner`journal verify --head ${"a".repeat(64)}`).toMatchObject({ exit: 9 });
    for (const [one, other] of [
      ['"rent', '"rant'],
      ['"R-1"', '"R-7"'],
      ['\\"answer\\":', '\\"answers\\":'],
    ] as const) {
      const forged = join(desk.config, "forged.ndjson");
      const text = readFileSync(file, "utf8");
      expect(text).toContain(one);
      writeFileSync(forged, text.replace(one, other));
      expect(await later.partner`journal verify ${forged}`).toMatchObject({ exit: 9, stdout: "" });
    }
    if (needsPython !== "") return;
    const checked = spawnSync("python3", ["-c", script, file], { encoding: "utf8" });
    expect(checked).toMatchObject({ status: 0, stdout: `${archived.head}\n` });
  });

  test("cut off before its seal is refused", async ({ partnerIn, faults }) => {
    const { desk, later, file, head } = await used(partnerIn, () => faults.loseNextAnswer());
    await later.partner`journal archive --before 2027-01-01 --save ${file}`;
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    const cut = join(desk.config, "cut.ndjson");
    for (const count of [lines.length - 1, lines.length - 2]) {
      writeFileSync(cut, lines.slice(0, count).join("\n"));
      const verified = await later.partner`journal verify ${cut}`;
      expect(verified).toMatchObject({ exit: 9, stdout: "" });
      expect(verified.stderr).toContain("an archive without its seal");
      expect(await later.partner`journal verify ${cut} --since ${head}`).toMatchObject({ exit: 9, stdout: "" });
    }
    expect(await later.partner`journal verify ${file}`).toMatchObject({ exit: 0 });
  });

  test("of two runs at a time is made by one; the other run leaves no file", async ({ partnerIn, faults }) => {
    const { desk, later, file } = await used(partnerIn, () => faults.loseNextAnswer());
    const lost = join(desk.config, "lost.ndjson");
    const files = nodeFiles();
    let isFirst = true;
    const draft: Files["draft"] = async (path, mode) => {
      if (path === lost && isFirst) {
        isFirst = false;
        expect((await later.partner`journal archive --before 2027-01-01 --save ${file}`).exit).toBe(0);
      }
      return files.draft(path, mode);
    };
    const slow = desk.at({ world: { now: yearLater, host: { files: { ...files, draft } } } });
    const archived = await slow.partner`journal archive --before 2027-01-01 --save ${lost} --json`;
    expect(archived).toMatchObject({ exit: 5, stdout: "" });
    expect(archived.stderr).toContain("Another run archived some of these orders");
    expect(existsSync(lost)).toBe(false);
    expect((await slow.partner`journal archive --before 2027-01-01 --save ${lost}`).stderr).toContain("No order");
    expect(await later.partner`journal verify`).toMatchObject({ exit: 0 });
    expect((await later.partner`journal show R-1`).stdout).toContain("Archived in 2026.ndjson");
  });

  test("of two runs into one file is written by one, and neither advises removing it", async ({
    partnerIn,
    faults,
  }) => {
    const { desk, later, file } = await used(partnerIn, () => faults.loseNextAnswer());
    const archive = (of: Desk) => of.partner`journal archive --before 2027-01-01 --save ${file} --json`;
    const files = nodeFiles();
    let second: ReturnType<typeof archive> | undefined;
    const draft: Files["draft"] = (path, mode) => {
      if (path === file) second ??= archive(later);
      return files.draft(path, mode);
    };
    const first = await archive(desk.at({ world: { now: yearLater, host: { files: { ...files, draft } } } }));
    const ended = [first, await second];
    expect(ended.map((one) => [one?.exit, JSON.parse(one?.stdout ?? "").orders])).toEqual([
      [0, 2],
      [0, 0],
    ]);
    for (const one of ended) expect(one?.stderr).not.toContain("Remove");
    expect(await later.partner`journal verify ${file}`).toMatchObject({ exit: 0 });
    expect(readdirSync(desk.config).filter((name) => name.includes("ndjson"))).toEqual(["2026.ndjson"]);
  });

  test("leaves other files beside it unchanged", async ({ partnerIn, faults }) => {
    const { later, file } = await used(partnerIn, () => faults.loseNextAnswer());
    const another = `${file}.lock`;
    writeFileSync(another, "of another program");
    utimesSync(another, 1, 1);
    expect((await later.partner`journal archive --before 2027-01-01 --save ${file}`).exit).toBe(0);
    expect(readFileSync(another, "utf8")).toBe("of another program");
  });

  test("and the journal verify from a noted head, and not from a hash outside the chain", async ({
    partnerIn,
    faults,
  }) => {
    const { later, file, head } = await used(partnerIn, () => faults.loseNextAnswer());
    await later.send("R-3");
    const since = async (line: string) => later.partner`journal verify ${line} --json`;
    expect(JSON.parse((await since(`--since ${head}`)).stdout)).toMatchObject({ lines: 3 });
    expect(await since(`--since ${"a".repeat(64)}`)).toMatchObject({ exit: 9, stdout: "" });
    await later.partner`journal archive --before 2027-01-01 --save ${file}`;
    expect((await since(`--since ${head}`)).exit).toBe(0);
    expect((await since(`${file} --since ${head}`)).exit).toBe(0);
    expect(await since(`${file} --since ${"a".repeat(64)}`)).toMatchObject({ exit: 9, stdout: "" });
    const rest = join(temporaryFolder(), "rest.ndjson");
    await later.partner`journal export --events --save ${rest}`;
    const begins = JSON.parse(readFileSync(rest, "utf8").split("\n")[0] ?? "").previous;
    expect((await since(`${rest} --since ${begins}`)).exit).toBe(0);
    expect(await since(rest)).toMatchObject({ exit: 9, stdout: "" });
  });

  test("keeps its references from being paid again", async ({ partnerIn, faults, simulator }) => {
    const { desk, later, file } = await used(partnerIn, () => faults.loseNextAnswer());
    await later.partner`journal archive --before 2027-01-01 --save ${file}`;
    for (const who of [desk, later]) {
      expect(await who.send("R-1", "R-2")).toEqual([0, 0]);
      expect(await who.send("LOST-1")).toEqual([6]);
    }
    const other =
      await later.partner`transfer --from 9000112233 --to 9000112244 --amount 1 --description x --reference R-1 --yes`;
    expect(other).toMatchObject({ exit: 2, stdout: "" });
    expect(movedUnder(simulator, "R-1", "LOST-1", "R-2")).toEqual([1, 1, 1]);
    expect(await later.partner`journal verify`).toMatchObject({ exit: 0 });
  });

  test("is followed by the next archive, which begins where it ended", async ({ partnerIn, faults }) => {
    const { desk, later, file, head } = await used(partnerIn, () => faults.loseNextAnswer());
    await later.partner`journal archive --before 2027-01-01 --save ${file}`;
    await later.partner`journal resolve LOST-1 --as accepted --evidence seen`;
    await later.send("R-3");
    const end = await headOf(later);
    const next = join(desk.config, "2027.ndjson");
    const after = desk.at({ world: { now: yearLater + 366 * 86_400_000 } });
    const archived = await after.partner`journal archive --before 2028-01-01 --save ${next} --json`;
    expect(JSON.parse(archived.stdout)).toMatchObject({ orders: 2 });
    expect(await after.partner`journal verify ${next}`).toMatchObject({ exit: 0 });
    expect(readFileSync(next, "utf8")).toContain("earlierLines");
    for (const noted of [head, end])
      expect(await after.partner`journal verify --head ${noted}`).toMatchObject({ exit: 0 });
    const cut = join(desk.config, "cut.ndjson");
    writeFileSync(cut, readFileSync(next, "utf8").replace(/^.*\n/, ""));
    expect(await after.partner`journal verify ${cut}`).toMatchObject({ exit: 9, stdout: "" });
  });

  test("never overwrites another file, and is completed by the next run after a kill", async ({
    partnerIn,
    faults,
  }) => {
    const { later } = await used(partnerIn, () => faults.loseNextAnswer());
    const file = join(temporaryFolder(), "2026.ndjson");
    const archive = (more: string) => later.partner`journal archive --before 2027-01-01 --save ${file} --json ${more}`;
    const [putBack, marks] = [later.backUp(), join(temporaryFolder(), "config")];
    cpSync(later.config, marks, { recursive: true });
    await archive("");
    const bytes = readFileSync(file);
    // As after a kill between writing the file and changing the journal.
    putBack();
    rmSync(later.config, { recursive: true });
    cpSync(marks, later.config, { recursive: true });
    expect(JSON.parse((await archive("--dry-run")).stdout)).toMatchObject({ orders: 2, head: null });
    writeFileSync(file, "something of somebody's\n");
    expect(await archive("")).toMatchObject({ exit: 2, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe("something of somebody's\n");
    writeFileSync(file, bytes);
    expect(JSON.parse((await archive("")).stdout)).toMatchObject({ orders: 2 });
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(JSON.parse((await archive("")).stdout)).toMatchObject({ file: null, orders: 0 });
    expect(await later.partner`journal verify`).toMatchObject({ exit: 0 });
  });

  test.for(["before", "after"])(
    "still verifies when personal data was redacted %s it was made",
    async (when, { partnerIn, faults }) => {
      const { desk, later, file, head } = await used(partnerIn, () => faults.loseNextAnswer());
      const archive = () => later.partner`journal archive --before 2027-01-01 --save ${file}`;
      const redact = () => later.partner`journal redact --older-than 1d --yes --json`;
      const runs = when === "before" ? [redact, archive] : [archive, redact];
      for (const run of runs) expect((await run()).exit).toBe(0);
      expect(readFileSync(file, "utf8").includes("9000112244")).toBe(true);
      expect(JSON.parse((await redact()).stdout)).toMatchObject({ orders: 0 });
      expect(await later.partner`journal verify --head ${head}`).toMatchObject({ exit: 0 });
      expect(await later.partner`journal verify ${file}`).toMatchObject({ exit: 0 });
      expect((await later.partner`journal export --csv`).stdout).not.toContain("rent [R-1]");
      expect(await desk.send("R-1")).toEqual([0]);
    },
  );

  test("whose hash was lost, or an order emptied without one, makes verification fail", async ({
    partnerIn,
    faults,
  }) => {
    for (const sql of [
      "UPDATE events SET archived = printf('%064d', 0) WHERE number = 1",
      "UPDATE events SET at = at + 1 WHERE number = 2",
      "DELETE FROM events WHERE step = 'archive' AND movement = 3",
    ]) {
      const { later, file } = await used(partnerIn, () => faults.loseNextAnswer());
      await later.partner`journal archive --before 2027-01-01 --save ${file}`;
      const database = new DatabaseSync(later.journal);
      database.exec(`DROP TRIGGER events_stay; DROP TRIGGER events_are_kept; ${sql}`);
      database.close();
      expect(await later.partner`journal verify`).toMatchObject({ exit: 9, stdout: "" });
    }
  });
});
