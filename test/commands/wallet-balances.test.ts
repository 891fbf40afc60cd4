import { expect } from "vitest";
import { test } from "../simulated.ts";
import { ask, ok } from "./served.ts";

const main = ok('{"availableBalance":100.50,"currentBalance":100.50,"accountNo":"1","currencyCode":"TZS"}');
const till = ok('{"availableBalance":7.25,"currentBalance":"","extra":1}');

test("one wallet is printed as an object, several as an array in the given order without repeats", async () => {
  const one = await ask("wallet balance 1 --json", main);
  expect(one.stdout).toMatch(/^\{\n/);
  const several = await ask("wallet balance 1 2 1 --output ndjson", [main, till]);
  expect(several).toMatchObject({ exit: 0, stderr: "" });
  expect(several.stdout).toBe(
    '{"availableBalance":100.50,"currentBalance":100.50,"accountNo":"1","currencyCode":"TZS"}\n' +
      '{"availableBalance":7.25,"currentBalance":null,"extra":1,"accountNo":"2"}\n',
  );
  expect(several.requests.map((request) => request.split("\r\n\r\n")[1])).toEqual([
    '{"accountNo":"1"}',
    '{"accountNo":"2"}',
  ]);
});

test("every balance below the minimum is named, and none is printed", async () => {
  const { exit, stdout, stderr } = await ask("wallet balance 1 2 3 --fail-below 50 --csv", [main, till, till]);
  expect({ exit, stdout }).toEqual({ exit: 9, stdout: "" });
  expect(stderr).toContain("The available balance of 2 is 7.25; it should be at least 50.");
  expect(stderr).toContain("The available balance of 3 is 7.25; it should be at least 50.");
  expect(stderr).not.toContain("balance of 1 ");
});

test.for(["table", "json", "ndjson", "csv"])("--columns with an unknown name is refused in %s", async (format) => {
  const line = `wallet balance 1 --columns availableBalanse --quiet --output ${format}`;
  const { exit, stdout, stderr } = await ask(line, main);
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr).toContain(
    'There is no column "availableBalanse" in this result.\nHint: Did you mean availableBalance? ',
  );
});

test("--columns accepts a field that the service sends but the specification lacks", async () => {
  expect(await ask("wallet balance 2 --columns extra --csv", till)).toMatchObject({ exit: 0, stdout: "extra\n1\n" });
});

test("--columns with a field missing from the answer ends with 2 for a merchant account", async () => {
  const answered = ok('{"success":true,"statusCode":"SUCCESS","result":{"availableBalance":1,"currentBalance":2}}');
  const asked = await ask("account balance 1 --columns bookedBalance --csv", answered);
  expect(asked).toMatchObject({ exit: 2, stdout: "" });
  expect(asked.stderr).toContain('There is no column "bookedBalance" in this result.');
});

test("an unknown wallet ends the list with 4, and no balance is printed", async ({ partner }) => {
  expect(await partner`wallet balance 9000112233 4711 --csv`).toMatchObject({ exit: 4, stdout: "" });
});

test("a list of balances begins with the account's number and name", async ({ partner }) => {
  const [header] = (await partner`wallet balance --all --csv`).stdout.split("\n");
  expect(header).toMatch(/^accountNo,accountName,/);
});

test("--all reads every wallet", async ({ partner }) => {
  const listed = await partner`wallets list --csv --columns accountNo`;
  const all = await partner`wallet balance --all --csv --columns accountNo`;
  expect(all).toMatchObject({ exit: 0, stdout: listed.stdout, stderr: "" });
  expect((await partner`wallet balance --all --json --fail-below 0`).exit).toBe(0);
});

test.each([
  ["wallet balance", "ACCOUNT is missing."],
  ["wallet balance 1 --all", "--all means every wallet, but one is named as well."],
  ["wallet balance 1 2 ''", "ACCOUNT is empty."],
])("%s ends with 2 and sends no request", async (line, message) => {
  const result = await ask(line);
  expect(result).toMatchObject({ exit: 2, stdout: "", requests: [] });
  expect(result.stderr).toContain(message);
});
