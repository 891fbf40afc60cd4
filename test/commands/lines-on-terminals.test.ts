import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";

const terminal = { stdin: true, stdout: true, stderr: true };
const person = { terminal, now, columns: 80, environment: { NO_COLOR: "1" } };

test("messages break between words at the width of the terminal", async ({ partnerIn }) => {
  for (const columns of [20, 40, 80]) {
    const { stderr } = await partnerIn({ ...person, columns })`wallet statement 9000112233 --save a.b`;
    const { stderr: whole } = await partnerIn({ now })`wallet statement 9000112233 --save a.b`;
    expect(stderr.split(/\s+/)).toEqual(whole.split(/\s+/));
    const lines = stderr.split("\n").filter((line) => line.includes(" ") && !line.startsWith("  partner "));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  }
});

test("on a terminal, several mistakes are listed one below the other, each with its hint", async ({ partnerIn }) => {
  const line = "transfer --from 9000112233 --to 9000112244 --amount 5.5 --description x --timeout 5 --yes";
  expect((await partnerIn(person)`${line}`).stderr).toBe(`Error: 2 things are wrong.
  --amount "5.5" is not a whole number.
    Write it like --amount 1500: digits only, no commas, no decimals.
  --timeout "5" isn't a valid length of time.
    Write it like --timeout 30s: a number and one of ms, s, m, h, d.
`);
  expect((await partnerIn({ now })`${line}`).stderr).toMatch(
    /^Error: --amount "5\.5" is not a whole number\. --timeout /,
  );
});

const keys = '"secretKey":"…","accessToken":"…","webhookKey":"…"';

test.for([
  ["rules check", '{"rules":[{"when":{"narration":"bank charges"},"then":{"fee":true}}]}'],
  ["webhook verify body.json", '{"timestamp":"…","signature":"…","payload":"…"}'],
  ["profile add till --environment live --base-url https://a.example --account-id a --secrets-from -", `{${keys}}`],
  [`wallets list -p shop`, `{"version":1,${keys},"expiration":"…"}`],
] as const)("JSON to copy stays on one line: %s", async ([line, json], { partnerIn }) => {
  const folder = temporaryFolder();
  const environment = {
    PARTNER_CONFIG_DIR: folder,
    NO_COLOR: "1",
    PARTNER_WEBHOOK_KEY: "a2V5LWtleS1rZXkta2V5LWtleQ==",
  };
  const shop = "profile add shop --environment live --base-url https://a.example --account-id a";
  expect(await partnerIn({ environment })`${shop} --secret-store command --credential-command false`).toMatchObject({
    exit: 0,
  });
  const body = join(folder, "body.json");
  writeFileSync(body, "no envelope");
  const partner = partnerIn({ ...person, environment, stdin: "no secrets" });
  const { stderr } = await partner`${line.replace("body.json", body)} --no-input`;
  expect(stderr.split("\n")).toContain(`  ${json}`);
});

test("a command in the middle of a hint stays on one line, where it would be broken", async ({ partnerIn, faults }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), NO_COLOR: "1" };
  const partner = partnerIn({ ...person, environment });
  const line = "withdraw --account 9000112233 --amount 61000 --narration rent --yes";
  faults.loseNextAnswer();
  expect(await partner`${line} --reference R-1`).toMatchObject({ exit: 6 });
  const { stderr } = await partner`${line} --reference R-2`;
  expect(stderr).toMatch(
    /\nHint: Find out what became of it:\n {2}partner journal resolve [\da-f-]{36}\nIf this is a payment of its own: --again\n/,
  );
});

test("commands to choose from stand one below the other, where they do not fit side by side", async ({ partnerIn }) => {
  const { stderr } = await partnerIn(person)`statement 9000112233`;
  const commands = ["account", "ledger", "wallet"].map((noun) => `  partner ${noun} statement\n`);
  expect(stderr).toContain(`Hint: Did you mean:\n${commands.join("")}`);
});

test("an error breaks at the same places with colour and without", async ({ partnerIn }) => {
  const line = "wallet statement 9000112233 --save a.b";
  const coloured = await partnerIn({ ...person, environment: { FORCE_COLOR: "1" } })`${line}`;
  expect(coloured.stderr).toContain("\u001b[1;31mError:\u001b[0m ");
  expect(coloured.stderr.replaceAll(/\u001b\[[\d;]*m/g, "")).toBe((await partnerIn(person)`${line}`).stderr);
});

test("the last line of an error is one line of JSON", async ({ partnerIn }) => {
  const { stderr } = await partnerIn(person)`wallet statement 9000112233 --json`;
  const last = stderr.trimEnd().split("\n").at(-1) ?? "";
  expect(JSON.parse(last)).toMatchObject({ error: { ending: "usage" } });
});

test("without a known width, and off a terminal, no line is broken", async ({ partnerIn }) => {
  const whole = (await partnerIn({ now })`wallet statement 9000112233`).stderr;
  for (const world of [
    { ...person, columns: 0 },
    { ...person, columns: 19 },
  ])
    expect((await partnerIn(world)`wallet statement 9000112233`).stderr).toBe(whole);
  expect(whole).toMatch(/[^\n]{81}/);
});

test("a used reference is reported before any question, and no question is asked", async ({ partnerIn, simulator }) => {
  const environment = { NO_COLOR: "1", PARTNER_CONFIG_DIR: temporaryFolder() };
  const line = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description rent --reference SAL-1";
  expect((await partnerIn({ ...person, environment, answers: [true] })`${line}`).exit).toBe(0);
  const paid = simulator.world.wallet("9000112233").balance.toString();
  // A question would end the run, as there is no answer.
  const { exit, stdout, stderr } = await partnerIn({ ...person, environment })`${line}`;
  expect({ exit, stdout }).toEqual({
    exit: 0,
    stdout: expect.stringMatching(/^Nothing was sent now\. The transfer of TZS 5,000\.00 from 9000112233 /),
  });
  expect(stderr).toMatch(
    /^Reference SAL-1 was ordered before, at \d{4}-\d\d-\d\d \d\d:\d\d \(accepted\)\. It is not\n/,
  );
  expect(stderr).not.toMatch(/balance|Send this/);
  expect(simulator.world.wallet("9000112233").balance.toString()).toBe(paid);
  const other = await partnerIn({ ...person, environment })`${line.replace("5000", "6000")}`;
  expect(other.exit).toBe(2);
});

test("a mistyped file ending gets a suggestion, and a missing account the command that lists them", async ({
  partnerIn,
}) => {
  const { stderr } = await partnerIn({ now })`wallet statement 9000112233 --today --save last-month.xls`;
  expect(stderr).toContain("Hint: Did you mean last-month.xlsx? ");
  expect((await partnerIn({ now })`wallet statement --today`).stderr).toContain("partner wallets list");
});
