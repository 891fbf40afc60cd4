import {
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { accept } from "../movements/service.ts";
import { now, test } from "../simulated.ts";
import { debit, serveStatements } from "../statements-served.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

const older = "This journal is older than what was sent from here";

describe("a journal restored from a backup", () => {
  test.for([0, 1, 2, 3])(
    "that has only %i of the four orders sent sends nothing, and says so",
    async (kept, { partnerIn, simulator }) => {
      const desk = openDesk(partnerIn);
      await desk.partner`journal list`;
      const references = ["R-1", "R-2", "R-3", "R-4"];
      await desk.send("R-0", ...references.slice(0, kept));
      const putBack = desk.backUp();
      await desk.send(...references.slice(kept));
      putBack();
      const refused = await desk.partner`${transferOf("R-4")} --quiet`;
      expect(refused).toMatchObject({ exit: 3, stdout: "" });
      expect(refused.stderr).toContain(`${older}: it ends at event ${3 + 3 * kept}, 15 were written.`);
      expect(refused.stderr).toContain("\nThis run moved no money. An earlier one may have.\n");
      expect((await desk.partner`${transferOf("R-4")} --json`).stderr).toContain('"money":"unknown"');
      expect(refused.stderr).toContain("partner journal recover");
      expect(movedUnder(simulator, ...references)).toEqual([1, 1, 1, 1]);
    },
  );

  test("is reported by all commands, and can still be read", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const putBack = desk.backUp();
    await desk.send("R-2");
    putBack();
    const file = join(temporaryFolder(), "batch.csv");
    writeFileSync(file, "from,to,amount,description,reference\n9000112233,9000112244,9,rent,R-9\n");
    for (const line of [
      "journal verify",
      `batch run ${file} --kind transfer --yes`,
      `batch run ${file} --kind transfer --dry-run`,
      "journal resolve R-1 --as accepted --evidence seen",
    ]) {
      const { exit, stderr, stdout } = await desk.partner`${line}`;
      expect({ line, exit, stdout }).toEqual({ line, exit: 3, stdout: "" });
      expect(stderr).toContain(`${older}: it ends at event 3, 6 were written.`);
    }
    const doctor = await desk.partner`doctor --json`;
    expect(doctor.exit).toBe(3);
    expect(JSON.parse(doctor.stdout)).toContainEqual({
      check: "journal",
      result: "problem",
      detail: expect.stringContaining(older),
    });
    for (const line of ["journal list", "journal show R-1", "journal export", `batch check ${file} --kind transfer`]) {
      const { exit, stderr } = await desk.partner`${line}`;
      expect({ line, exit }).toEqual({ line, exit: 0 });
      expect(stderr).toContain(older);
    }
    expect((await desk.partner`journal list --quiet`).stderr).toBe("");
  });

  test("and then used with other profiles is not taken for the former journal", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const putBack = desk.backUp();
    await desk.send("R-2");
    putBack();
    // Other profiles have no mark, so they do not notice that an old journal was restored.
    expect(await desk.at({ config: temporaryFolder() }).send("R-3", "R-4")).toEqual([0, 0]);
    const refused = await desk.partner`${transferOf("R-2")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(
      `${older}, and went on from there: its event 6 differs from the one written before.`,
    );
    expect(movedUnder(simulator, "R-1", "R-2", "R-3", "R-4")).toEqual([1, 1, 1, 1]);
  });

  test.for([
    ["written over it", (from: string, to: string) => writeFileSync(to, readFileSync(from))],
    ["put in its place", (from: string, to: string) => renameSync(from, to)],
  ] as const)("and %s during a batch stops the batch", async ([, put], { partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const backup = join(temporaryFolder(), "journal.db");
    cpSync(desk.journal, backup);
    await desk.send("R-2");
    const file = join(temporaryFolder(), "batch.csv");
    const rows = ["B-1", "B-2"].map((reference, index) => `9000112233,9000112244,${index + 1},rent,${reference}\n`);
    writeFileSync(file, `from,to,amount,description,reference\n${rows.join("")}`);
    let isPut = false;
    simulator.world.onBooking(() => {
      if (!isPut) put(backup, desk.journal);
      isPut = true;
    });
    const { exit } = await desk.partner`batch run ${file} --kind transfer --yes`;
    expect(exit).not.toBe(0);
    expect(movedUnder(simulator, "B-1", "B-2")).toEqual([1, 0]);
    expect(await desk.send("B-1")).toEqual([3]);
  });
});

describe("a copy of a journal", () => {
  test("sends nothing while the original is in its place, even with --quiet", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const state = join(temporaryFolder(), "state");
    cpSync(desk.state, state, { recursive: true });
    const copy = desk.at({ state });
    for (const quiet of ["", "--quiet"]) {
      const refused = await copy.partner`${transferOf("R-2")} ${quiet}`;
      expect(refused).toMatchObject({ exit: 3, stdout: "" });
      expect(refused.stderr).toContain(`The journal ${copy.journal} is a copy: the original is in ${desk.journal}.`);
      expect(refused.stderr).toContain(`PARTNER_STATE_DIR=${desk.state}`);
      expect(refused.stderr).toContain("partner journal move");
    }
    expect(movedUnder(simulator, "R-2")).toEqual([0]);
    // A backup can be read and verified.
    expect((await copy.partner`journal verify`).stderr).toContain("is a copy");
    expect((await copy.partner`journal verify`).exit).toBe(0);
    expect((await copy.partner`doctor`).exit).toBe(3);
    expect(await desk.send("R-2")).toEqual([0]);
    // By now it also lacks an order that was sent.
    const verified = await copy.partner`journal verify`;
    expect(verified).toMatchObject({ exit: 3, stdout: "" });
    expect(verified.stderr).toContain(`is a copy: the original is in ${desk.journal}. ${older}: it ends at event 3,`);
  });

  test("takes the original's place by journal move, unless it is behind", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const state = join(temporaryFolder(), "state");
    cpSync(desk.state, state, { recursive: true });
    const copy = desk.at({ state });
    expect(await copy.partner`journal move --json`).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('"moved": true'),
    });
    expect(await copy.send("R-1", "R-2")).toEqual([0, 0]);
    expect((await desk.partner`${transferOf("R-2")}`).stderr).toContain(
      `is a copy: the original is in ${copy.journal}.`,
    );
    expect((await desk.partner`journal move`).stderr).toContain(`${older}: it ends at event 3, 6 were written.`);
    expect((await desk.partner`journal move`).exit).toBe(3);
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
  });

  test("that was moved goes on with one note", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const moved = desk.at({ state: join(temporaryFolder(), "state") });
    renameSync(desk.state, moved.state);
    const first = await moved.partner`${transferOf("R-1")}`;
    expect(first.exit).toBe(0);
    expect(first.stderr).toContain(`The journal was moved from ${desk.journal} to ${moved.journal}.`);
    expect((await moved.partner`${transferOf("R-2")}`).stderr).not.toContain("moved from");
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
    // In the old place there is no journal now, and none is begun.
    const late = await desk.partner`${transferOf("R-1")}`;
    expect(late.exit).toBe(3);
    expect(late.stderr).toContain(`they are in ${moved.journal}`);
  });
});

test.for([
  ["another spelling of its folder", (state: string) => `${state}/../state/`],
  ["a link to its folder", (state: string) => linked(state, (to) => symlinkSync(state, to))],
  [
    "a folder with a second name of the file",
    (state: string) =>
      linked(state, (to) => {
        mkdirSync(to, { mode: 0o700 });
        linkSync(join(state, "journal.db"), join(to, "journal.db"));
      }),
  ],
] as const)("a journal under %s is the same journal", async ([, other], { partnerIn, simulator }) => {
  const desk = openDesk(partnerIn);
  await desk.send("R-1");
  const again = desk.at({ state: other(desk.state) });
  const run = await again.partner`${transferOf("R-2")}`;
  expect(run).toMatchObject({ exit: 0 });
  expect(run.stderr).not.toMatch(/copy|moved/);
  expect(await desk.send("R-1", "R-2")).toEqual([0, 0]);
  expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
});

function linked(_state: string, link: (to: string) => void): string {
  const to = join(temporaryFolder(), "state");
  link(to);
  return to;
}

function daysAgo(days: number) {
  return { world: { now: now - days * 86_400_000 } };
}

function withdrawalOf(reference: string): string {
  return `withdraw --account 9000112233 --amount 5 --narration out --reference ${reference} --yes --again`;
}

describe("a clone of a machine", () => {
  test("sends nothing until a person says which of the two goes on", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const clone = desk.at({ machineId: "machine two" });
    const refused = await clone.partner`${transferOf("R-1")} --quiet`;
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain("is a clone: another machine used it last.");
    for (const way of ["partner journal move", "partner journal recover", "partner journal copy"])
      expect(refused.stderr).toContain(way);
    expect((await clone.partner`journal move`).exit).toBe(0);
    expect(await clone.send("R-1", "R-2")).toEqual([0, 0]);
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
  });

  test("is recognized by the machine id only: its name may change, and without an id nothing is noticed", async ({
    partnerIn,
  }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    expect(await desk.at({ world: { machine: { hostName: "renamed" } } }).send("R-2")).toEqual([0]);
    expect(await desk.at({ machineId: undefined }).send("R-3")).toEqual([0]);
    expect(await desk.at({ machineId: "machine two" }).send("R-4")).toEqual([3]);
    expect(await desk.send("R-4")).toEqual([0]);
  });

  test("with an old backup and new profiles reads the statement from the day of the backup's last order on", async ({
    partnerIn,
  }) => {
    const service = await serveStatements({ react: accept });
    const desk = openDesk(partnerIn, { environment: service.environment, ...daysAgo(10) });
    expect((await desk.partner`${withdrawalOf("R-1")}`).exit).toBe(0);
    const backup = join(temporaryFolder(), "state");
    cpSync(desk.state, backup, { recursive: true });
    expect((await desk.at(daysAgo(5)).partner`${withdrawalOf("R-2")}`).exit).toBe(0);
    service.write("9000112233", [debit("5", { tranRefNo: "R-2", valueDate: "2026-03-26 12:00:00" })]);
    const fresh = desk.at({ state: backup, config: temporaryFolder(), machineId: "machine two", ...daysAgo(0) });
    for (const reference of ["R-3", "R-2"]) expect((await fresh.partner`${withdrawalOf(reference)}`).exit).toBe(0);
    expect(service.orders).toHaveLength(3);
    expect(service.asked.at(-1)).toMatchObject({ startDate: "2026-03-21" });
  });

  test("without a machine id asks the statement before it sends an order", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const clone = desk.at({ state: join(temporaryFolder(), "state"), config: temporaryFolder(), machineId: undefined });
    cpSync(desk.state, clone.state, { recursive: true });
    const known = readFileSync(join(desk.config, "journals.json"), "utf8").replaceAll(desk.state, clone.state);
    cpSync(desk.config, clone.config, { recursive: true });
    writeFileSync(join(clone.config, "journals.json"), known.replace(/"since": \d+/, '"since": 1'));
    expect(await desk.send("R-2")).toEqual([0]);
    expect(await clone.send("R-2")).toEqual([0]);
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
  });
});

describe("a second folder", () => {
  test("does not send for an account whose orders are in the first folder", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const second = desk.at({ state: join(temporaryFolder(), "state") });
    for (const quiet of ["", "--quiet"]) {
      const refused = await second.partner`${transferOf("R-1")} ${quiet}`;
      expect(refused).toMatchObject({ exit: 3, stdout: "" });
      expect(refused.stderr).toContain(
        `The journal ${second.journal} has no order of this account: they are in ${desk.journal}.`,
      );
      expect(refused.stderr).toContain(`PARTNER_STATE_DIR=${desk.state}`);
    }
    // Another account may begin there.
    const other = second.at({ environment: { PARTNER_ACCOUNT_ID: "another" } });
    expect((await other.partner`${transferOf("R-1")}`).stderr).not.toContain("they are in");
    expect(movedUnder(simulator, "R-1")).toEqual([1]);
  });

  test("is noticed by whatever label or spelling the account has", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const second = desk.at({ state: join(temporaryFolder(), "state"), environment: { PARTNER_ENVIRONMENT: "live" } });
    expect((await second.partner`${transferOf("R-1")}`).stderr).toContain(`they are in ${desk.journal}`);
  });

  test("takes over by journal move, and then the first folder is refused for the account", async ({
    partnerIn,
    simulator,
  }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const second = desk.at({ state: join(temporaryFolder(), "state") });
    expect((await second.partner`journal move`).exit).toBe(0);
    expect(await second.send("R-2")).toEqual([0]);
    const refused = await desk.partner`${transferOf("R-2")}`;
    expect(refused.exit).toBe(3);
    expect(refused.stderr).toContain(`doesn't have all orders of this account: they are in ${second.journal}.`);
    expect(movedUnder(simulator, "R-2")).toEqual([1]);
  });

  test("does not begin at the same moment as the first folder", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    const second = desk.at({ state: join(temporaryFolder(), "state") });
    const exits = await Promise.all([desk.send("R-1"), second.send("R-1")]);
    expect(new Set(exits.flat())).toEqual(new Set([0, 3]));
    expect(movedUnder(simulator, "R-1")).toEqual([1]);
  });
});

