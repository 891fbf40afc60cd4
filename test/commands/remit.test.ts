import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";

import { test } from "../simulated.ts";
import type { Changes } from "./remittance.ts";
import { draftFile, receiver, remit, remittance, remittanceWith, sender } from "./remittance.ts";
import { errorIn } from "./served.ts";

const toSend = ["--reference", "INV-42", "--yes", "--json"];

/** The body from the specification, section 2.1, in the order of its tables, with empty values. */
const template = `{
  "paymentDate": "",
  "partnerReference": "",
  "callbackUrl": "",
  "description": "",
  "senderCurrency": "",
  "senderAmount": null,
  "receiverCurrency": "TZS",
  "receiverAmount": null,
  "exchangeRate": null,
  "receiverChannel": "",
  "institutionCode": "",
  "receiverAccount": "",
  "sender": {
    "fullName": "",
    "nationality": "",
    "countryCode": "",
    "idType": "",
    "idNumber": "",
    "idExpiryDate": "",
    "dateOfBirth": "",
    "phoneNumber": "",
    "email": "",
    "address": "",
    "sourceOfFundsDeclaration": "",
    "purposeOfTransaction": "",
    "occupation": "",
    "employer": ""
  },
  "receiver": {
    "fullName": "",
    "phoneNumber": "",
    "email": "",
    "countryCode": "TZ"
  }
}
`;

test("remit template prints the specification's body in its order, to stdout or a file", async ({ partner }) => {
  expect(await partner`remit template`).toMatchObject({ exit: 0, stdout: template, stderr: "" });
  const path = join(temporaryFolder(), "draft.json");
  expect(await partner`remit template --save ${path}`).toMatchObject({ exit: 0, stdout: "" });
  expect(readFileSync(path, "utf8")).toBe(template);
});

test("a filled-in template is sent in the order of the specification", async ({ partner }) => {
  const filled = JSON.parse(template);
  Object.assign(filled, { ...remittance, sender: { ...filled.sender, ...sender } });
  filled.receiver = { ...JSON.parse(template).receiver, ...receiver };
  const draft = draftFile(filled);
  const sent = await partner`remit --from-file ${draft} --reference INV-42 --yes --json`;
  expect(sent).toMatchObject({ exit: 0, stderr: "" });
  const { request, ...movement } = JSON.parse(sent.stdout);
  expect(movement).toMatchObject({ kind: "remit", state: "pending", reference: "INV-42", evidence: "answer" });
  expect(JSON.stringify(request)).toBe(
    `{"paymentDate":"2026-03-31T12:00:00+03:00","partnerReference":"INV-42","callbackUrl":"https://partner.example/hook","description":"School fees","senderCurrency":"USD","senderAmount":100,"receiverCurrency":"TZS","receiverAmount":250000,"exchangeRate":2500,"receiverChannel":"MOBILE","institutionCode":"TZ-TIGO-B2C","receiverAccount":"255712345678","sender":{"fullName":"Zoë Mwangá","nationality":"KE","countryCode":"KE","idType":"PASSPORT","idNumber":"A1234567","dateOfBirth":"1990-02-28","phoneNumber":"254700000000","address":"12 Riverside Drive, Nairobi","sourceOfFundsDeclaration":"salary","purposeOfTransaction":"education"},"receiver":{"fullName":"Amina Juma","phoneNumber":"255712345678","countryCode":"TZ"}}`,
  );
});

test("flags alone make a complete remittance, and amounts keep the digits typed", async ({ partner, simulator }) => {
  const sent =
    await partner`remit --yes --json --reference INV-42 --payment-date 2026-03-30T08:00:00Z --callback-url https://partner.example/hook --description "School fees" --sender-currency USD --sender-amount 100.50 --receiver-amount 251250 --exchange-rate 2500.000 --receiver-channel MOBILE --institution-code TZ-TIGO-B2C --receiver-account 255712345678 --sender-full-name "Zoë Mwangá" --sender-nationality KE --sender-country-code KE --sender-id-type PASSPORT --sender-id-number A1234567 --sender-id-expiry-date 2030-01-01 --sender-date-of-birth 1990-02-28 --sender-phone-number 254700000000 --sender-email zoe@example.com --sender-address "12 Riverside Drive" --sender-source-of-funds-declaration salary --sender-purpose-of-transaction education --sender-occupation nurse --sender-employer "Aga Khan" --receiver-full-name "Amina Juma" --receiver-phone-number "+255 712 345 678" --receiver-email amina@example.com`;
  expect(sent).toMatchObject({ exit: 0, stderr: "" });
  expect(sent.stdout).toMatch(/"senderAmount": 100\.50,[^}]*"exchangeRate": 2500\.000,/);
  expect(JSON.parse(sent.stdout).request).toMatchObject({
    paymentDate: "2026-03-30T08:00:00Z",
    receiverCurrency: "TZS",
    sender: { idExpiryDate: "2030-01-01", email: "zoe@example.com", occupation: "nurse", employer: "Aga Khan" },
    receiver: { phoneNumber: "255712345678", email: "amina@example.com", countryCode: "TZ" },
  });
  expect(simulator.world.remittances.size).toBe(1);
});

