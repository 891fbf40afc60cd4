import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, expect } from "vitest";
import { newShared } from "../journal/shared-places.ts";
import { memoryHost } from "../memory-host.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk as openFolder, movedEach, payouts, transfers } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { openDesk } from "./journal-desk.ts";
import { draftFile, remittance } from "./remittance.ts";

/** Hosts that share a database must not make the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

withPostgres("a run that is open while an asynchronous standby takes over", (server) => {
  beforeAll(() => hire(server));

  test("sends nothing more: it cannot know what other hosts sent and the standby lacks", async ({
    partnerIn,
    simulator,
    faults,
  }) => {
    const sharing = { environment: { PARTNER_JOURNAL_URL: await newShared(server) }, world: { host: { ids } } };
    const [one, two] = [openDesk(partnerIn, sharing), openDesk(partnerIn, sharing)];
    const file = openFolder().write(transfers(3, (index) => 50 + index));
    const held = faults.hold("transfer");
    const running = one.partner`batch run ${file} ${payouts} --yes --check-statement never`;
    await held.reached;
    const standby = await server.leaveStandby();
    const other = `transfer --from 9000112233 --to 9000112244 --amount 52 --description rent --reference R-3 --yes --again`;
    expect(await two.partner`${other}`).toMatchObject({ exit: 0 });
    await standby.takeOver();
    held.release();
    const stopped = await running;
    expect(stopped).toMatchObject({ exit: 8 });
    expect(stopped.stderr).toContain("Of 3 rows, 2 are not done. A standby took over the shared journal meanwhile.");
    expect(stopped.stderr).toContain("Run it again: the statement is asked then before an order leaves.");
    expect(movedEach(simulator, 3)).toEqual([1, 0, 1]);
    expect(await one.partner`batch run ${file} ${payouts} --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
  });

  test("ends with 3 where it follows approvals, to be started again", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const batch = await office.submit("amina", 2);
    const standby = await server.leaveStandby();
    let looks = 0;
    const meanwhile = async () => {
      looks += 1;
      if (looks > 1) return;
      await standby.takeOver();
      await office.at("baraka")`batch approve ${batch} --yes`;
    };
    const follow = `batch run --approved --follow --yes --every 1m`;
    const ended = await office.at("runner", { meanwhile })`${follow}`;
    expect(ended).toMatchObject({ exit: 3 });
    expect(ended.stderr).toContain("A standby took over the shared journal meanwhile.");
    expect(movedEach(simulator, 2)).toEqual([0, 0]);
    const stopping = memoryHost();
    const again = { meanwhile: async () => stopping.abort("SIGTERM"), host: { ids, signal: stopping.signal } };
    expect(await office.at("runner", again)`${follow}`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });
});

withPostgres("an order that is on its way while an asynchronous standby takes over without it", (server) => {
  test("leaves its outcome beside the journal, and is not sent again", async ({ partnerIn, simulator, faults }) => {
    const sharing = { environment: { PARTNER_JOURNAL_URL: await newShared(server) }, world: { host: { ids } } };
    const desk = openDesk(partnerIn, sharing);
    await desk.send("S-1");
    const remit = `remit --from-file ${draftFile(remittance)} --reference INV-1 --yes`;
    const standby = await server.leaveStandby();
    const held = faults.hold("remit");
    const running = desk.partner`${remit}`;
    await held.reached;
    await standby.takeOver();
    held.release();
    const sent = await running;
    expect(sent).toMatchObject({ exit: 0 });
    expect(sent.stderr).toContain("The journal did not take the outcome of the remittance INV-1");
    expect(sent.stderr).toContain("The journal does not know the order. The outcome is kept in");
    expect(await desk.partner`${remit}`).toMatchObject({ exit: 3, stdout: "" });
    expect(await desk.partner`journal recover`).toMatchObject({ exit: 0 });
    // No statement shows a remittance: its slip is all that is left of it.
    const again = await desk.partner`${remit}`;
    expect(again).toMatchObject({ exit: 2, stdout: "" });
    expect(again.stderr).toContain("has the outcome of the remittance INV-1");
    expect(simulator.world.remittances.size).toBe(1);
  });
});
