import { createServer } from "node:http";
import { expect, test } from "vitest";
import { start } from "../host/servers.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { now } from "../simulated.ts";
import { behind, collectionService, post, says, transactionId } from "./collection-service.ts";
import { draftFile, remittance } from "./remittance.ts";
import { environmentAt, errorIn } from "./served.ts";

// An answer with another amount, another id or unreadable text is not about this order.

const collecting =
  "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference INV-1 --yes --json";
const waiting = "--wait --wait-for 30s --check-statement never";

const collected = (beside: object) => JSON.stringify({ ...JSON.parse(says("PAYMENT_ACCEPTED")), ...beside });
const noteOf = async (environment: Readonly<Record<string, string>>): Promise<string> =>
  JSON.parse((await run(words("journal show INV-1 --json"), { environment, now })).stdout).note;
const remitted = (beside: object) =>
  JSON.stringify({ partnerReference: "INV-1", status: "COMPLETED", statusCode: 200, ...beside });

test.for([
  ["collect", { amount: 1500 }, 0, "accepted"],
  ["collect", { amount: "1500.00" }, 0, "accepted"],
  ["collect", { amount: 150 }, 6, "unknown"],
  ["remit", { receiverAmount: remittance.receiverAmount, senderAmount: remittance.senderAmount }, 0, "accepted"],
  ["remit", { receiverAmount: 1000 }, 6, "unknown"],
  ["remit", { senderAmount: "much" }, 6, "unknown"],
  ["collect", { amount: 1500, currency: "tzs" }, 0, "accepted"],
  ["collect", { amount: 1500, currency: "KES" }, 6, "unknown"],
  ["remit", { senderCurrency: remittance.senderCurrency, receiverCurrency: "TZS" }, 0, "accepted"],
  ["remit", { receiverCurrency: "KES" }, 6, "unknown"],
  ["remit", { senderCurrency: "XAF" }, 6, "unknown"],
] as const)("a callback of a %s that says %j ends with %i, %s", async ([kind, beside, exit, state]) => {
  let url = "";
  const isCollection = kind === "collect";
  const service = await collectionService(async ({ callbackUrl }) => {
    url = callbackUrl;
    return isCollection ? says("PENDING_ACK") : JSON.stringify({ partnerReference: "INV-1", status: "CREATED" });
  });
  let isDelivered = false;
  const meanwhile = behind(async () => {
    if (isDelivered) return;
    isDelivered = true;
    await post(url, isCollection ? collected(beside) : remitted(beside));
  });
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), ...service.environment };
  const line = isCollection
    ? `${collecting} ${waiting}`
    : `remit --from-file ${draftFile(remittance)} --reference INV-1 --yes --json --wait --wait-for 30s`;
  const ended = await run(words(line), { environment, now, meanwhile });
  expect([ended.exit, JSON.parse(ended.stdout).state]).toEqual([exit, state]);
  expect((await noteOf(environment)).includes(" and another ")).toBe(state === "unknown");
});

test.for([
  [{}, "accepted"],
  [{ amount: 1500 }, "accepted"],
  [{ amount: 150 }, "pending"],
  [{ amount: 1500, currency: "TZS" }, "accepted"],
  [{ amount: 1500, currencyCode: "KES" }, "pending"],
  [{ transactionId: 12 }, "pending"],
  [{ transactionId: [transactionId] }, "pending"],
  [{ transactionId: "x".repeat(201) }, "pending"],
] as const)("a status that says %j leaves the collection %s", async ([beside, state]) => {
  const server = createServer((asked, response) => {
    const isStatus = asked.url?.endsWith("/collection/status") === true;
    asked.resume().on("end", () => {
      const body = isStatus ? collected(beside) : asked.method === "GET" ? "[]" : says("PENDING_ACK");
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
  });
  const folder = temporaryFolder();
  const environment = {
    ...environmentAt(`http://127.0.0.1:${await start(server)}`),
    PARTNER_CONFIG_DIR: folder,
    PARTNER_STATE_DIR: folder,
    PARTNER_EXTENSIONS: "collection-status",
  };
  await run(words(`${collecting} --check-statement never`), { environment, now });
  const resolved = await run(words("journal resolve INV-1 --json"), { environment, now });
  expect(JSON.parse(resolved.stdout)).toMatchObject([{ state }]);
});

test.for([
  [{ senderCurrency: remittance.senderCurrency, receiverCurrency: "TZS" }, 0, "accepted"],
  [{ receiverCurrency: "KES" }, 6, "unknown"],
  [{ senderCurrency: "XAF" }, 6, "unknown"],
] as const)("an answer to a remittance that says %j ends with %i, %s", async ([beside, exit, state]) => {
  const service = await collectionService(async () => remitted(beside));
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), ...service.environment };
  const line = `remit --from-file ${draftFile(remittance)} --reference INV-1 --yes --json`;
  const ended = await run(words(line), { environment, now });
  expect([ended.exit, JSON.parse(ended.stdout).state]).toEqual([exit, state]);
});

test("an answer that is not UTF-8 leaves the order unknown", async () => {
  const server = createServer((asked, response) => {
    asked.resume().on("end", () => {
      if (asked.method === "GET") return void response.end("[]");
      const [before = "", behindIt = ""] = says("PAYMENT_ACCEPTED").split("C2D4");
      return void response.end(Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xfe]), Buffer.from(behindIt)]));
    });
  });
  const environment = {
    ...environmentAt(`http://127.0.0.1:${await start(server)}`),
    PARTNER_CONFIG_DIR: temporaryFolder(),
  };
  const ended = await run(words(`${collecting} --callback-url https://hooks.example/partner --check-statement never`), {
    environment,
    now,
  });
  expect([ended.exit, await noteOf(environment)]).toEqual([
    6,
    "HTTP 200: the service answered with bytes that aren't UTF-8",
  ]);
  expect(errorIn(ended)).toMatchObject({ money: "unknown", reference: "INV-1" });
});
