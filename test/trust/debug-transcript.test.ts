import { describe, expect, test as plain } from "vitest";
import { withoutPersonalData } from "../../src/contract/personal-data.ts";
import { transcriptBodyMaxChars } from "../../src/client/logging-transport.ts";
import { ask, ok, planted } from "../commands/served.ts";
import { answer } from "../contract/recorder.ts";
import { test } from "../simulated.ts";

// A transcript is sent to other people's support: it identifies no person, except on request.

const collect =
  "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 5000 --narration Ada-ya-Asha --reference INV-1 --callback-url https://hooks.example/x --yes";

describe("--debug", () => {
  test("shows an order without the payer's number and without the text for the payer", async ({ partner }) => {
    const { exit, stderr } = await partner`${collect} --debug`;
    expect(exit).toBe(0);
    expect(stderr).toContain("> POST http");
    expect(stderr).toContain('"transactionRef":"INV-1"');
    expect(stderr).toContain('"msisdn":"[personal]"');
    expect(stderr).not.toContain("255712345678");
    expect(stderr).not.toContain("Ada-ya-Asha");
  });

  test("shows a statement without names and narrations", async ({ partner }) => {
    const { stderr } = await partner`wallet statement 9000112233 --month 2026-03 --json --debug`;
    expect(stderr).toContain('"narration":"[personal]"');
    expect(stderr).not.toMatch(/Malipo|Baraka|Amina/);
  });

  test("=full shows names and numbers, and never a secret", async ({ partner, simulator }) => {
    const { exit, stderr } = await partner`${collect} --debug=full`;
    expect(exit).toBe(0);
    expect(stderr).toContain('"msisdn":"255712345678"');
    expect(stderr).toContain("Ada-ya-Asha");
    expect(stderr).toContain("x-secret-key: [secret]");
    expect(stderr).not.toContain(simulator.secretKey);
  });

  test.for(["--debug=all", "--debug=", "--debug=true"])(
    "%s exits with 2, and nothing is sent",
    async (flag, { partner, simulator }) => {
      const { exit, stderr } = await partner`${collect} ${flag}`;
      expect(exit).toBe(2);
      expect(stderr).toContain("--debug takes full or nothing");
      expect(simulator.world.collections.size).toBe(0);
    },
  );
});

plain("an answer that breaks off within a name shows none of it", async () => {
  const rows = Array.from({ length: 80 }, (_, index) => ({
    accountNo: `${index}`,
    accountName: `Asha number ${index} ${"x".repeat(37)}`,
  }));
  const { stderr } = await ask("wallets list --debug", ok(JSON.stringify(rows)));
  expect(stderr).not.toContain("Asha");
});

plain.each(["+255 712 345 678", planted.secretKey, planted.secretKey.replaceAll("/", String.raw`\/`)])(
  "%s shows no part of itself where a long answer is cut",
  async (hidden) => {
    for (const shownChars of [hidden.length - 1, 4]) {
      const opening = '{"error":"';
      const text = "x".repeat(transcriptBodyMaxChars - opening.length - shownChars - 1);
      const body = `${opening}${text} ${hidden} ${"y".repeat(100)}"}`;
      const { stderr } = await ask("wallets list --debug", answer("400 Bad Request", body));
      const [shown = ""] = /x \S.* …$/m.exec(stderr)?.[0].match(/x \S.*$/) ?? [];
      expect(shown).not.toBe("");
      expect(shown).not.toContain(hidden.slice(0, 4));
    }
  },
);

const spellings: readonly (readonly [string, string])[] = [
  ['{"message":"no such number +255 712-345-678"}', '{"message":"no such number [personal]"}'],
  ['{"message":"0712345678 and 254712345678 are known"}', '{"message":"[personal] and [personal] are known"}'],
  [
    '{"reference":"255712345678901234","amount":255712345.50}',
    '{"reference":"255712345678901234","amount":255712345.50}',
  ],
  ['{"msisdn":255712345678,"amount":5}', '{"msisdn":"[personal]","amount":5}'],
  [String.raw`{"fullName":"A \"B\" \\","id":"1"}`, '{"fullName":"[personal]","id":"1"}'],
  ['{"name" : "Asha Mwang', '{"name" : "[personal]"'],
  [String.raw`{"name":"Asha \ `.trim(), '{"name":"[personal]"'],
  [
    '{"sender":{"dateOfBirth":"1990-01-01","idNumber":"Z-1"},"accountNo":"9000112233"}',
    '{"sender":{"dateOfBirth":"[personal]","idNumber":"[personal]"},"accountNo":"9000112233"}',
  ],
  ["<p>Call 0712 345 678</p>", "<p>Call [personal]</p>"],
];

plain.each(spellings)("%s is shown as %s", (text, shown) => {
  expect(withoutPersonalData(text)).toBe(shown);
});
