import { expect, test } from "vitest";
import { at, collections, rest } from "../simulator/client-bodies.ts";
import { behindProxy } from "./proxy.ts";

// The document covers every form that the simulator accepts: a client in another language, behind a proxy made by
// others.

const march31 = "2026-03-31T06:30:00Z";
const payout = `"countryCode":"TZ","accountNo":"9000112233","serviceCode":"TZ-TIGO-B2C","msisdn":"255712000111","narration":"wages","currencyCode":"TZS","recipientNames":"ASHA","transactionRef":"P-1"`;
const transfer = `"from":"9000112233","to":"9000112244","description":"rent"`;
const withdrawal = `"accountNo":"9000112233","narration":"rent","externalRef":"W-1"`;

const requests: readonly (readonly [client: string, path: string, body: string])[] = [
  ...collections.map(([client, , part]): [string, string, string] => [
    `a collection by ${client}`,
    "/collection",
    `{"msisdn":"255712345678","channel":"TZ-TIGO-C2B",${part},${rest.replace("http://127.0.0.1:9", "https://hooks.example")}}`,
  ]),
  ...["5000", "5000.00", '"5000"', '"5000.00"', "5e3", '"5e3"', '" 5000 "', '"+5000"', '"05000"'].map(
    (amount): [string, string, string] => [
      `a transfer of ${amount}`,
      "/transaction/transfer-local",
      `{"amount":${amount},${transfer}}`,
    ],
  ),
  ...["2026-03-31", "2026-03-31 09:30:00", march31, "2026-03-31T09:30:00.123456"].map(
    (date): [string, string, string] => [
      `a withdrawal of ${date}`,
      "/transaction/withdraw",
      `{"amount":"700.50",${at(date)},${withdrawal}}`,
    ],
  ),
  ["a payout without a callback's address", "/payment/wallet-to-mobile", `{"amount":2500,${at(march31)},${payout}}`],
  ["a payout of numeric text", "/payment/wallet-to-mobile", `{"amount":"2500",${at("2026-03-31 09:30:00")},${payout}}`],
  ["a balance of an empty list", "/wallet/main-balance", "[]"],
  ["a balance of nothing", "/wallet/collection-balance", ""],
];

test.each(requests)("%s is in the document, and so is its answer", async (_, path, body) => {
  const { proxy, simulator } = await behindProxy({ extensions: true });
  const headers = {
    "x-account-id": simulator.accountId,
    "x-secret-key": simulator.secretKey,
    "x-request-id": "1",
    "content-type": "application/json",
  };
  const response = await fetch(`${proxy}${path}`, { method: "POST", headers, body });
  expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining("VALIDATION")]);
});
