import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

// Orders that are easily taken for one another, or for something that they no longer are.

const folders = () => ({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
const idIn = (stdout: string) => String(Object(JSON.parse(stdout))["id"]);
const fromWallet = "--from 9000112233 --to 9000112244 --amount 400 --yes --json";

test("a withdrawal doesn't count as done because a transfer has the same reference and amount", async ({
  partnerIn,
  faults,
}) => {
  const partner = partnerIn(folders());
  expect(await partner`transfer ${fromWallet} --description rent --reference R-1`).toMatchObject({ exit: 0 });
  faults.plan("reset-request=money:1");
  const lost = await partner`withdraw --account 9000112233 --amount 400 --narration x --reference R-1 --yes --json`;
  expect(lost).toMatchObject({ exit: 6 });
  expect(await partner`journal resolve ${idIn(lost.stdout)} --json`).toMatchObject({ exit: 6 });
});

test("a withdrawal doesn't count as done because another one's narration names its reference", async ({
  partnerIn,
  faults,
}) => {
  const partner = partnerIn(folders());
  const other = "--account 9000112233 --amount 400 --reference R-2 --yes --json";
  expect(await partner`withdraw ${other} --narration "instead of R-1"`).toMatchObject({ exit: 0 });
  faults.plan("reset-request=money:1");
  const lost = await partner`withdraw --account 9000112233 --amount 400 --narration x --reference R-1 --yes --json`;
  expect(await partner`journal resolve ${idIn(lost.stdout)} --json`).toMatchObject({ exit: 6 });
});

test("a withdrawal is proved by its own row, whatever the narrations of other rows say", async ({
  partnerIn,
  faults,
}) => {
  const partner = partnerIn(folders());
  const other = "--account 9000112233 --amount 400 --reference R-2 --yes --json";
  expect(await partner`withdraw ${other} --narration "instead of R-1"`).toMatchObject({ exit: 0 });
  faults.loseNextAnswer();
  const lost = await partner`withdraw --account 9000112233 --amount 400 --narration x --reference R-1 --yes --json`;
  expect(await partner`journal resolve ${idIn(lost.stdout)} --json`).toMatchObject({ exit: 0 });
});

test("an unknown transfer stays unknown when its wallets turn out to have two currencies", async ({
  partnerIn,
  faults,
}) => {
  const partner = partnerIn(folders());
  const line = "--from 9000112233 --to 9000445566 --amount 400 --description rent --reference R-1 --yes --json";
  // The wallets cannot be looked up, so the difference stays unnoticed before it is sent; then the answer is lost.
  faults.plan("fail-request=list-wallets:1");
  faults.loseNextAnswer();
  expect(await partner`transfer ${line}`).toMatchObject({ exit: 6 });
  expect(await partner`transfer ${line}`).toMatchObject({ exit: 6 });
});

test("a withdrawal is the same request whether its day was typed or filled in", async ({ partnerIn }) => {
  const partner = partnerIn(folders());
  const line = "--account 9000112233 --amount 400 --narration x --reference R-1 --yes --json";
  const first = await partner`withdraw ${line}`;
  expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining('"transactionDate": "2026-03-31"') });
  expect(await partner`withdraw ${line} --date 2026-03-31`).toMatchObject({ exit: 0, stdout: first.stdout });
});