test("flags override the file and fill its empty fields", async ({ simulator }) => {
  const draft = draftFile(remittanceWith({ partnerReference: "FILE-1", description: "", "receiver.email": null }));
  const flags = ["--receiver-amount", "260000", "--description", "Rent", "--reference", "FLAG-1"];
  const sent = await remit(simulator, ["--from-file", draft, ...flags, "--yes", "--json"]);
  expect(sent.exit).toBe(0);
  expect(sent.stderr).toBe(
    "Warning: At that rate the sender's amount is 250,000.00 TZS; the receiver would get 260,000.00 TZS.\n",
  );
  expect(JSON.parse(sent.stdout)).toMatchObject({
    reference: "FLAG-1",
    request: { partnerReference: "FLAG-1", receiverAmount: 260000, description: "Rent" },
  });
});

test("the file's reference and payment date are used", async ({ simulator }) => {
  const draft = draftFile(remittanceWith({ partnerReference: "FILE-1", paymentDate: "2026-03-30T08:00:00+03:00" }));
  const sent = await remit(simulator, ["--from-file", draft, "--yes", "--json"]);
  expect(JSON.parse(sent.stdout)).toMatchObject({
    reference: "FILE-1",
    request: { paymentDate: "2026-03-30T08:00:00+03:00" },
  });
});

test("the file can be read from stdin", async ({ simulator }) => {
  const world = { stdin: `\ufeff${JSON.stringify(remittance)}` };
  const sent = await remit(simulator, ["--from-file", "-", ...toSend], world);
  expect(sent).toMatchObject({ exit: 0 });
  expect(simulator.world.remittances.has("INV-42")).toBe(true);
});

test("off a terminal all missing fields are named at once, and nothing is sent", async ({ partner, simulator }) => {
  const ended = await partner`remit --yes --json`;
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(errorIn(ended)).toMatchObject({ ending: "usage", money: "not moved" });
  expect(Object.keys(Object(errorIn(ended)["details"]))).toEqual([
    "--callback-url",
    "--description",
    "--sender-currency",
    "--sender-amount",
    "--receiver-amount",
    "--exchange-rate",
    "--receiver-channel",
    "--institution-code",
    "--receiver-account",
    "--sender-full-name",
    "--sender-nationality",
    "--sender-country-code",
    "--sender-id-type",
    "--sender-id-number",
    "--sender-date-of-birth",
    "--sender-phone-number",
    "--sender-address",
    "--sender-source-of-funds-declaration",
    "--sender-purpose-of-transaction",
    "--receiver-full-name",
    "--receiver-phone-number",
  ]);
  expect(ended.stderr).toContain("\n  --sender-full-name: sender.fullName is required\n");
  expect(simulator.world.remittances.size).toBe(0);
});

const accepted: readonly Changes[] = [
  { "sender.fullName": "Li" },
  { "receiver.fullName": "😀".repeat(100) },
  { receiverAmount: 1000, senderAmount: 0.4 },
  { "sender.idExpiryDate": "2026-03-31", "sender.dateOfBirth": "2026-03-30" },
  { paymentDate: "2026-03-31T08:00:00.123+0300" },
  { "receiver.email": null },
];

test.for(accepted)("a file with %j is sent", async (changes, { simulator }) => {
  const sent = await remit(simulator, ["--from-file", draftFile(remittanceWith(changes)), ...toSend]);
  expect(sent).toMatchObject({ exit: 0, stderr: "" });
});

