import { readFileSync } from "node:fs";
import { beforeAll, expect } from "vitest";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

const two = { levels: [{ upTo: "1000000", approvals: 1 }, { approvals: 2 }], expiry: "3d" };
const write = (rules: unknown) => openDesk().write(typeof rules === "string" ? rules : JSON.stringify(rules), "r.json");

const levels = (...all: readonly object[]) => ({ levels: all });

withPostgres("the rules of approval", (server) => {
  beforeAll(() => hire(server));

  test("are set by two people who give the same rules, and their whole history is kept", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const none = JSON.parse((await office.at("auditor")`approvals show --json`).stdout);
    expect(none).toEqual({ rules: { levels: [{ approvals: 1 }] }, proposed: [], deputies: [], rows: [] });
    const file = write(two);
    const first = await office.at("baraka")`approvals set ${file} --json`;
    expect(first).toMatchObject({ exit: 0 });
    expect(JSON.parse(first.stdout)).toMatchObject({ state: "proposed", firstBy: "baraka", secondBy: null });
    expect(first.stderr).toContain("One more person is missing");
    const again = await office.at("baraka")`approvals set ${file} --json`;
    expect(JSON.parse(again.stdout)).toMatchObject({ state: "proposed" });
    // The same rules, in a file that looks different.
    const same = write(`{"$schema":"approvals.json","expiry":"3d",
      "levels":[{"approvals":1,"currency":"TZS","upTo":1000000.00},{"approvals":2}]}`);
    const second = await office.at("zuri")`approvals set ${same} --json`;
    expect(JSON.parse(second.stdout)).toMatchObject({ state: "in force", firstBy: "baraka", secondBy: "zuri" });
    const later = write({ levels: [{ approvals: 2 }] });
    await office.at("owner")`approvals set ${later}`;
    await office.at("baraka")`approvals set ${later}`;
    const shown = JSON.parse((await office.at("auditor")`approvals show --json`).stdout);
    expect(shown).toMatchObject({ rules: { levels: [{ approvals: 2 }] }, proposed: [] });
    expect(shown.rows).toMatchObject([
      { number: 1, firstBy: "baraka", secondBy: "zuri", before: null },
      { number: 2, firstBy: "owner", secondBy: "baraka", after: '{"levels":[{"approvals":2}]}' },
    ]);
    expect(shown.rows[1].before).toBe(shown.rows[0].after);
  });

  test("are shown in words on a terminal of 80 columns, each on its own line", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const terminal = { terminal: { stdout: true, columns: 80 } };
    const none = await office.at("auditor", terminal)`approvals show`;
    expect(none.stdout).toBe("In force:\n  every amount: 1 approval\n");
    expect(none.stderr).toBe("No rules were set: one checker approves a batch.\n");
    const rules = {
      levels: [
        { kind: "payout", account: "9000112233", upTo: "250000", largestRow: true, approvals: 1 },
        { upTo: "1000000", approvals: 1 },
        { upTo: "5000.5", currency: "USD", approvals: 2 },
        { approvals: 2, groups: [office.group("checker")] },
      ],
      newReceiver: { approvals: 2 },
      expiry: "3d",
      limits: { maker: { day: "100000000,USD=5000", openBatches: 1 }, checker: { decision: "500000000" } },
    };
    const file = write(rules);
    const proposed = await office.at("baraka", terminal)`approvals set ${file}`;
    expect(proposed.stdout).not.toMatch(/[{}]/);
    expect((await office.at("auditor", terminal)`approvals show`).stdout).toContain("Proposed by baraka, ");
    await office.at("zuri")`approvals set ${file}`;
    const { stdout } = await office.at("auditor", terminal)`approvals show`;
    expect(stdout.slice(stdout.indexOf("In force:"))).toBe(
      `In force:
  payouts from 9000112233, rows up to TZS 250,000.00: 1 approval
  up to TZS 1,000,000.00: 1 approval
  up to USD 5,000.50: 2 approvals
  everything else: 2 approvals, one from ${office.group("checker")}
  a receiver who was never paid before: 2 approvals
  an approval counts for 3d
  a maker submits at most TZS 100,000,000.00 and USD 5,000.00 a day
  a maker has at most 1 open batch
  a checker approves batches of at most TZS 500,000,000.00
`,
    );
    expect(stdout.split("\n").every((line) => line.length <= 80)).toBe(true);
    expect(stdout).not.toMatch(/[{}]/);
  });

  test("cannot be set by makers, and a proposal from before a change is void", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const file = write(two);
    const other = write({ levels: [{ approvals: 2 }] });
    for (const person of ["amina", "runner", "auditor"] as const)
      expect(await office.at(person)`approvals set ${file}`).toMatchObject({ exit: 3, stdout: "" });
    await office.at("baraka")`approvals set ${other}`;
    await office.at("baraka")`approvals set ${file}`;
    await office.at("zuri")`approvals set ${file}`;
    const late = await office.at("zuri")`approvals set ${other} --json`;
    expect(JSON.parse(late.stdout)).toMatchObject({ state: "proposed", firstBy: "zuri" });
    const words = ["UPDATE partner.rules SET rules = '{}'", "DELETE FROM partner.rule_words"];
    for (const sql of words) await expect(office.sql("baraka", sql)).rejects.toThrow("permission denied");
    const forged = "INSERT INTO partner.rule_words (rules, who, said_by) VALUES ('{}', '', 'zuri')";
    await expect(office.sql("baraka", forged)).rejects.toThrow("permission denied");
    await expect(office.sql("amina", "INSERT INTO partner.rules VALUES (9, '{}', 1, 2)")).rejects.toThrow("permission");
    await expect(office.root("DELETE FROM partner.rules")).rejects.toThrow("never changed");
  });

  test("are not set by one person under two names", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const file = write({ expiry: "3d" });
    await office.at("baraka")`approvals set ${file}`;
    await office.root("GRANT baraka TO zuri");
    const other = await office.at("zuri")`approvals set ${file} --json`;
    await office.root("REVOKE baraka FROM zuri");
    expect(JSON.parse(other.stdout)).toMatchObject({ state: "proposed" });
    const none = JSON.parse((await office.at("auditor")`approvals show --json`).stdout);
    expect(none.rows).toEqual([]);
  });

  test("that could never be met are refused", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    await office.root("CREATE ROLE treasury; GRANT treasury TO amina, zuri");
    const hopeless: readonly (readonly [unknown, string])[] = [
      [levels({ approvals: 4 }), "there are 3 checkers beside the maker"],
      [{ newReceiver: { approvals: 5 } }, "they ask for 5 approvals"],
      [levels({ approvals: 1, groups: ["director"] }), "the role director does not exist"],
      [levels({ approvals: 1, groups: ["treasury"] }), "the role treasury has no member who may approve"],
    ];
    for (const [rules, words] of hopeless) {
      const { exit, stdout, stderr } = await office.at("baraka")`approvals set ${write(rules)}`;
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
      expect(stderr).toContain(words);
    }
    await office.root("GRANT treasury TO baraka");
    const fine = write(levels({ approvals: 1, groups: ["treasury"] }));
    expect(await office.at("baraka")`approvals set ${fine}`).toMatchObject({ exit: 0 });
    await office.root(`REVOKE ${office.group("checker")} FROM baraka, zuri, neema`);
    const nobody = await office.at("owner")`approvals set ${write({ expiry: "1d" })}`;
    await office.root(`GRANT ${office.group("checker")} TO baraka, zuri, neema; DROP ROLE treasury`);
    expect(nobody).toMatchObject({ exit: 2 });
    expect(nobody.stderr).toContain("there is no checker");
  });

  test("with mistakes in their file are refused, each mistake with its place", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const wrong: readonly (readonly [unknown, string])[] = [
      ['{"levels":[{"approvals":1}],"level":1}', 'line 1, column 37: level: "level" is unknown'],
      [{ levels: [] }, "levels: is not a list of levels"],
      [{ levels: [{ upTo: "10" }] }, "levels.0: has no approvals"],
      [{ levels: [{ upTo: "ten", approvals: 1 }] }, "levels.0.upTo: is not an amount"],
      [{ levels: [{ approvals: 0 }] }, "levels.0.approvals: is not a whole number from 1"],
      [{ levels: [{ approvals: 1 }, { upTo: "10", approvals: 2 }] }, "levels.1: is never reached"],
      [{ levels: [{ largestRow: true, approvals: 1 }] }, "levels.0.largestRow: says nothing without upTo"],
      [
        {
          levels: [
            { upTo: "10", approvals: 1 },
            { upTo: "20", approvals: 1 },
          ],
          limits: { checker: { decision: "10" } },
        },
        "no checker may decide",
      ],
      [{ expiry: "soon" }, "expiry: is not a length of time"],
      [{ limits: { maker: { day: "much" } } }, "limits.maker.day: must be amounts"],
      ["{", "line 1, column 2"],
    ];
    for (const [rules, words] of wrong) {
      const { exit, stdout, stderr } = await office.at("baraka")`approvals set ${write(rules)}`;
      expect({ words, exit, stdout }).toEqual({ words, exit: 2, stdout: "" });
      expect(stderr).toContain(words);
    }
    expect(await office.root("SELECT * FROM partner.rule_words")).toEqual([]);
  });
});

test("the schema of the rules names every member that a file may have", () => {
  const schema: unknown = JSON.parse(readFileSync("docs/schemas/approvals.json", "utf8"));
  expect(schema).toMatchObject({
    additionalProperties: false,
    properties: { $schema: {}, levels: {}, newReceiver: {}, expiry: {}, limits: {} },
  });
});
