import { describe, expect } from "vitest";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accountScope } from "../../src/journal/account-name.ts";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { claimOf, orderOf, send } from "../journal/orders.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import { atTerminal, draftFile, remit, remittanceWith } from "./remittance.ts";

/** Texts that are not mobile numbers, even if they look like one on a screen. */
const strange = [
  "x",
  "071234567",
  "07123456789",
  "0712\u200b345678",
  "\u0660\u0667\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668",
];

function toBank(receiverAccount: string): string {
  return draftFile(remittanceWith({ receiverChannel: "BANK", institutionCode: "CORUTZTZ", receiverAccount }));
}

/** Writes a remittance into the journal that an earlier version sent and the service accepted. */
async function order(folder: string, simulator: RunningSimulator, request: string): Promise<void> {
  const place = { stateFolder: join(folder, "state"), configFolder: folder, version: "test", warn: () => undefined };
  const journal = await openJournal(memoryHost({ now }), { ...place, use: "write" });
  const { environment, baseUrl, accountId } = simulator;
  const scope = accountScope({ environment, baseUrl, accountId });
  const volatile = ["paymentDate"];
  const claim = claimOf(await journal.open(orderOf({ scope, kind: "remit", reference: "INV-1", request, volatile })));
  await send(claim, "request-1");
  await claim.settle({ state: "pending", response: "{}" });
  await journal.close();
}

describe("the mobile number of a remittance", () => {
  test.for(strange)("%j is refused before anything is sent", async (account, { simulator }) => {
    for (const words of [
      ["--from-file", draftFile(remittanceWith({ receiverAccount: account }))],
      ["--from-file", draftFile(remittanceWith({})), "--receiver-account", account],
    ]) {
      const ended = await remit(simulator, [...words, "--reference", "INV-1", "--yes"]);
      expect(ended).toMatchObject({ exit: 2, stdout: "" });
      expect(ended.stderr).toContain(
        "--receiver-account: receiverAccount must be a mobile number, as the channel is MOBILE",
      );
    }
    expect(simulator.world.remittances.size).toBe(0);
  });

  test("is refused in a batch, and the cell is named", async ({ partnerIn, simulator }) => {
    const path = join(temporaryFolder(), "remit.csv");
    const partner = partnerIn({});
    const { stdout } = await partner`batch template --kind remit --example`;
    writeFileSync(path, stdout.replace(",255712345678,", ",071234567,"));
    const checked = await partner`batch check ${path} --kind remit`;
    expect(checked).toMatchObject({ exit: 2, stdout: "" });
    expect(checked.stderr).toMatch(/line 2, receiverAccount: must be a mobile number, as the channel is MOBILE/);
    expect(simulator.world.remittances.size).toBe(0);
  });

  test("is asked for again on a terminal, and sent in the service's format", async ({ simulator }) => {
    const draft = draftFile(remittanceWith({ receiverAccount: "071234567" }));
    const world = atTerminal(["0712\u00a0345\u00a0678", true]);
    const sent = await remit(simulator, ["--from-file", draft, "--reference", "INV-1", "--json"], world);
    expect(sent).toMatchObject({ exit: 0 });
    expect(sent.host.asked).toEqual(["Mobile number or account to be credited", "Send this remittance?"]);
    expect(JSON.parse(sent.stdout)).toMatchObject({ request: { receiverAccount: "255712345678" } });
  });

  test("is not required for a bank account, which may not have invisible characters", async ({ simulator }) => {
    const words = ["--from-file", toBank("015-0000 111222"), "--reference", "INV-1", "--yes", "--json"];
    const sent = await remit(simulator, words);
    expect(JSON.parse(sent.stdout)).toMatchObject({ request: { receiverAccount: "015-0000 111222" } });
    const unseen = await remit(simulator, ["--from-file", toBank("0150\u200b111222"), "--reference", "INV-2", "--yes"]);
    expect(unseen).toMatchObject({ exit: 2, stdout: "" });
    expect(unseen.stderr).toContain("receiverAccount must not have invisible characters");
  });

  test.for([
    ["at a bank", toBank("0150\u200b111222")],
    ["that is no mobile number", draftFile(remittanceWith({ receiverAccount: "x" }))],
  ] as const)(
    "may be invalid when an earlier version sent it %s: the order is repeated without sending",
    async ([, draft], { partnerIn, simulator }) => {
      const folder = temporaryFolder();
      const partner = partnerIn({
        environment: { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: join(folder, "state") },
      });
      const sent = { ...JSON.parse(readFileSync(draft, "utf8")), partnerReference: "INV-1" };
      await order(folder, simulator, JSON.stringify({ paymentDate: "2026-03-31T09:00:00+03:00", ...sent }));
      const again = await partner`remit --from-file ${draft} --reference INV-1 --yes --json`;
      expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "pending"') });
      const other = await partner`remit --from-file ${draft} --reference INV-2 --yes --json`;
      expect(other).toMatchObject({ exit: 2, stdout: "" });
      expect(simulator.world.remittances.size).toBe(0);
    },
  );

  test("of another operator than the institution gets a warning: alone, in a batch, and not for the right one", async ({
    simulator,
    partner,
  }) => {
    const warning =
      "255712345678 does not look like a number of VODACOM; numbers can move between operators, so it is sent as it is.";
    const draft = draftFile(remittanceWith({ institutionCode: "TZ-VODACOM-B2C" }));
    const words = ["--from-file", draft, "--reference", "INV-1", "--dry-run"];
    const dry = await remit(simulator, words);
    expect(dry).toMatchObject({ exit: 0, stderr: expect.stringContaining(`Warning: ${warning}\n`) });
    expect((await remit(simulator, [...words, "--institution-code", "TZ-TIGO-B2C"])).stderr).not.toContain("look like");
    const template = await partner`batch template --kind remit --example`;
    const file = join(temporaryFolder(), "rows.csv");
    writeFileSync(file, template.stdout.replaceAll(/TZ-[A-Z]+-B2C/g, "TZ-VODACOM-B2C"));
    expect((await partner`batch check ${file} --kind remit`).stderr).toContain(warning);
  });

  test("is asked for after the channel is changed to MOBILE", async ({ simulator }) => {
    const bank = { receiverChannel: "BANK", institutionCode: "CORUTZTZ", receiverAccount: "0150000111222" };
    const answers = ["edit", "receiverChannel", "MOBILE", "TZ-TIGO-B2C", "0712345678", true];
    const words = ["--from-file", draftFile(remittanceWith(bank)), "--reference", "INV-1", "--json"];
    const sent = await remit(simulator, words, atTerminal(answers));
    expect(sent).toMatchObject({ exit: 0 });
    expect(JSON.parse(sent.stdout)).toMatchObject({ request: { receiverAccount: "255712345678" } });
  });
});
