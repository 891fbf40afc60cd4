import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Claim, Journal } from "../../src/journal/journal.ts";
import { OutcomeUnrecorded } from "../../src/journal/claim-errors.ts";
import { Failure } from "../../src/values/failure.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { SmallDisk } from "../small-disk.ts";
import { noSmallDisk, smallDisk } from "../small-disk.ts";
import { size } from "./long.ts";
import { claimOf, collect, openPlace, orderOf } from "./orders.ts";

const ordersMax = 200;
const stages = ["open", "send", "settle"] as const;
const fullWords = /the disk is full|the disk reports an error/;
type Stage = (typeof stages)[number];
type Place = Parameters<typeof openPlace>[0];

test("a disk that fills up at any moment loses no order, and no order is sent that is not on it", async ({ skip }) => {
  const troubles = new Set<string>();
  for (let kib = 4; kib <= 200; kib += size(49, 4)) {
    for (const stage of stages) {
      const disk = smallDisk(kib) ?? skip(noSmallDisk);
      troubles.add(await fillUp(disk, kib, stage));
      disk.remove();
    }
  }
  // Small disks have no room for the journal, larger ones fill up at one of the stages of an order.
  expect([...troubles].sort()).toEqual(["open", "opening", "send", "settle"]);
}, 3_600_000);

/** Orders until the disk is full, or fills it before a stage of the fifth order. */
async function fillUp(disk: SmallDisk, kib: number, stage: Stage): Promise<string> {
  const place = { stateFolder: join(disk.folder, "state"), configFolder: temporaryFolder() };
  mkdirSync(place.stateFolder, { mode: 0o700 });
  const known = new Map<string, string>();
  const where = `${kib} KiB, ${stage}`;
  let journal: Journal;
  try {
    journal = await openPlace(place);
  } catch (error) {
    expectSetup(error, where);
    await expectAll(disk, place, known, where);
    return "opening";
  }
  const before = (reached: Stage, index: number) => (index === 4 && reached === stage ? disk.fill() : undefined);
  const ending = await orderUntilFull(journal, known, before, where);
  // A full disk can still be read.
  expect(await collect(journal.list())).toHaveLength(known.size);
  await journal.close();
  await expectAll(disk, place, known, where);
  return ending;
}

async function orderUntilFull(
  journal: Journal,
  known: Map<string, string>,
  before: (stage: Stage, index: number) => void,
  where: string,
) {
  for (let index = 0; index < ordersMax; index += 1) {
    const reference = `R${index}`;
    before("open", index);
    let claim: Claim;
    try {
      claim = claimOf(await journal.open(orderOf({ reference, request: `{"text":"${"x".repeat(500)}"}` })));
      known.set(reference, "prepared");
    } catch (error) {
      expectSetup(error, where);
      return "open";
    }
    before("send", index);
    try {
      claim.beforeFirstByte("request");
      known.set(reference, "sending");
    } catch (error) {
      expectSetup(error, where);
      return "send";
    }
    before("settle", index);
    try {
      await claim.settle({ state: "accepted", response: `{"text":"${"y".repeat(500)}"}` });
      known.set(reference, "accepted");
    } catch (error) {
      if (!(error instanceof OutcomeUnrecorded)) throw error;
      expect(`${where}: ${error.reason}`).toMatch(fullWords);
      return "settle";
    }
  }
  throw new Error(`${where}: the disk never filled up`);
}

/** Makes room and checks that everything reported as on the disk is there. */
async function expectAll(
  disk: SmallDisk,
  place: Place,
  known: ReadonlyMap<string, string>,
  where: string,
): Promise<void> {
  disk.empty();
  disk.grow(4096);
  const journal = await openPlace(place);
  const movements = await collect(journal.list());
  const found = new Map(movements.map(({ reference, state }) => [reference, state]));
  expect({ where, ...Object.fromEntries(found) }).toEqual({ where, ...Object.fromEntries(known) });
  await journal.verify();
  expect((await journal.open(orderOf({ reference: "later" }))).outcome).toBe("claimed");
  await journal.close();
}

function expectSetup(error: unknown, where: string): void {
  if (!(error instanceof Failure)) throw error;
  const { exit, money, message } = error;
  expect({ where, exit, money, message }).toEqual({
    where,
    exit: 3,
    money: "not moved",
    message: expect.stringMatching(fullWords),
  });
}
