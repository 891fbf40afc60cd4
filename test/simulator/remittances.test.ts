import { afterEach, expect, test } from "vitest";
import { remittanceOutcomes } from "../../src/simulator/outcomes.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import type { Recorder } from "../contract/recorder.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { memoryHost } from "../memory-host.ts";
import { groupA, noon, say, small, smallWorld, started } from "./small-world.ts";

// Requests are written by hand from the specification, sections 2.1 and 4.1; answers are those of an older API.

let receiver: Recorder | undefined;
afterEach(() => receiver?.stop());

/** The specification requires https for callbacks; here they are sent without TLS. */
async function withoutTls(host = memoryHost({ now: noon })): Promise<RunningSimulator> {
  const openPost: typeof host.openPost = async (settings) => {
    const post = await host.openPost(settings);
    return (letter) => post({ ...letter, url: letter.url.replace(/^https:/, "http:") });
  };
  return (await started({ ...host, openPost }, { seed: smallWorld })).simulator;
}

const body = (callbackUrl = "https://partner.test/hook", receiverAccount = "255712345678") =>
  `{"paymentDate":"2026-03-31T11:59:00+03:00","partnerReference":"REM-1","callbackUrl":"${callbackUrl}","description":"school fees","senderCurrency":"USD","senderAmount":100.00,"receiverCurrency":"TZS","receiverAmount":250000,"exchangeRate":2500,"receiverChannel":"MOBILE","institutionCode":"TZ-TIGO-B2C","receiverAccount":"${receiverAccount}","sender":{"fullName":"Zoë Mwangá","nationality":"KE","countryCode":"KE","idType":"PASSPORT","idNumber":"A1","dateOfBirth":"1990-02-28","phoneNumber":"254700000000","address":"Nairobi","sourceOfFundsDeclaration":"salary","purposeOfTransaction":"education"},"receiver":{"fullName":"Amina Juma","phoneNumber":"255712345678","email":null,"countryCode":"TZ"}}`;
const remit = (simulator: RunningSimulator, text: string) =>
  say(simulator, `POST /partner/v1/payment/remittance HTTP/1.1\n${groupA}\n\n${text}`);

const times = (updatedAt: string) =>
  `"createdAt":"2026-03-31T12:00:00+03:00","updatedAt":"2026-03-31T${updatedAt}+03:00"`;

test("a remittance is created, paid from the main account, and reported until it is completed", async () => {
  receiver = await recorder(answer("200 OK", ""));
  const simulator = await withoutTls();
  const created = await remit(simulator, body(receiver.origin.replace("http:", "https:")));
  expect(created).toEqual({
    status: 200,
    type: "application/json; charset=utf-8",
    body: `{"partnerReference":"REM-1","status":"CREATED","statusCode":"PENDING_ACK","statusMessage":"Remittance created",${times("12:00:00")}}`,
  });
  await simulator.idle();
  expect(sorted(receiver.requests.map((request) => request.split("\r\n\r\n")[1]))).toEqual([
    expect.stringMatching(/^\{"partnerReference":"REM-1","status":"COMPLETED","statusCode":"PAYMENT_ACCEPTED",/),
    expect.stringMatching(/^\{"partnerReference":"REM-1","status":"SUBMITTED","statusCode":"PENDING_ACK",/),
  ]);
  expect(mainAccount(simulator)).toBe("-250000");
});

test("the states of a remittance follow each other by a second of the simulator's clock", async () => {
  receiver = await recorder(answer("200 OK", ""));
  const host = memoryHost({ now: noon });
  const simulator = await withoutTls(host);
  await remit(simulator, body(receiver.origin.replace("http:", "https:")));
  await simulator.idle();
  expect(host.clock.sleeps).toEqual([1000, 1000]);
});

test.for(remittanceOutcomes)("an account that ends in $ending: $meaning", async (outcome) => {
  receiver = await recorder(answer("200 OK", ""));
  const simulator = await withoutTls();
  await remit(simulator, body(receiver.origin.replace("http:", "https:"), `255710${outcome.ending}`));
  await simulator.idle();
  const told = receiver.requests.map((request) => /"status":"([A-Z]+)"/.exec(request)?.[1]);
  expect(sorted(told)).toEqual(sorted(outcome.states));
  expect(simulator.world.remittances.get("REM-1")?.state).toBe(outcome.states.at(-1) ?? "CREATED");
  const isBack = outcome.states.some((state) => ["FAILED", "CANCELED", "REVERSED"].includes(state));
  expect(mainAccount(simulator)).toBe(isBack ? "0" : "-250000");
});

test("spec 4.2: there are at least eight institutions, each with a code, a name and a channel", async () => {
  const simulator = await small();
  const answer = await say(simulator, `GET /partner/v1/payment/institutions HTTP/1.1\n${groupA}`);
  expect(answer.status).toBe(200);
  expect(answer.body).toMatch(
    /^\[(\{"institutionCode":"[A-Z0-9-]+","name":"[A-Za-z -]+","channel":"(MOBILE|BANK)"\},?){8,}\]$/,
  );
});

test.for([
  ["institutionCode", '"TZ-TIGO-B2C"', '"NOBODY"', '"institutionCode" must be a MOBILE institution'],
  ["institutionCode", '"TZ-TIGO-B2C"', '"CORUTZTZ"', '"institutionCode" must be a MOBILE institution'],
  ["receiverAmount", "250000", "999", '"receiverAmount" must be a whole amount of at least 1000'],
  [
    "callbackUrl",
    "https://partner",
    "http://partner",
    '"callbackUrl" must be an https URL (http is only for this machine)',
  ],
  ["sender.dateOfBirth", "1990-02-28", "1990-02-30", '"sender.dateOfBirth" must be a day that exists'],
  ["sender.email", '"address"', '"email":"","address"', '"sender.email" is not allowed to be empty'],
  ["receiver.nickname", '"email":null', '"nickname":"A"', '"receiver.nickname" is not allowed'],
] as const)("spec 2.1, 4.2: a wrong %s is a validation error", async ([field, right, wrong, message]) => {
  const simulator = await small();
  const details = JSON.stringify({ [field]: message });
  expect(await remit(simulator, body().replace(right, wrong))).toMatchObject({
    status: 400,
    body: `{"statusCode":400,"reason":"VALIDATION_ERROR","details":${details},"message":${JSON.stringify(details)}}`,
  });
});

test("a used partnerReference is answered with 429, as by an older API", async () => {
  receiver = await recorder(answer("200 OK", ""));
  const simulator = await withoutTls();
  const text = body(receiver.origin.replace("http:", "https:"));
  await remit(simulator, text);
  expect(await remit(simulator, text)).toMatchObject({
    status: 429,
    body: '{"statusCode":429,"reason":"DUPLICATE_REQUEST"}',
  });
  await simulator.idle();
  expect(mainAccount(simulator)).toBe("-250000");
});

function sorted(texts: readonly (string | undefined)[]): string[] {
  return texts.map((text) => text ?? "").sort((one, other) => (one < other ? -1 : 1));
}

function mainAccount({ world }: RunningSimulator): string | undefined {
  return world
    .ledger()
    .find(({ kind }) => kind === "main account")
    ?.balance.toString();
}
