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

test("a collection without a row is open in the accounts of its currency alone", async ({ partnerIn }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`ledger sync`;
  await partner`collect --msisdn 0712345678 --channel TZ-TIGO-C2B --amount 1500 --narration n --reference C-1 --callback-url https://h.example/x --yes`;
  const openIn = async (account: string) =>
    (await partner`report open --account ${account} --where reference=C-1 --csv --columns state,reference`).stdout;
  expect(await openIn("9000445566")).toBe("state,reference\n");
  expect(await openIn("0560066551200")).toBe("state,reference\npending,C-1\n");
});

test("an order of another wallet isn't open in the one that is asked for", async ({ partnerIn, faults }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`ledger sync`;
  faults.loseNextAnswer();
  await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9 --yes`;
  const openIn = async (account: string) =>
    (await partner`report open --account ${account} --where reference=R-9 --csv --columns reference`).stdout;
  expect(await openIn("9000112244")).toBe("reference\n");
  expect(await openIn("9000112233")).toBe("reference\nR-9\n");
});
