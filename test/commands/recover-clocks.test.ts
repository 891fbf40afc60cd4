import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { newShared } from "../journal/shared-places.ts";
import { memoryHost } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Desk, DeskChanges } from "./journal-desk.ts";
import { movedUnder, openDesk } from "./journal-desk.ts";

const dayMs = 24 * 60 * 60_000;
const start = Date.UTC(2026, 2, 31, 9);
/** Machines must not make the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

/**
 * Orders are lost that left while this machine's clock was two days ahead. It is right when the journal is recovered,
 * five days later, and by then there are other rows.
 */
async function recoverLater(changes: DeskChanges, backUp: (desk: Desk) => Promise<() => Promise<void> | void>) {
  const service = memoryHost({ now: start });
  const simulator = await startSimulator(service);
  const open = (more: DeskChanges = {}) =>
    openDesk(
      (world) =>
        (line, ...values) =>
          run(words(String.raw({ raw: line }, ...values)), {
            ...world,
            host: { ids },
            environment: { ...environmentFor(simulator), ...world.environment },
          }),
      more,
    );
  try {
    const desk = open(changes);
    const ahead = desk.at({ world: { now: start + 2 * dayMs } });
    await ahead.send("R-0");
    const restore = await backUp(desk);
    await ahead.send("R-1", "R-2");
    await restore();
    service.clock.advance(5 * dayMs);
    const later = { world: { now: start + 5 * dayMs } };
    await open().at(later).send("P-1");
    const right = desk.at(later);
    const { stderr } = await right.partner`journal recover`;
    return {
      period: /^Period: .*$/m.exec(stderr)?.[0],
      exits: await right.send("R-1", "R-2"),
      moved: movedUnder(simulator, "R-0", "R-1", "R-2"),
    };
  } finally {
    await simulator.stop();
  }
}

const found = { period: "Period: 2026-03-30 to 2026-04-05", exits: [0, 0], moved: [1, 1, 1] };

test("orders that left while this machine's clock was ahead are found by their days at the service", async () => {
  expect(await recoverLater({}, (desk) => Promise.resolve(desk.backUp()))).toEqual(found);
});

withPostgres("orders of a shared journal that left while this machine's clock was ahead", (server) => {
  test("are found by their days at the service", async () => {
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
