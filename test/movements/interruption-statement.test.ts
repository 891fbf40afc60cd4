import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { person, stopSignals } from "../person.ts";
import { debit, serveStatements } from "../statements-served.ts";
import { kinds } from "./kinds.ts";
import { accept } from "./service.ts";
import { openTill } from "./till.ts";

// Ctrl-C, TERM and HUP while a statement is read: before an order leaves, after it, and for a journal.

const [transfer, withdraw] = kinds;
const paying = "9000112233";
/** An order that reads the statement because the journal is new. */
const asking = (kind?: (typeof kinds)[number]) => kind?.line("R-1").replace(" --check-statement never", "") ?? "";
const row = debit("5", { narration: "rent [R-1]" });

/** A service that holds back the statement of the paying wallet, and the signal for the waiting run. */
async function stoppedAt(signal: (typeof stopSignals)[number][0], rows: readonly string[] = []) {
  const service = await serveStatements({ statements: { [paying]: rows } });
  const till = openTill(service.environment);
  return {
    service,
    till,
    stop: async (line: string) => {
      const held = service.hold(paying);
      const { host, stop } = person();
      const running = till.run(line, { host });
      await held.asked;
      stop(signal);
      const ended = await running;
      held.release();
      return ended;
    },
  };
}

for (const [signal, exit] of stopSignals) {
  test(`${signal} while the statement is read before an order sends nothing, and it can be sent later`, async () => {
    for (const kind of [transfer, withdraw]) {
      const { service, till, stop } = await stoppedAt(signal);
      const line = asking(kind);
      expect(await stop(line)).toMatchObject({ exit, stdout: "" });
      expect(service.orders).toEqual([]);
      service.react(accept);
      expect((await till.run(line)).exit).toBe(0);
      expect(service.orders).toHaveLength(1);
    }
  });

  test(`${signal} while the statement is read before a batch sends no row of it`, async () => {
    const { service, till, stop } = await stoppedAt(signal);
    const file = join(temporaryFolder(), "batch.csv");
    writeFileSync(file, `from,to,amount,description,reference\n${paying},9000112244,5,rent,R-1\n`);
    const line = `batch run ${file} --kind transfer --yes --csv`;
    expect((await stop(line)).exit).toBe(exit);
    expect(service.orders).toEqual([]);
    service.react(accept);
    expect((await till.run(line)).exit).toBe(0);
    expect(service.orders).toHaveLength(1);
  });

  test(`${signal} while an order is looked up in the statement leaves it unknown`, async () => {
    const { service, till, stop } = await stoppedAt(signal);
    const line = transfer?.line("R-1") ?? "";
    expect((await till.run(line)).exit).toBe(6);
    service.write(paying, [row]);
    expect((await stop("journal resolve R-1")).exit).toBe(exit);
    expect(await till.movements()).toMatchObject([{ state: "unknown" }]);
    expect((await till.run("journal resolve R-1")).exit).toBe(0);
    expect(service.orders).toHaveLength(1);
  });

  test(`${signal} while a journal is recovered changes nothing, and it can be recovered later`, async () => {
    const { service, till, stop } = await stoppedAt(signal, [row]);
    expect(await stop("journal recover --json")).toMatchObject({ exit, stdout: "" });
    const { exit: ended, stdout } = await till.run("journal recover --json");
    expect([ended, JSON.parse(stdout)]).toMatchObject([0, { references: 2, new: 2 }]);
    const paid = await till.run(asking(transfer));
    expect(paid).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(service.orders).toEqual([]);
  });
}
