import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test as base } from "../simulated.ts";

const test = base.extend({ extensions: true });

test("a payout whose answer was lost is found with its row, which only the fee links to it", async ({
  partnerIn,
  faults,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  faults.loseNextAnswer();
  await partner`payout --from 9000112233 --to 255712000111 --name "ASHA JUMA" --amount 25000 --narration "Salary" --reference SAL-17 --yes`;
  await partner`ledger sync`;
  const [payment, ...others] = JSON.parse((await partner`find SAL-17 --offline --json`).stdout);
  expect(others).toEqual([]);
  expect(payment.events.map(({ what }: { what: string }) => what)).toEqual([
    "ordered",
    "sent",
    "unknown",
    "row",
    "fee",
  ]);
  expect(payment.sentence).not.toContain("no row");
  expect(payment.sentence).toMatch(/Booked on \S+ in 9000112233\. Its fee was TZS/);
});
