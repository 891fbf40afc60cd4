import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

test("an order without an outcome has the currency of the wallet that pays", async ({ partnerIn, faults }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`ledger sync`;
  faults.loseNextAnswer();
  await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9 --yes`;
  const { stdout } = await partner`report open --where state=unknown --csv --columns reference,amount,currency`;
  expect(stdout).toBe("reference,amount,currency\nR-9,-5000.00,TZS\n");
});
