import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import { draftFile, remittanceWith } from "./remittance.ts";

const atTerminal = { terminal: { stdin: true, stdout: true, stderr: true }, columns: 500, answers: [true], now };

describe("on a terminal a money command ends with a sentence", () => {
  test("that names payer, receiver, amount and the new balance of a transfer", async ({ partnerIn }) => {
    const partner = partnerIn(atTerminal);
    const { exit, stdout } =
      await partner`transfer --from 9000112233 --to 9000112244 --amount 250000 --description Salary --reference SAL-2026-40`;
    expect(exit).toBe(0);
    const { stdout: balance } = await partnerIn(
      {},
    )`wallet balance 9000112233 --csv --columns availableBalance --no-header`;
    const left = balance.trim().replace(/\B(?=(\d{3})+\.)/g, ",");
    expect(stdout).toMatch(
      /^Sent TZS 250,000\.00 from 9000112233 to .+ \(9000112244\), reference SAL-2026-40\. Balance now /,
    );
    expect(stdout.endsWith(`Balance now ${left}.\n`)).toBe(true);
  });

  test("broken between words, never within an amount", async ({ partnerIn }) => {
    const partner = partnerIn({ ...atTerminal, columns: 60, environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    const { stdout } =
      await partner`transfer --from 9000112233 --to 9000112244 --amount 250000 --description pay --reference SAL-2026-40`;
    expect(stdout).toMatch(/^[^\n]{1,60}\n[^\n]{1,60}\n$|^[^\n]{1,60}\n[^\n]{1,60}\n[^\n]{1,60}\n$/);
    expect(stdout.replaceAll("\n", " ")).toMatch(/ Balance now [\d,]+\.\d\d\. $/);
  });

  test("that says nothing was sent now when the reference was used before", async ({ partnerIn }) => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    const line = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-1";
    await partnerIn({ environment })`${line} --yes`;
    const { exit, stdout, stderr } = await partnerIn({ ...atTerminal, environment })`${line}`;
    expect(exit).toBe(0);
    expect(stderr).toMatch(
      /^Reference R-1 was ordered before, at .+ \(accepted\)\. It is not sent again\.\nIts history: partner journal show [0-9a-f-]+\n$/,
    );
    expect(stdout).toMatch(
      /^Nothing was sent now\. The transfer of TZS 5,000\.00 from 9000112233 to .+ \(9000112244\) was made before, reference R-1\.\n$/,
    );
  });

  test("of its own for withdrawals, collections and remittances", async ({ partnerIn }) => {
    const partner = partnerIn({ ...atTerminal, answers: [] });
    const withdrawn = await partner`withdraw --account 9000112233 --amount 1500.50 --narration n --reference W-1 --yes`;
    expect(withdrawn.stdout).toMatch(
      /^Withdrew TZS 1,500\.50 from 9000112233 to the main account, reference W-1\. Balance now [\d,.]+\.\n$/,
    );
    const asked =
      await partner`collect --msisdn 0712345678 --channel TZ-TIGO-C2B --amount 15000 --narration n --reference C-1 --callback-url https://h.example/x --yes`;
    expect(asked.stdout).toBe("Asked 255712345678 to pay TZS 15,000.00; the answer is not known yet, reference C-1.\n");
    const draft = draftFile(remittanceWith({ partnerReference: "INV-7" }));
    const remitted = await partner`remit --from-file ${draft} --yes`;
    expect(remitted.stdout).toMatch(/^Ordered TZS [\d,.]+ for .+ \(\d+\); it is under way, reference INV-7\.\n$/);
  });

  test("for an unknown outcome, and exit code 6", async ({ partnerIn, faults }) => {
    faults.loseNextAnswer();
    const { exit, stdout, stderr } = await partnerIn(
      atTerminal,
    )`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9`;
    expect(exit).toBe(6);
    expect(stdout).toMatch(
      /^The outcome of the transfer of TZS 5,000\.00 from 9000112233 to .* is unknown, reference R-9\.\n$/,
    );
    expect(stderr).toContain("Money may have moved.");
  });

  test("for a refusal, and the error adds the reason", async ({ partnerIn }) => {
    const { exit, stdout, stderr } = await partnerIn(
      atTerminal,
    )`transfer --from 9000112233 --to 9000112299 --amount 5000 --description d --reference R-3`;
    expect(exit).toBe(4);
    expect(stdout).toBe("The transfer of TZS 5,000.00 from 9000112233 to 9000112299 was refused, reference R-3.\n");
    expect(stderr).toContain(" HTTP 404: the service said NOT_FOUND.\nNo money moved.\n");
    expect(stderr).not.toContain("refused");
  });

  test("unless stdout and stderr are not both terminals: then the error says what happened", async ({ partnerIn }) => {
    const line = "transfer --from 9000112233 --to 9000112299 --amount 5000 --description d --reference R-3 --yes";
    const said = "The transfer was refused. HTTP 404: the service said NOT_FOUND.\n";
    expect((await partnerIn({})`${line}`).stderr).toContain(said);
    const terminal = { stdin: true, stdout: true, stderr: false };
    expect((await partnerIn({ terminal })`${line}`).stderr).toContain(said);
  });

  test("without the balance when it cannot be read", async ({ partnerIn, faults }) => {
    faults.plan("fail-request=wallet-balance");
    const { exit, stdout } = await partnerIn(
      atTerminal,
    )`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-2`;
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^Sent TZS 5,000\.00 .*, reference R-2\.\n$/);
  });

  test("but JSON, --save, --columns and pipes get the movement", async ({ partnerIn }) => {
    const line = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --yes --again";
    const partner = partnerIn({ ...atTerminal, answers: [] });
    expect(JSON.parse((await partner`${line} --json`).stdout)).toMatchObject({ kind: "transfer", state: "accepted" });
    expect((await partner`${line} --columns state`).stdout).toBe("state  accepted\n");
    const file = join(temporaryFolder(), "outcome.txt");
    await partner`${line} --save ${file}`;
    expect(readFileSync(file, "utf8")).toMatch(/^id +/);
    expect((await partnerIn({})`${line}`).stdout).toMatch(/\nrequest amount +5000\n/);
  });
});

test("tables contain no JSON, and identity documents stay masked on a terminal", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const remittance = remittanceWith({ partnerReference: "INV-8" });
  const draft = join(temporaryFolder(), "draft.json");
  writeFileSync(draft, JSON.stringify(remittance));
  await partnerIn({ environment })`remit --from-file ${draftFile(remittance)} --yes`;
  const { stdout: json } = await partnerIn({ environment })`journal show INV-8 --json`;
  const { idNumber, dateOfBirth } = JSON.parse(json).request.sender;
  const table = await partnerIn({ environment })`journal show INV-8`;
  expect(table.stdout).not.toMatch(/[{}]/);
  expect(table.stdout).toContain(idNumber);
  const seen = await partnerIn({ ...atTerminal, environment })`journal show INV-8`;
  expect(seen.stdout).not.toMatch(/[{}]/);
  for (const secret of [idNumber, dateOfBirth]) expect(seen.stdout).not.toContain(secret);
  expect(seen.stdout).toMatch(/request sender id number +\*{8}\n/);
});
