import { beforeAll, expect } from "vitest";
import { remittanceExamples } from "../../src/movements/batch/examples.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { openDesk } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

/** A batch of one remittance, with its cells of the template's example but for these. */
function remittance(cells: Readonly<Record<string, string>>): string {
  const row = { reference: "R-1", ...remittanceExamples, paymentDate: "2026-03-31T08:00:00+03:00", ...cells };
  const line = Object.values(row).map((cell) => `"${cell}"`);
  return openDesk().write(`${Object.keys(row).join(",")}\n${line.join(",")}\n`);
}

const small = { senderCurrency: "USD", senderAmount: "900000.00", exchangeRate: "2500", receiverAmount: "1000" };
const warning = "At that rate the sender's amount is 2,250,000,000.00 TZS; the receiver would get 1,000.00 TZS.";

test("a batch says that a remittance's amounts do not fit its rate", async ({ partner }) => {
  const checked = await partner`batch check ${remittance(small)} --kind remit`;
  expect(checked).toMatchObject({ exit: 0 });
  expect(checked.stderr).toContain(`line 2 (R-1): ${warning}`);
  expect((await partner`batch check ${remittance({})} --kind remit`).stderr).not.toContain("At that rate");
});

withPostgres("remittances that others approve", (server) => {
  beforeAll(() => hire(server));

  test("show what their senders pay, and amounts that do not fit the rate", async ({ simulator }) => {
    const office = await openOffice(server, simulator);
    const submitted = await office.at("amina")`batch submit ${remittance(small)} --kind remit --json`;
    expect(submitted.stderr).toContain(warning);
    const { batch } = JSON.parse(submitted.stdout);
    const terminal = { stdin: true, stderr: true };
    const seen = (await office.at("baraka", { terminal, answers: [false] })`batch approve ${batch}`).stderr;
    expect(seen).toContain('  1,000.00 TZS  "School fees"  (the sender pays 900,000.00 USD)\n');
    expect(seen).toContain(`Amounts that do not fit their rate (1):\n  line 2: ${warning}\n`);
    const { rows } = JSON.parse((await office.at("baraka")`batch show ${batch} --json`).stdout);
    expect(rows).toMatchObject([{ amount: 1000, currency: "TZS", senderAmount: 900000, senderCurrency: "USD" }]);
  });
});
