import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, openDesk, payouts, transfers } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** Moves all approvals back by two hours, and seals them again to match. */
const twoHoursLater = `SET session_replication_role = replica;
  UPDATE partner.approvals SET decided_at = decided_at - 7200000;
  UPDATE partner.approvals SET seal = encode(sha256(convert_to(concat_ws(E'\\n', encode(sha256(convert_to(concat_ws(E'\\n', number,
    batch, digest, decision, decided_by, decided_at, coalesce(reason, ''), looked), 'UTF8')), 'hex'), member_of, acting_for),
    'UTF8')), 'hex')`;

const approve = (office: Office, batch: string) => office.at("baraka")`batch approve ${batch} --yes --json`;
const submitRows = (office: Office, rows: string, person: "amina" | "musa" = "amina") =>
  office.at(person)`batch submit ${openDesk().write(`reference,amount\n${rows}\n`)} ${payouts} --json`;

withPostgres("limits of the rules", (server) => {
  beforeAll(() => hire(server));

  test("make approvals expire: a batch that has not begun by then needs new ones", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ expiry: "1h" });
    const batch = await office.submit("amina", 2);
    await approve(office, batch);
    await office.root(twoHoursLater);
    expect(JSON.parse((await office.at("amina")`batch list --state expired --json`).stdout)).toMatchObject([
      { batch, state: "expired", missing: "1 more approval is missing; others have expired" },
    ]);
    const named = await office.at("runner")`batch run --approved ${batch} --yes`;
    expect(named).toMatchObject({ exit: 2, stdout: "" });
    expect(named.stderr).toContain(`Batch ${batch} is expired`);
    const all = await office.at("runner")`batch run --approved --yes`;
    expect(all).toMatchObject({ exit: 0 });
    expect(all.stderr).toContain(`Batch ${batch}: its approvals have expired; none of it was sent.`);
    expect(await office.at("amina")`batch wait ${batch}`).toMatchObject({ exit: 4 });
    expect(movedEach(simulator, 2)).toEqual([0, 0]);
    expect(JSON.parse((await approve(office, batch)).stdout)).toMatchObject({ state: "approved" });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });

  test("do not stop a batch that has already begun", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ expiry: "1h" });
    const batch = await office.submit(
      "amina",
      2,
      transfers(2, (index) => (index === 1 ? 900_000_000 : 5)),
    );
    await approve(office, batch);
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 8 });
    await office.root(twoHoursLater);
    await office.rule({ levels: [{ approvals: 3 }] });
    expect(JSON.parse((await office.at("auditor")`batch show ${batch} --json`).stdout).state).toBe("running");
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 8 });
    expect(movedEach(simulator, 2)).toEqual([1, 0]);
  });

  test("cap what one maker submits a day, per currency", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.rule({ limits: { maker: { day: "100,USD=5" } } });
    const first = await submitRows(office, "D-1,60");
    expect(first).toMatchObject({ exit: 0 });
    const refused = await submitRows(office, "D-2,41");
    expect(refused).toMatchObject({ exit: 4, stdout: "" });
    expect(refused.stderr).toContain("of what one maker submits on a day, 101 TZS is more than 100");
    // A second role of the same person first, then another person.
    await office.root("GRANT amina TO musa");
    expect(await submitRows(office, "D-3,41", "musa")).toMatchObject({ exit: 4, stdout: "" });
    await office.root("REVOKE amina FROM musa");
    expect(await submitRows(office, "D-4,41", "musa")).toMatchObject({ exit: 0 });
    await office.at("amina")`batch withdraw ${JSON.parse(first.stdout).batch}`;
    expect(await submitRows(office, "D-5,100")).toMatchObject({ exit: 0 });
  });

  test("cap what one checker approves, and how many batches of one maker may wait", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.rule({ limits: { maker: { openBatches: 2 }, checker: { decision: "10" } } });
    const fits = await office.submit("amina", 2);
    const over = await office.submit("amina", 1, "reference,amount\nO-1,11\n");
    expect(await submitRows(office, "X-1,1")).toMatchObject({ exit: 4, stdout: "" });
    expect(await approve(office, fits)).toMatchObject({ exit: 0 });
    const refused = await approve(office, over);
    expect(refused).toMatchObject({ exit: 4, stdout: "" });
    expect(refused.stderr).toContain("of what one checker approves, 11 TZS is more than 10");
    expect(await office.at("baraka")`batch reject ${over} --reason large --yes`).toMatchObject({ exit: 0 });
  });
});
