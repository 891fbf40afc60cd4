import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import { openDesk } from "./batch-service.ts";
import { draftFile, remittanceWith } from "./remittance.ts";

// In January, people often write last year's date. Today is 2026-03-31.

const withdraw = "withdraw --account 9000112233 --amount 10 --narration x --reference W-1";
const slip = "The withdrawal is dated 2025-03-31, 365 days before today (2026-03-31).";
const person = {
  terminal: { stdin: true, stdout: true, stderr: true },
  columns: 500,
  now,
  environment: { PARTNER_CONFIG_DIR: temporaryFolder(), NO_COLOR: "1" },
};

describe("an order with a date far from today", () => {
  test("shows its date above the question, with a warning", async ({ partnerIn }) => {
    const { exit, stderr } = await partnerIn({ ...person, answers: [false] })`${withdraw} --date 2025-03-31`;
    expect(exit).toBe(130);
    expect(stderr).toMatch(/^ {2}date +2025-03-31$/m);
    expect(stderr).toContain(`Warning: ${slip}\n`);
  });

  test("gets a warning in a dry run, and is sent with its date when --yes is given", async ({ partner }) => {
    const dry = await partner`${withdraw} --date 2025-03-31 --dry-run`;
    expect(dry).toMatchObject({ exit: 0, stderr: `Warning: ${slip}\nNothing was sent.\n` });
    const sent = await partner`${withdraw} --date 2027-03-31 --yes --json`;
    expect(sent).toMatchObject({ exit: 0, stderr: "" });
    expect(JSON.parse(sent.stdout)).toMatchObject({ request: { transactionDate: "2027-03-31" } });
  });

  test("gets one warning for each date in a batch, with the line of the first row", async ({ partnerIn }) => {
    const desk = openDesk();
    const rows = ["2025-03-31", "2026-03-31", "2025-03-31", ""].map(
      (day, at) => `W-${at},9000112233,${at + 1},x,${day}`,
    );
    const file = desk.write(`reference,account,amount,narration,date\n${rows.join("\n")}\n`);
    const { exit, stderr } = await partnerIn(desk)`batch check ${file} --kind withdraw`;
    expect(exit).toBe(0);
    expect(stderr).toContain(`Warning: line 2 (W-0) and 1 more row: ${slip}\n`);
    expect(stderr).not.toContain("W-1");
  });

  test("gets a warning when a draft of last month is sent again", async ({ partner }) => {
    const paymentDate = "2026-02-28T22:30:00Z";
    const draft = draftFile(remittanceWith({ partnerReference: "R-1", paymentDate }));
    const { exit, stderr } = await partner`remit --from-file ${draft} --dry-run`;
    expect(exit).toBe(0);
    expect(stderr).toContain("Warning: The remittance is dated 2026-03-01, 30 days before today (2026-03-31).\n");
  });
});

test("a date from yesterday to a week ahead is shown without a warning", async ({ partnerIn }) => {
  for (const day of ["2026-03-30", "2026-03-31", "2026-04-07"]) {
    const { stderr } = await partnerIn({ ...person, answers: [false] })`${withdraw} --date ${day}`;
    expect(stderr).toMatch(new RegExp(`^ {2}date +${day}$`, "m"));
    expect(stderr).not.toContain("Warning");
  }
});
