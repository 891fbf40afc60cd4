import { randomBytes, randomUUID } from "node:crypto";
import { cpSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { Files } from "../../src/host/files/files.ts";
import { placeIdOf } from "../../src/host/files/place-id.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import { Faults } from "../../src/simulator/faults.ts";
import { parseFault } from "../../src/simulator/fault.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { newShared } from "../journal/shared-places.ts";
import type { MemoryHost } from "../memory-host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Desk, DeskChanges } from "./journal-desk.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

const dayMs = 24 * 60 * 60_000;
const start = Date.UTC(2026, 2, 31, 9);
/** Machines must not create the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

interface Place {
  readonly service: MemoryHost;
  readonly simulator: RunningSimulator;
  readonly faults: Faults;
  readonly open: (changes?: DeskChanges) => Desk;
}

/** A service with a clock of its own, and desks connected to it. */
async function atService<T>(use: (place: Place) => Promise<T>): Promise<T> {
  const [service, faults] = [memoryHost({ now: start }), new Faults()];
  const simulator = await startSimulator(service, { faults });
  const open = (changes: DeskChanges = {}) =>
    openDesk(
      (world) =>
        (line, ...values) =>
          run(words(String.raw({ raw: line }, ...values)), {
            ...world,
            host: { ids, ...world.host },
            environment: { ...environmentFor(simulator), ...world.environment },
          }),
      changes,
    );
  try {
    return await use({ service, simulator, faults, open });
  } finally {
    await simulator.stop();
  }
}

/** Adds a second service with an account of its own; `another` holds its settings. */
function atTwoServices(
  use: (place: Place & { readonly second: RunningSimulator; readonly another: DeskChanges }) => Promise<void>,
) {
  return atService(async (place) => {
    const second = await startSimulator(place.service, { environment: "sandbox" });
    try {
      await use({ ...place, second, another: { environment: environmentFor(second) } });
    } finally {
      await second.stop();
    }
  });
}

/** This machine's clock is two days ahead. */
const ahead = { world: { now: start + 2 * dayMs } };
/** Five days later the clock is right. */
const later = { world: { now: start + 5 * dayMs } };

/**
 * Orders sent while this machine's clock was two days ahead are lost. The clock is right when the journal is recovered
 * five days later, and by then there are other rows.
 */
function recoverLater(changes: DeskChanges, backUp: (desk: Desk) => Promise<() => Promise<void> | void>) {
  return atService(async ({ service, simulator, open }) => {
    const desk = open(changes);
    await desk.at(ahead).send("R-0");
    const restore = await backUp(desk);
    await desk.at(ahead).send("R-1", "R-2");
    await restore();
    service.clock.advance(5 * dayMs);
    await open().at(later).send("P-1");
    const { stderr } = await desk.at(later).partner`journal recover`;
    return {
      period: /^Period: .*$/m.exec(stderr)?.[0],
      exits: await desk.at(later).send("R-1", "R-2"),
      moved: movedUnder(simulator, "R-0", "R-1", "R-2"),
    };
  });
}

const found = { period: "Period: 2026-03-30 to 2026-04-05", exits: [0, 0], moved: [1, 1, 1] };

test("lost orders sent while the clock was ahead are found under the service's dates", async () => {
  expect(await recoverLater({}, (desk) => Promise.resolve(desk.backUp()))).toEqual(found);
});

test("lost orders are found even if only another step of an order was recorded while the clock was ahead", async () => {
  await atService(async ({ service, simulator, faults, open }) => {
    const desk = open({ world: { now: start } });
    faults.add(parseFault("lose-answer=money:1", "--fault"));
    expect(await desk.send("R-0")).toEqual([6]);
    expect((await desk.at(ahead).partner`journal resolve R-0`).exit).toBe(0);
    const restore = desk.backUp();
    await desk.at(ahead).send("R-1");
    restore();
    service.clock.advance(5 * dayMs);
    await open().at(later).send("P-1");
    expect((await desk.at(later).partner`journal recover`).exit).toBe(0);
    expect(await desk.at(later).send("R-1")).toEqual([0]);
    expect(movedUnder(simulator, "R-1")).toEqual([1]);
  });
});

withPostgres("lost orders of a shared journal sent while the clock was ahead", (server) => {
  test("are found under the service's dates", async () => {
    const address = await newShared(server);
    const name = new URL(address).pathname.slice(1);
    const dump = async () => {
      await server.sql("postgres", `CREATE DATABASE ${name}_dump TEMPLATE ${name}`);
      return async () => {
        await server.sql("postgres", `DROP DATABASE ${name}`);
        await server.sql("postgres", `CREATE DATABASE ${name} TEMPLATE ${name}_dump`);
      };
    };
    expect(await recoverLater({ environment: { PARTNER_JOURNAL_URL: address } }, dump)).toEqual(found);
  });
});

test("an order called refused while the clock was ahead is found under the service's date", async () => {
  await atService(async ({ service, simulator, faults, open }) => {
    const desk = open();
    faults.add(parseFault("lose-answer=money:1", "--fault"));
    expect(await desk.at(ahead).send("R-1")).toEqual([6]);
    const word = "--as refused --evidence ticket-7 --against-statement";
    expect((await desk.at(ahead).partner`journal resolve R-1 ${word}`).exit).toBe(0);
    service.clock.advance(5 * dayMs);
    expect(await desk.at(later).send("R-1")).toEqual([0]);
    expect(movedUnder(simulator, "R-1")).toEqual([1]);
  });
});

/** A copy of the folders on another machine, five days later. */
function cloneOf(desk: Desk): Desk {
  const clone = desk.at({
    config: temporaryFolder(),
    state: join(temporaryFolder(), "state"),
    machineId: "machine two",
    ...later,
  });
  cpSync(desk.config, clone.config, { recursive: true });
  cpSync(desk.state, clone.state, { recursive: true });
  return clone;
}

test("a clone that takes over late checks the statement from the day of the copy", async () => {
  await atService(async ({ service, simulator, open }) => {
    const desk = open({ world: { now: start } });
    await desk.send("R-1");
    const clone = cloneOf(desk);
    await desk.send("R-2", "R-3");
    service.clock.advance(5 * dayMs);
    expect((await clone.partner`journal move`).exit).toBe(0);
    expect(await clone.send("R-1", "R-2")).toEqual([0, 0]);
    // Its folder is moved on the same day; by now it has an order of its own.
    const moved = clone.at({ state: join(temporaryFolder(), "state") });
    renameSync(clone.state, moved.state);
    expect(await moved.send("R-3")).toEqual([0]);
    expect(movedUnder(simulator, "R-1", "R-2", "R-3")).toEqual([1, 1, 1]);
  });
});

test("a clone that took over late and sent an order is recovered from the day of the copy", async () => {
  await atService(async ({ service, simulator, open }) => {
    const desk = open({ world: { now: start } });
    await desk.send("R-1");
    const clone = cloneOf(desk);
    await desk.send("R-2");
    service.clock.advance(5 * dayMs);
    expect((await clone.partner`journal move`).exit).toBe(0);
    expect(await clone.send("N-1")).toEqual([0]);
    expect((await clone.partner`journal recover`).exit).toBe(0);
    expect(await clone.send("R-2")).toEqual([0]);
    expect(movedUnder(simulator, "R-2")).toEqual([1]);
  });
});

test("recovering one account does not skip the days since the copy for another account", async () => {
  await atTwoServices(async ({ service, second, another, open }) => {
    const desk = open({ world: { now: start } });
    await desk.send("R-1");
    await desk.at(another).send("R-2");
    const clone = cloneOf(desk);
    await desk.at(another).send("R-3");
    service.clock.advance(5 * dayMs);
    expect((await clone.partner`journal move`).exit).toBe(0);
    expect((await clone.partner`journal recover`).exit).toBe(0);
    expect(await clone.at(another).send("R-3")).toEqual([0]);
    expect(movedUnder(second, "R-3")).toEqual([1]);
  });
});

test("--from of a failed recovery does not set the start of the next one", async () => {
  await atService(async ({ service, simulator, faults, open }) => {
    const desk = open({ world: { now: start } });
    await desk.send("R-1");
    const restore = desk.backUp();
    await desk.send("R-2");
    restore();
    service.clock.advance(5 * dayMs);
    await open(later).send("P-1");
    faults.add(parseFault("fail-request=wallet-statement", "--fault"));
    expect((await desk.at(later).partner`journal recover --from 2026-04-04`).exit).toBe(5);
    faults.clear();
    expect((await desk.at(later).partner`journal recover`).exit).toBe(0);
    expect(await desk.at(later).send("R-2")).toEqual([0]);
    expect(movedUnder(simulator, "R-2")).toEqual([1]);
  });
});

test("--from for one account does not set the start for another", async () => {
  await atTwoServices(async ({ service, second, another, open }) => {
    const desk = open({ world: { now: start } });
    await desk.send("R-1");
    await desk.at(another).send("R-2");
    const restore = desk.backUp();
    await desk.at(another).send("R-3");
    restore();
    service.clock.advance(5 * dayMs);
    await open({ ...later, ...another }).send("P-1");
    await open(later).send("P-1");
    const [one, other] = [desk.at(later), desk.at({ ...later, ...another })];
    expect((await one.partner`journal recover --from 2026-04-04`).exit).toBe(0);
    expect((await other.partner`journal recover`).exit).toBe(0);
    expect(await other.send("R-3")).toEqual([0]);
    expect(movedUnder(second, "R-3")).toEqual([1]);
  });
});

/**
 * Files of a disk that gives the number of a removed file to the next one. With `isPutBack`, its clock is so coarse
 * that a copy is created and changed at the same moment.
 */
function reusing(disk: { isPutBack: boolean }): Files {
  return {
    ...nodeFiles(),
    async placeId(path) {
      const { birthtimeNs } = statSync(path, { bigint: true });
      return placeIdOf({ ino: 7n, birthtimeNs, ctimeNs: birthtimeNs + (disk.isPutBack ? 0n : 1n) });
    },
  };
}

test.each([
  ["another disk", () => nodeFiles()],
  ["a disk that uses numbers again", reusing],
])("with journal and profiles restored on %s, the statement is read from the journal's end on", async (_, filesOf) => {
  await atService(async ({ service, simulator, open }) => {
    const disk = { isPutBack: false };
    const host = { files: filesOf(disk) };
    const desk = open({ world: { now: start, host } });
    const today = desk.at({ ...later, world: { ...later.world, host } });
    await desk.send("R-1");
    const backup = temporaryFolder();
    const folders = [desk.config, desk.state].map((folder, at) => ({ folder, copy: join(backup, String(at)) }));
    for (const { folder, copy } of folders) cpSync(folder, copy, { recursive: true });
    await desk.send("R-2");
    for (const { folder, copy } of folders) {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, { recursive: true });
    }
    disk.isPutBack = true;
    service.clock.advance(5 * dayMs);
    const again = await today.partner`${transferOf("R-2")}`;
    expect(again.exit).toBe(0);
    expect(again.stderr).toContain("is another file than before, as after a restored backup");
    expect(movedUnder(simulator, "R-2")).toEqual([1]);
    expect((await today.partner`${transferOf("R-3")}`).stderr).not.toContain("another file");
  });
});
