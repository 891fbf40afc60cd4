import { beforeAll, expect, onTestFinished, test } from "vitest";
import { Faults } from "../../src/simulator/faults.ts";
import { parseFault } from "../../src/simulator/fault.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { memoryHost } from "../memory-host.ts";
import { now } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { column, openDesk } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

withPostgres("four eyes over payouts", (server) => {
  beforeAll(() => hire(server));

  test("submit, approve and pay salaries once, and the statement settles a lost answer", async () => {
    const faults = new Faults();
    const simulator = await startSimulator(memoryHost({ now }), { extensions: true, faults });
    onTestFinished(() => simulator.stop());
    const office = await openOffice(server, simulator, "--require-approval");
    const people = [1, 2, 3].map((at) => `S-${at},9000112233,25571200011${at},5000,Salary,P${at}\n`);
    const file = openDesk().write(`reference,from,to,amount,narration,name\n${people.join("")}`);
    const world = { environment: { PARTNER_EXTENSIONS: "payout" } };
    const submitted = await office.at("amina", world)`batch submit ${file} --kind payout --json`;
    expect(submitted).toMatchObject({ exit: 0 });
    const { batch } = JSON.parse(submitted.stdout);
    expect(await office.at("runner")`batch run ${file} --kind payout --yes`).toMatchObject({ exit: 8 });
    expect(simulator.world.payouts.size).toBe(0);
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 2, stdout: "" });
    const shown = await office.at("baraka")`batch show ${batch} --csv`;
    expect(column(shown.stdout, "to")).toEqual(["255712000111", "255712000112", "255712000113"]);
    const approve = `batch approve ${batch} --yes --expect-count 3 --expect-total 15000`;
    expect(await office.at("baraka")`${approve}`).toMatchObject({ exit: 0 });
    faults.add(parseFault("lose-answer=payout:2", "--fault"));
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 6 });
    await simulator.idle();
    expect(await office.at("runner")`journal resolve --all`).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 0 });
    const paid = [...simulator.world.bookings.keys()].map(({ endpoint, reference }) => `${endpoint} ${reference}`);
    expect(paid.toSorted()).toEqual(people.map((row) => `payout ${row.slice(0, 3)}`));
    const report = await office.at("amina")`batch report ${batch} --csv`;
    expect(column(report.stdout, "state")).toEqual(["accepted", "accepted", "accepted"]);
    expect(await office.at("runner")`journal verify`).toMatchObject({ exit: 0 });
  });
});
