import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

/** What a person fills into the template: the example of the specification's tables, written out by hand. */
const filled = {
  callbackUrl: "https://partner.example/hook",
  description: "School fees",
  senderCurrency: "USD",
  senderAmount: 100,
  receiverAmount: 250000,
  exchangeRate: 2500,
  receiverChannel: "MOBILE",
  institutionCode: "TZ-TIGO-B2C",
  receiverAccount: "255712345678",
};
const sender = {
  fullName: "Zoë Mwangá",
  nationality: "KE",
  countryCode: "KE",
  idType: "PASSPORT",
  idNumber: "A1234567",
  dateOfBirth: "1990-02-28",
  phoneNumber: "254700000000",
  address: "12 Riverside Drive, Nairobi",
  sourceOfFundsDeclaration: "salary",
  purposeOfTransaction: "education",
};
const receiver = { fullName: "Amina Juma", phoneNumber: "255712345678" };

test("a template that was filled in is sent: template, fill, --from-file", async ({ partner, simulator }) => {
  const template = JSON.parse((await partner`remit template`).stdout);
  const draft = join(temporaryFolder(), "draft.json");
  writeFileSync(
    draft,
    JSON.stringify({
      ...template,
      ...filled,
      sender: { ...template.sender, ...sender },
      receiver: { ...template.receiver, ...receiver },
    }),
  );
  const sent = await partner`remit --from-file ${draft} --reference INV-42 --yes --json`;
  expect(sent).toMatchObject({ exit: 0, stderr: "" });
  expect(JSON.parse(sent.stdout)).toMatchObject({ kind: "remit", state: "pending", reference: "INV-42" });
  expect(simulator.world.remittances.get("INV-42")).toMatchObject({ receiverAmount: "250000" });
});
