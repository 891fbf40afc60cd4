import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { now } from "../simulated.ts";
import { draftFile, remittance, remittanceWith } from "./remittance.ts";
import { environmentAt, errorIn } from "./served.ts";

const toSend = ["--reference", "INV-42", "--yes", "--json"];

/** An address without a listener: a refusal before sending needs no service. */
const nowhere = environmentAt("http://127.0.0.1:9");

/** A path, the expected message, and the wrong value. */
const wrongValues: readonly (readonly [path: string, said: string, value: unknown])[] = [
  ["sender.fullName", "must have 2 to 100 characters", "Z"],
  ["receiver.fullName", "must have 2 to 100 characters", "Z".repeat(101)],
  ["receiverAmount", "must be a whole amount of at least 1000", 999],
  ["receiverAmount", "must be a whole amount of at least 1000", 1000.5],
  ["receiver.phoneNumber", "must be 255 and nine digits, such as 255712345678", "254712345678"],
  ["receiver.phoneNumber", "must be 255 and nine digits, such as 255712345678", "0712345678"],
  ["senderCurrency", "must be a currency code, such as USD", "XXX"],
  ["sender.countryCode", "must be a country code of two letters, such as KE", "XX"],
  ["sender.dateOfBirth", "must be a day that exists, YYYY-MM-DD", "2026-02-30"],
  ["sender.dateOfBirth", "must be in the past", "2026-04-01"],
  ["sender.idExpiryDate", "has passed: the id is no longer valid", "2026-03-30"],
  ["callbackUrl", "must be an https URL (http is only for this machine)", "http://partner.example/hook"],
];

test.for(wrongValues)("a file is refused before anything is sent: %s %s", async ([path, said, value]) => {
  const draft = draftFile(remittanceWith({ [path]: value }));
  const ended = await run(["remit", "--from-file", draft, "--yes", "--json"], { environment: nowhere, now });
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(Object.values(Object(errorIn(ended)["details"]))).toEqual([`${path} ${said}`]);
});

test("wrong flags are all reported at once", async () => {
  const wrong = ["--sender-amount", "1,000", "--receiver-phone-number", "12345", "--sender-nationality", "Kenyan"];
  const argv = ["remit", "--from-file", draftFile(remittance), ...wrong, ...toSend];
  const ended = await run(argv, { environment: nowhere, now });
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(errorIn(ended)["details"]).toEqual({
    "--sender-amount": "senderAmount is ambiguous (1000 or 1?)",
    "--sender-nationality": "sender.nationality must be a country code of two letters, such as KE",
    "--receiver-phone-number": "receiver.phoneNumber must be 255 and nine digits, such as 255712345678",
  });
});

const secret = "A1234567-secret";

/** The content of a file and the message about it: names of fields, never their content. */
const wrongFiles: readonly (readonly [name: string, content: string, said: RegExp])[] = [
  [
    "unknown fields",
    `{"recieverAmount":"${secret}","sender":{"nickname":"${secret}"}}`,
    /recieverAmount is not a field of a remittance.*sender\.nickname is not/s,
  ],
  ["text for an amount", `{"receiverAmount":"${secret}"}`, /receiverAmount must be a number, without quotes/],
  ["a number for text", `{"sender":{"idNumber":1234567890}}`, /sender\.idNumber must be text, in quotes/],
  ["a list", `{"description":["${secret}"]}`, /description must be text, in quotes/],
  [
    "an object for text",
    `{"description":{},"sender":{"address":{"street":"${secret}"}}}`,
    /description must be text.*sender\.address must be text/s,
  ],
  ["true for an amount", `{"senderAmount":true}`, /senderAmount must be a number/],
  ["a text for the sender", `{"sender":"${secret}"}`, /sender must be an object/],
  ["a list of remittances", `[{"description":"${secret}"}]`, /The draft isn't a JSON object/],
  ["a prototype", `{"__proto__":{"description":"${secret}"}}`, /__proto__ is not a field/],
  [
    "a receiver's account twice",
    `{"receiverAccount":"${secret}","receiverAmount":1000,"receiverAccount":"0712345678"}`,
    /The draft cannot be read\. .*an object has a field twice/,
  ],
  [
    "the same member twice inside of another, once with an escape",
    String.raw`{"sender":{"fullName":"Asha","full\u004eame":"${secret}"}}`,
    /an object has a field twice/,
  ],
  ["half an object", `{"description":"${secret}`, /The draft cannot be read\. Not the JSON we take, at position 3/],
  ["garbage", `\u0000\u001b[2J${secret}`, /The draft cannot be read\. Not the JSON we take, at position 0/],
  ["nothing", "", /The draft cannot be read\./],
  ["deep nesting", `{"sender":${"[".repeat(100_000)}`, /more than 512 arrays and objects inside each other/],
  ["more than fits", `{"description":"${secret.repeat(100_000)}"}`, /it is larger than 1 MiB/],
  [
    "thousands of unknown fields",
    JSON.stringify(
      Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${"x".repeat(80)}${index}`, secret])),
    ),
    /The draft has 5000 wrong fields.*x{60}… is not a field.*and 4970 more/s,
  ],
];

test.for(wrongFiles)("a file with %s is refused without printing its content", async ([, content, said]) => {
  const ended = await run(["remit", "--from-file", draftFile(content), ...toSend], { environment: nowhere, now });
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(ended.stderr).toMatch(said);
  expect(errorIn(ended)).toMatchObject({ ending: "usage", money: "not moved" });
  expect(ended.stderr).not.toContain(secret);
  expect(ended.stderr.length).toBeLessThan(10_000);
});

async function saidOf(path: string, stdin = new Uint8Array()): Promise<string> {
  return (await run(["remit", "--from-file", path, "--yes"], { environment: nowhere, stdin })).stderr;
}

test("a draft that is not UTF-8, is a folder or does not exist is refused", async () => {
  expect(await saidOf("-", Uint8Array.of(0xff, 0xfe, 0x00))).toMatch(
    /^Error: .* "-" cannot be read: it isn't UTF-8 text\./,
  );
  expect(await saidOf(temporaryFolder())).toMatch(/cannot be read: it is a folder\./);
  expect(await saidOf(join(temporaryFolder(), "no.json"))).toMatch(/cannot be read: there is no such file or folder\./);
});

test("in a sandbox remit is refused before the draft is read, as only the live environment has remittances", async () => {
  const environment = { ...nowhere, PARTNER_ENVIRONMENT: "sandbox" };
  const ended = await run(["remit", "--from-file", "/nowhere/draft.json", "--json"], { environment });
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(errorIn(ended)["message"]).toMatch(/exists in the live environment only; nothing was sent/);
});
