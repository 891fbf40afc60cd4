import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach, timesMoved, transfers } from "./batch-service.ts";
import type { Office, Person } from "./four-eyes.ts";
import { hire, openOffice } from "./four-eyes.ts";
import { approval, orderOf, submittedCopy } from "./four-eyes-sql.ts";

const amounts = (...all: readonly number[]) => transfers(all.length, (index) => all[index] ?? 0);
const approve = (office: Office, person: Person, batch: string) =>
  office.at(person)`batch approve ${batch} --yes --json`;
const rejected = async (office: Office, text: string) =>
  office.root(text).then(
    () => "done",
    (error: unknown) => String(error),
  );

async function stateOf(office: Office, batch: string): Promise<unknown> {
  return JSON.parse((await office.at("auditor")`batch show ${batch} --json`).stdout).state;
}

withPostgres("levels of approval", (server) => {
  beforeAll(() => hire(server));

  test("require more approvals for larger totals, and count each person once", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ levels: [{ upTo: "10", approvals: 1 }, { upTo: "20", approvals: 2 }, { approvals: 3 }] });
    const small = await office.submit("amina", 2, amounts(4, 6));
    const large = await office.submit("amina", 2, "reference,amount\nL-1,10\nL-2,1\n");
    const done = await approve(office, "baraka", small);
    expect(JSON.parse(done.stdout)).toMatchObject({ state: "approved", missing: null });
    const first = await approve(office, "baraka", large);
    expect(first).toMatchObject({ exit: 0 });
    expect(JSON.parse(first.stdout)).toMatchObject({ state: "submitted", missing: "1 more approval is missing" });
    expect(first.stderr).toContain("Approved; 1 more approval is missing.");
    const again = await approve(office, "baraka", large);
    expect(again).toMatchObject({ exit: 0 });
    expect(again.stderr).toContain("Your approval, or that of a deputy, counts already; 1 more approval is missing.");
    await expect(office.sql("baraka", approval(large))).rejects.toThrow("baraka");
    // The same person under another name.
    await office.root("GRANT baraka TO neema");
    const tied = await approve(office, "neema", large);
    await office.root("REVOKE baraka FROM neema");
    expect(tied).toMatchObject({ exit: 3, stdout: "" });
    expect(tied.stderr).toContain("each person counts once");
    const early = await office.at("runner")`batch run --approved ${large} --yes`;
    expect(early).toMatchObject({ exit: 2, stdout: "" });
    expect(early.stderr).toContain("1 more approval is missing");
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect([...movedEach(simulator, 2), timesMoved(simulator, "L-1")]).toEqual([1, 1, 0]);
    expect(await approve(office, "zuri", large)).toMatchObject({ exit: 0 });
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(timesMoved(simulator, "L-1")).toBe(1);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
  });

  test("require one approval from each group, and never count the maker", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.root(
      "CREATE ROLE treasury; CREATE ROLE director; GRANT treasury TO baraka; GRANT director TO neema, zuri",
    );
    await office.rule({ levels: [{ approvals: 1, groups: ["treasury", "director"] }] });
    const batch = await office.submit("zuri", 2);
    expect(await approve(office, "zuri", batch)).toMatchObject({ exit: 3, stdout: "" });
    const first = await approve(office, "baraka", batch);
    expect(first.stderr).toContain("an approval by a member of director is missing");
    const order = await rejected(office, orderFor(batch));
    expect(order).toContain("nobody of director approved");
    const second = await approve(office, "neema", batch);
    expect(JSON.parse(second.stdout)).toMatchObject({ state: "approved" });
    // The groups at the time of the approval count, not the present ones.
    await office.root("REVOKE treasury FROM baraka; DROP ROLE treasury; DROP ROLE director");
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
  });

  test("include their exact upper amount, and count the approval of a former checker", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ levels: [{ upTo: "10", approvals: 1 }, { approvals: 2 }] });
    const exact = await office.submit("amina", 1, "reference,amount\nA-1,10\n");
    const over = await office.submit("amina", 1, "reference,amount\nB-1,11\n");
    for (const batch of [exact, over]) await office.at("baraka")`batch approve ${batch} --yes`;
    await office.root(`REVOKE ${office.group("checker")} FROM baraka`);
    expect(await office.at("baraka")`batch approve ${over} --yes`).not.toMatchObject({ exit: 0 });
    const ran = await office.at("runner")`batch run --approved --yes --json`;
    expect(ran.exit).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject([{ batch: exact, accepted: 1 }]);
    expect(await office.at("neema")`batch reject ${over} --reason left --yes`).toMatchObject({ exit: 0 });
  });

  test("depend on the account, the kind and the largest row", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({
      levels: [
        { account: "9000112233", kind: "transfer", upTo: "5", largestRow: true, approvals: 1 },
        { account: "9000112233", approvals: 2 },
        { approvals: 3 },
      ],
    });
    const even = await office.submit("amina", 3, amounts(5, 5, 5));
    const uneven = await office.submit("amina", 2, "reference,amount\nU-1,1\nU-2,6\n");
    expect(JSON.parse((await approve(office, "baraka", even)).stdout)).toMatchObject({ state: "approved" });
    const missing = JSON.parse((await approve(office, "baraka", uneven)).stdout);
    expect(missing).toMatchObject({ missing: "1 more approval is missing" });
  });

  test("that do not cover a sum or a currency let no one approve the batch", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ levels: [{ upTo: "10", approvals: 1 }] });
    const batch = await office.submit("amina", 2, amounts(5, 6));
    const refused = await approve(office, "baraka", batch);
    expect(refused).toMatchObject({ exit: 4, stdout: "" });
    expect(refused.stderr).toContain("No level of the rules is for a batch of 11 TZS");
    const dollars = await office.submit("amina", 1, "reference,amount\nD-1,5\n");
    expect(await approve(office, "baraka", dollars)).toMatchObject({ exit: 0 });
    // The wallet's real currency counts, not the one under which the batch was approved.
    await office.root("INSERT INTO partner.wallets SELECT scope, '9000112233', '', 'USD' FROM partner.batches LIMIT 1");
    expect(await rejected(office, orderFor(dollars, "D-1"))).toContain("no level of the rules is for 5 USD");
  });

  test("require more approvals when a receiver is paid for the first time", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ newReceiver: { approvals: 2 } });
    const first = await office.submit("amina", 2);
    expect(JSON.parse((await approve(office, "baraka", first)).stdout)).toMatchObject({ state: "submitted" });
    await approve(office, "zuri", first);
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    const known = await office.submit("amina", 1, "reference,amount\nK-1,9\n");
    expect(JSON.parse((await approve(office, "baraka", known)).stdout)).toMatchObject({ state: "approved" });
  });

  test("at submission and now both apply to a waiting batch: the stricter one counts", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ levels: [{ approvals: 2 }] });
    const strict = await office.submit("amina", 1);
    await office.rule({ levels: [{ approvals: 1 }] });
    expect(JSON.parse((await approve(office, "baraka", strict)).stdout)).toMatchObject({ state: "submitted" });
    const easy = await office.submit("amina", 1, "reference,amount\nE-1,7\n");
    expect(JSON.parse((await approve(office, "baraka", easy)).stdout)).toMatchObject({ state: "approved" });
    await office.rule({ levels: [{ approvals: 3 }] });
    expect(await stateOf(office, easy)).toBe("submitted");
    const ran = await office.at("runner")`batch run --approved ${easy} --yes`;
    expect(ran).toMatchObject({ exit: 2, stdout: "" });
    expect(ran.stderr).toContain("2 more approvals are missing");
    expect(timesMoved(simulator, "E-1")).toBe(0);
    await approve(office, "zuri", easy);
    await approve(office, "neema", easy);
    expect(await office.at("runner")`batch run --approved --yes`).toMatchObject({ exit: 0 });
    expect(timesMoved(simulator, "E-1")).toBe(1);
    // The maker can withdraw it until it is approved.
    expect(await office.at("amina")`batch withdraw ${strict}`).toMatchObject({ exit: 0 });
  });

  test("do not trust false amounts that a maker enters by SQL", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    await office.rule({ levels: [{ upTo: "10", approvals: 1 }, { approvals: 3 }] });
    await office.submit("amina", 1, amounts(5000));
    await office.sql("amina", submittedCopy("abcdabcdabcdabcd", "replace(orders, '\"5000\"', '\"5\"')"));
    expect(await approve(office, "baraka", "abcdabcdabcdabcd")).toMatchObject({ exit: 3, stdout: "" });
    // Even if a checker approves it without looking, the order is not the row of its batch.
    await office.sql("baraka", approval("abcdabcdabcdabcd"));
    expect(await rejected(office, orderFor("abcdabcdabcdabcd", "R-1", 5000))).toContain("not the row of its batch");
    // A batch without amounts needs the highest level.
    await office.sql(
      "amina",
      submittedCopy("dcbadcbadcbadcba", "json_build_array(json_build_array(2, 'transfer', 'R-1', repeat('0', 64)))"),
    );
    await office.sql("baraka", approval("dcbadcbadcbadcba"));
    expect(await rejected(office, orderFor("dcbadcbadcbadcba"))).toContain("it has 1 of 3 approvals");
  });
});

const orderFor = (batch: string, reference = "R-1", amount = 5) => orderOf(batch, "transfer", reference, { amount });
