import { expect } from "vitest";
import { test } from "../simulated.ts";
import { errorIn } from "./served.ts";

test("the figures under the rows show their currency", async ({ partner }) => {
  await partner`transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference R-1 --yes`;
  const { stdout } = await partner`reconcile --account 9000112233 --today`;
  expect(stdout).toMatch(/^Totals in TZS:\n +rows +statement +book +difference$/m);
  expect(stdout).toMatch(/^Statement in TZS:\nopening +[\d,]+\.\d\d\n/m);
  expect(stdout).toMatch(/^From the statement to the book in TZS:\nclosing per statement +[\d,]+\.\d\d\n/m);
});

test("a missing period and a missing account are named together", async ({ partner }) => {
  const { exit, stderr } = await partner`reconcile`;
  expect(exit).toBe(2);
  expect(stderr).toContain("Error: No period is given. --account is missing.\n");
  expect(stderr).toMatch(/^Hint: Add --month .* See what it takes: partner reconcile --help$/m);
  const alone = await partner`reconcile --account 9000112233 --json`;
  expect(errorIn(alone)["message"]).toBe("No period is given.");
});
