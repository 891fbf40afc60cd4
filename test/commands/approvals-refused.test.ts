import { beforeAll, expect } from "vitest";
import { openShared } from "../journal/shared-places.ts";
import type { FaultsAtHand } from "../simulated.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, timesMoved } from "./batch-service.ts";
import type { Office } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";

const refused = "journal resolve R-2 --as refused --evidence ticket-4711 --json";

const refusedBySql = "UPDATE partner.movements SET state = 'refused', evidence = 'person' WHERE reference = 'R-2'";

/** Has a batch of two rows approved and run, with the second row's outcome left unknown. */
async function leaveUnknown(office: Office, faults: FaultsAtHand, maker: "amina" | "zuri" = "amina"): Promise<string> {
  const batch = await office.submit(maker, 2);
  await office.at("baraka")`batch approve ${batch} --yes`;
  faults.plan("reset-request=transfer:2");
  expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 6 });
  faults.clear();
  return batch;
}

async function stateOfRow(office: Office): Promise<unknown> {
  const { stdout } = await office.at("auditor")`journal list --csv --columns state,reference --no-header`;
  return stdout.split("\n").find((line) => line.endsWith(",R-2"));
}

/** A late answer to the row's order says that it was paid. */
async function answerYes(office: Office): Promise<void> {
  const { PARTNER_JOURNAL_URL: address = "" } = await office.environmentOf("runner");
  const journal = await openShared(address);
  const [movement] = await journal.search("R-2");
  const claim = await journal.claimOf(movement?.id ?? "");
  const settlement = { state: "accepted", response: "{}", note: "HTTP 200: the service said yes" } as const;
  await journal.enter({ movement: movement?.id ?? "", claim: claim ?? "", settlement });
  await journal.close();
}

withPostgres("a row that an approved batch left unknown", (server) => {
  beforeAll(() => hire(server));

  test("is refused, and sent again, only when a checker confirms what the runner says", async ({
    simulator,
    faults,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await leaveUnknown(office, faults);
    const alone = await office.at("runner")`${refused}`;
    expect(alone).toMatchObject({ exit: 6, stdout: "" });
    expect(alone.stderr).toContain("until a checker says the same");
    expect(await stateOfRow(office)).toBe("unknown,R-2");
    const again = await office.at("runner")`batch run --approved ${batch} --yes`;
    expect(again).toMatchObject({ exit: 6 });
    expect(movedEach(simulator, 2)).toEqual([1, 0]);
    for (const person of ["amina", "auditor"] as const)
      expect(await office.at(person)`${refused}`).toMatchObject({ exit: 3, stdout: "" });
    await expect(office.sql("runner", refusedBySql)).rejects.toThrow("R-2");
    await expect(office.sql("baraka", refusedBySql)).rejects.toThrow("permission denied");
    // The checker's machine has no credentials and no profile.
    const said = await office.at("baraka")`${refused}`;
    expect(said).toMatchObject({ exit: 0 });
    expect(JSON.parse(said.stdout)).toMatchObject([{ state: "unknown", reference: "R-2" }]);
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    const shown = JSON.parse((await office.at("auditor")`journal show R-2 --json`).stdout);
    expect(JSON.stringify(shown)).toContain("ticket-4711 (runner); ticket-4711 (baraka)");
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("is refused at once when a checker confirmed first, and that word doesn't count for the next attempt", async ({
    simulator,
    faults,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await leaveUnknown(office, faults, "zuri");
    // The person who submitted the batch does not count as the second one.
    await office.at("zuri")`${refused}`;
    expect(await office.at("runner")`${refused}`).toMatchObject({ exit: 6 });
    expect(await office.at("neema")`${refused}`).toMatchObject({ exit: 0 });
    const entered = await office.at("runner")`${refused}`;
    expect(entered).toMatchObject({ exit: 0 });
    expect(JSON.parse(entered.stdout)).toMatchObject([{ state: "refused" }]);
    faults.plan("reset-request=transfer:1");
    expect(await office.at("runner")`batch run --approved ${batch} --yes`).toMatchObject({ exit: 6 });
    faults.clear();
    expect(await office.at("runner")`${refused}`).toMatchObject({ exit: 6, stdout: "" });
    expect(timesMoved(simulator, "R-2")).toBe(0);
    // Accepting a row still takes only one person's word.
    const accepted = await office.at("runner")`journal resolve R-2 --as accepted --evidence bank`;
    expect(accepted).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(timesMoved(simulator, "R-2")).toBe(0);
  });

  test("is not sent again on words given before the service said that it was paid", async ({ simulator, faults }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await leaveUnknown(office, faults);
    await office.at("runner")`${refused}`;
    await office.at("baraka")`${refused}`;
    expect(await office.at("runner")`${refused}`).toMatchObject({ exit: 0 });
    await answerYes(office);
    const run = () => office.at("runner")`batch run --approved ${batch} --yes`;
    expect(await run()).toMatchObject({ exit: 6 });
    expect(await office.at("runner")`${refused}`).toMatchObject({ exit: 6, stdout: "" });
    await expect(office.sql("runner", refusedBySql)).rejects.toThrow("R-2");
    expect(await run()).toMatchObject({ exit: 6 });
    expect(timesMoved(simulator, "R-2")).toBe(0);
    await office.at("baraka")`${refused}`;
    expect(await office.at("runner")`${refused}`).toMatchObject({ exit: 0 });
    expect(await run()).toMatchObject({ exit: 0 });
    expect(timesMoved(simulator, "R-2")).toBe(1);
  });

  test("is not sent again on repeated words from before the service said that it was paid", async ({
    simulator,
    faults,
  }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await leaveUnknown(office, faults);
    for (const person of ["runner", "runner", "baraka", "baraka"] as const) await office.at(person)`${refused}`;
    expect(await office.at("runner")`${refused}`).toMatchObject({ exit: 0 });
    await answerYes(office);
    const run = () => office.at("runner")`batch run --approved ${batch} --yes`;
    expect(await run()).toMatchObject({ exit: 6 });
    expect(timesMoved(simulator, "R-2")).toBe(0);
    expect(await office.at("runner")`${refused}`).toMatchObject({ exit: 6, stdout: "" });
    // One word from another checker is enough.
    await office.at("neema")`${refused}`;
    expect(await run()).toMatchObject({ exit: 0 });
    expect(timesMoved(simulator, "R-2")).toBe(1);
  });
});

withPostgres("a refused row of an approved batch that the statement shows paid", (server) => {
  beforeAll(() => hire(server));

  test("is not sent again by any runner", async ({ simulator, faults }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const batch = await office.submit("amina", 2);
    await office.at("baraka")`batch approve ${batch} --yes`;
    faults.plan("say-answer=PAYMENT_REJECTED,transfer:2");
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 8 });
    faults.clear();
    expect(await stateOfRow(office)).toBe("refused,R-2");
    expect(await office.at("runner")`journal resolve R-2`).toMatchObject({ exit: 6 });
    const again = await office.at("second")`batch run --approved ${batch} --yes --check-statement never`;
    expect(again).toMatchObject({ exit: 0 });
    expect(await stateOfRow(office)).toBe("accepted,R-2");
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });
});