describe("a mark of how far the journal was", () => {
  test.for([
    ["is missing", (config: string) => rmSync(marks(config), { recursive: true })],
    ["is empty", (config: string) => eachMark(config, (path) => writeFileSync(path, ""))],
    ["is damaged", (config: string) => eachMark(config, (path) => writeFileSync(path, "x".repeat(4000)))],
    [
      "is a folder",
      (config: string) =>
        eachMark(config, (path) => {
          rmSync(path);
          mkdirSync(path);
        }),
    ],
    [
      "is a link",
      (config: string) =>
        eachMark(config, (path) => {
          rmSync(path);
          symlinkSync("/dev/null", path);
        }),
    ],
  ] as const)("that %s keeps orders from leaving, with a clear error", async ([, harm], { partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-0");
    await desk.send("R-1");
    harm(desk.config);
    const refused = await desk.partner`${transferOf("R-2")}`;
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toMatch(/^Error: .*how far (this|the) journal.*\.$/m);
    expect(refused.stderr).toContain("partner journal recover");
    expect((await desk.partner`journal list --json`).stdout).toContain("R-1");
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 0]);
  });

  test("that belongs to another user or another journal is not accepted", async ({ partnerIn }) => {
    const [desk, other] = [openDesk(partnerIn), openDesk(partnerIn)];
    await desk.send("R-1");
    await other.send("R-1");
    const foreign = desk.at({ world: { machine: { userId: 4711 } } });
    expect((await foreign.partner`${transferOf("R-2")}`).stderr).toMatch(/belongs to another user.*chown 4711/s);
    const theirs = readFileSync(join(marks(other.config), readdirSync(marks(other.config))[0] ?? ""));
    eachMark(desk.config, (path) => writeFileSync(path, theirs));
    expect((await desk.partner`${transferOf("R-2")}`).stderr).toContain("is missing or damaged");
  });

  test("with a torn end counts up to there", async ({ partnerIn }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    eachMark(desk.config, (path) => writeFileSync(path, `${readFileSync(path, "utf8")}\n9999 1774947`));
    expect(await desk.send("R-2")).toEqual([0]);
    const putBack = desk.backUp();
    await desk.send("R-3");
    putBack();
    expect(await desk.send("R-3")).toEqual([3]);
  });

  test("still counts when the list of journals was lost", async ({ partnerIn, simulator }) => {
    const desk = openDesk(partnerIn);
    await desk.send("R-1");
    const putBack = desk.backUp();
    await desk.send("R-2");
    putBack();
    rmSync(join(desk.config, "journals.json"));
    expect(await desk.send("R-2")).toEqual([3]);
    expect(movedUnder(simulator, "R-2")).toEqual([1]);
  });
});

function marks(config: string): string {
  return join(config, "marks");
}

function eachMark(config: string, act: (path: string) => void): void {
  for (const name of readdirSync(marks(config))) act(join(marks(config), name));
}