test("an amount in the file may have trailing zeros", async ({ simulator }) => {
  const text = readFileSync(draftFile(remittanceWith({ senderAmount: 100, receiverAmount: 250_000 })), "utf8");
  const draft = join(temporaryFolder(), "draft.json");
  writeFileSync(draft, text.replace(/"senderAmount": ?100/, '"senderAmount":100.000'));
  expect(readFileSync(draft, "utf8")).toContain("100.000");
  expect(await remit(simulator, ["--from-file", draft, ...toSend])).toMatchObject({ exit: 0, stderr: "" });
});

test.for([
  ["NOBODY", "MOBILE", "is none that the service lists"],
  ["CORUTZTZ", "MOBILE", "is not of the channel MOBILE"],
  ["TZ-TIGO-B2C", "BANK", "is not of the channel BANK"],
])(
  "the institution %s of the channel %s is refused: it %s",
  async ([institutionCode, receiverChannel, said], { simulator }) => {
    const draft = draftFile(remittanceWith({ institutionCode, receiverChannel }));
    const ended = await remit(simulator, ["--from-file", draft, ...toSend]);
    expect(ended).toMatchObject({ exit: 2, stdout: "" });
    expect(errorIn(ended)).toMatchObject({
      details: { "--institution-code": `institutionCode ${said}` },
      hint: expect.stringContaining("partner institutions"),
    });
    expect(simulator.world.remittances.size).toBe(0);
  },
);

test("without --yes and without a terminal nothing is sent", async ({ simulator }) => {
  const ended = await remit(simulator, ["--from-file", draftFile(remittance)]);
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(ended.stderr).toContain("Add --yes");
  expect(simulator.world.remittances.size).toBe(0);
});

test("a used reference repeats its outcome even when the list of institutions cannot be read", async ({
  partnerIn,
  faults,
}) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  const line = `--from-file ${draftFile(remittance)} --reference INV-42 --yes --json`;
  const first = await partner`remit ${line}`;
  expect(first).toMatchObject({ exit: 0 });
  faults.plan("fail-request=institutions");
  const again = await partner`remit ${line}`;
  expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
  expect(again.stderr).toMatch(/^This reference was ordered before \(pending\); nothing was sent now\..*\n$/);
  const other = await partner`remit ${line} --institution-code NO-SUCH`;
  expect(other).toMatchObject({ exit: 2, stderr: expect.stringContaining("belongs to another remittance") });
});

test("the same reference repeats the first outcome even at another payment time", async ({ simulator }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const words = ["--from-file", draftFile(remittance), ...toSend];
  const first = await remit(simulator, words, { environment });
  const again = await remit(simulator, words, { environment, now: Date.UTC(2026, 3, 1) });
  expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
  expect(again.stderr).toContain("This reference was ordered before (pending); nothing was sent now.");
  expect(simulator.world.remittances.size).toBe(1);
});

test("a used reference with other fields is refused, and the differences are listed", async ({ simulator }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  await remit(simulator, ["--from-file", draftFile(remittance), ...toSend], { environment });
  const other = draftFile(remittanceWith({ receiverAmount: 250001, "receiver.fullName": "Amina Said" }));
  const ended = await remit(simulator, ["--from-file", other, ...toSend], { environment });
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(errorIn(ended)).toMatchObject({
    money: "not moved",
    reference: "INV-42",
    details: {
      receiverAmount: "was 250000, is 250001 now",
      "receiver.fullName": 'was "Amina Juma", is "Amina Said" now',
    },
  });
});

test("a dry run prints the request without contacting the service", async ({ simulator }) => {
  let requests = 0;
  const counted = {
    host: {
      transport: () =>
        Promise.resolve(() => {
          requests += 1;
          return Promise.reject(new Error("Nothing is to be asked."));
        }),
    },
  };
  const dry = await remit(simulator, ["--from-file", draftFile(remittance), "--dry-run", "--json"], counted);
  expect(dry).toMatchObject({ exit: 0, stderr: "Nothing was sent.\n" });
  expect(JSON.parse(dry.stdout)).toMatchObject({
    dryRun: true,
    kind: "remit",
    url: `${simulator.baseUrl}/payment/remittance`,
    headers: { "x-secret-key": "[secret]" },
    request: { receiverAmount: 250000, sender: { fullName: "Zoë Mwangá" } },
  });
  expect(requests).toBe(0);
});
