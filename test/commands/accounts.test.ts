import { describe, expect } from "vitest";
import { answer } from "../contract/recorder.ts";
import { ask, errorIn, ok } from "./served.ts";
import { test } from "../simulated.ts";

// The bodies are typed by hand from the specification, sections 2.2, 2.3 and 7.2.

function enveloped(result: string): string {
  return ok(`{"success":true,"statusCode":"SUCCESS","timestamp":"2026-03-01T08:00:00+03:00","result":${result}}`);
}

const documented =
  '{"accountNo":"0560066551200","accountName":"Duka Ltd","branchCode":"015","currency":"TZS","status":"ACTIVE","availableBalance":4500000.00,"currentBalance":4600000.5}';

describe("account balance", () => {
  test("as JSON is the result without its envelope, with every digit as received", async () => {
    const { exit, stdout, stderr } = await ask("account balance 0560066551200 --json", enveloped(documented));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toBe(`{
  "accountNo": "0560066551200",
  "accountName": "Duka Ltd",
  "branchCode": "015",
  "currency": "TZS",
  "status": "ACTIVE",
  "availableBalance": 4500000.00,
  "currentBalance": 4600000.5
}
`);
  });

  test("as NDJSON is the same on one line", async () => {
    const { stdout } = await ask("account balance 0560066551200 --output ndjson", enveloped(documented));
    expect(stdout).toBe(`${documented}\n`);
  });

  test("as CSV has the specification's names in the specification's order", async () => {
    const shuffled = '{"currentBalance":2.50,"accountNo":"015A8XX787600","availableBalance":1,"status":"ACTIVE"}';
    const { stdout } = await ask("account balance 015A8XX787600 --csv", enveloped(shuffled));
    expect(stdout).toBe(
      "accountNo,accountName,branchCode,currency,status,availableBalance,currentBalance\n015A8XX787600,,,,ACTIVE,1,2.50\n",
    );
  });

  test("as a table groups and aligns amounts and names the currency", async () => {
    const { stdout } = await ask("account balance 0560066551200", enveloped(documented));
    expect(stdout).toBe(`account    0560066551200
name       Duka Ltd
branch     015
currency   TZS
status     ACTIVE
available  4,500,000.00 TZS
current    4,600,000.50 TZS
`);
  });

  test("keeps unknown fields in JSON, with the digits of nested numbers", async () => {
    const extra = '{"accountNo":"1","meta":{"tier":[1.50,null,""],"n":12345678901234567.10},"cbaRefNo":null}';
    const { stdout } = await ask("account balance 1 --output ndjson", enveloped(extra));
    expect(stdout).toBe(`${extra}\n`);
  });

  const amounts: readonly [string, string, string, string][] = [
    ["a number", "12345678901234567.10", "12345678901234567.10", "12345678901234567.10"],
    ["a text of digits", '"4500000.00"', "4500000.00", "4500000.00"],
    ["an empty text", '""', "null", ""],
    ["null", "null", "null", ""],
    ["a text that isn't a number", '"n/a"', '"n/a"', "n/a"],
    ["a negative number", "-5.00", "-5.00", "-5.00"],
    ["a negative text", '"-5.00"', "-5.00", "-5.00"],
  ];

  test.each(amounts)("shows an amount sent as %s: %s as %s in JSON and as %j in CSV", async (_, sent, json, csv) => {
    const body = enveloped(`{"accountNo":"1","availableBalance":${sent}}`);
    expect((await ask("account balance 1 --output ndjson", body)).stdout).toBe(
      `{"accountNo":"1","availableBalance":${json}}\n`,
    );
    expect((await ask("account balance 1 --csv --columns availableBalance --no-header", body)).stdout).toBe(
      `${csv === "" ? '""' : csv}\n`,
    );
  });

  test("treats bookedBalance, the field list's name for currentBalance, as an amount in every format", async () => {
    const body = enveloped(
      '{"accountNo":"1","currency":"TZS","availableBalance":"10.00","bookedBalance":"2232745.15"}',
    );
    expect((await ask("account balance 1 --output ndjson", body)).stdout).toBe(
      '{"accountNo":"1","currency":"TZS","availableBalance":10.00,"bookedBalance":2232745.15}\n',
    );
    expect((await ask("account balance 1 --csv", body)).stdout).toBe(
      "accountNo,accountName,branchCode,currency,status,availableBalance,bookedBalance\n1,,,TZS,,10.00,2232745.15\n",
    );
    expect((await ask("account balance 1", body)).stdout).toContain("\nbooked     2,232,745.15 TZS\n");
  });

  test("with --fail-below exits with 9 and an empty stdout below that amount, and with 0 at it", async () => {
    const body = enveloped('{"accountNo":"1","availableBalance":"500.00"}');
    expect(await ask("account balance 1 --fail-below 500", body)).toMatchObject({ exit: 0 });
    expect(await ask("account balance 1 --fail-below 500.01", body)).toMatchObject({
      exit: 9,
      stdout: "",
      stderr:
        "Error: The available balance of 1 is 500.00; it should be at least 500.01.\nHint: Move money there before it is needed.\n",
    });
    const none = await ask("account balance 1 --fail-below 0", enveloped('{"accountNo":"1","availableBalance":""}'));
    expect(none).toMatchObject({ exit: 9, stdout: "" });
    expect(none.stderr).toMatch(/^Error: The available balance of 1 was not named by the service/);
  });

  test.for([
    ['"currency":"KES"', "KES 1,500.00", "KES 2,000.00"],
    ['"currencyCode":"UGX"', "UGX 1,500", "UGX 2,000"],
    ['"currency":"\\u001b[2J"', "\\u001b[2J 1,500.00", "\\u001b[2J 2,000.00"],
  ])("with --fail-below names amounts in the currency of the balance: %s", async ([field, is, least]) => {
    const body = enveloped(`{"accountNo":"1",${field},"availableBalance":1500}`);
    const { stderr } = await ask("account balance 1 --fail-below 2000", body);
    expect(stderr).toContain(`The available balance of 1 is ${is}; it should be at least ${least}.\n`);
  });
});

const entry = (more: string) =>
  `{"transactionId":null,"reference":"R1","paymentReference":null,"creditOrDebit":"CREDIT","transactionDate":"2026-02-03T10:00:00+03:00","valueDate":"2026-02-03T10:00:00+03:00","narration":"Sale, of \\"7\\"","description":"Sale","currency":"TZS",${more}}`;
const first = entry(
  '"amountCredit":100.10,"amountDebit":"","availableBalance":1100.10,"currentBalance":1100.10,"senderAccountNo":"0042","senderAccountName":"=Asha","senderBankIdentifier":null',
);
const second = entry(
  '"amountCredit":null,"amountDebit":"0.20","availableBalance":1099.90,"currentBalance":1099.90,"senderAccountNo":null,"senderAccountName":null,"senderBankIdentifier":null,"meta":{"a":1.0}',
);
const statement = enveloped(`{"accountNo":"0560066551200","statement":[${first},${second}]}`);

describe("account statement", () => {
  test("as JSON is the array of entries, without the envelope and the account around it", async () => {
    const { exit, stdout, stderr } = await ask("account statement 0560066551200 --month 2026-02 --json", statement);
    expect(exit).toBe(0);
    expect(stderr).toBe("Period: 2026-02-01 to 2026-02-28\n2 rows, +100.10 −0.20, closing 1,099.90, adds up\n");
    expect(stdout.startsWith("[\n  {\n") && stdout.endsWith("\n  }\n]\n")).toBe(true);
    expect(stdout).toContain('"amountCredit": 100.10,\n    "amountDebit": null,');
    expect(stdout).toContain('"amountCredit": null,\n    "amountDebit": 0.20,');
    expect(stdout).toContain('"meta": {\n      "a": 1.0\n    }');
    expect(JSON.parse(stdout)).toHaveLength(2);
  });

  test("as CSV has the specification's names in their order and each cell as received", async () => {
    const { stdout } = await ask("account statement 0560066551200 --month 2026-02 --csv --quiet", statement);
    expect(stdout).toBe(
      `transactionId,reference,paymentReference,creditOrDebit,transactionDate,valueDate,narration,description,currency,amountCredit,amountDebit,availableBalance,currentBalance,senderAccountNo,senderAccountName,senderBankIdentifier
,R1,,CREDIT,2026-02-03T10:00:00+03:00,2026-02-03T10:00:00+03:00,"Sale, of ""7""",Sale,TZS,100.10,,1100.10,1100.10,0042,'=Asha,
,R1,,CREDIT,2026-02-03T10:00:00+03:00,2026-02-03T10:00:00+03:00,"Sale, of ""7""",Sale,TZS,,0.20,1099.90,1099.90,,,
`,
    );
  });

  test("without entries is an empty list, a bare header, or one sentence", async () => {
    const empty = enveloped('{"accountNo":"1","statement":[]}');
    expect(await ask("account statement 1 --date 2026-02-28 --json", empty)).toMatchObject({ exit: 0, stdout: "[]\n" });
    expect((await ask("account statement 1 --date 2026-02-28 --csv", empty)).stdout).toMatch(
      /^transactionId,[^\n]*\n$/,
    );
    const table = await ask("account statement 1 --date 2026-02-28", empty);
    expect(table).toMatchObject({ exit: 0, stdout: "" });
    expect(table.stderr).toContain("Nothing moved through 1 on 2026-02-28.\n");
  });

  test("with --strict exits with 9 and an empty stdout when a balance does not follow", async () => {
    const broken = enveloped(`{"accountNo":"1","statement":[${first},${second.replace("1099.90", "999")}]}`);
    expect(await ask("account statement 1 --month 2026-02 --json", broken)).toMatchObject({ exit: 0 });
    expect(await ask("account statement 1 --month 2026-02 --json --strict", broken)).toMatchObject({
      exit: 9,
      stdout: "",
    });
  });

  test("accepts other fields before and after the list, in any order", async () => {
    const body = ok(`{"result":{"statement":[${first}],"accountNo":"1"},"extra":[],"success":true}`);
    expect((await ask("account statement 1 --month 2026-02 --json", body)).exit).toBe(0);
  });
});

const noes: readonly [string, string, number, RegExp][] = [
  [
    "success false",
    '{"success":false,"statusCode":"FAILED","message":"no luck","result":null}',
    4,
    /\(200 FAILED\)\. It says: no luck/,
  ],
  ["a status word and no result", '{"statusCode":"GENERIC_ERROR","message":"try later"}', 4, /\(200 GENERIC_ERROR\)/],
  ["the body of a 401", '{"statusCode":401,"message":"Unauthorized","error":"token"}', 3, /access token \(401 token\)/],
  ["the body of a 404", '{"statusCode":404,"reason":"NOT_FOUND","details":{}}', 4, /no account 77 of yours/],
  [
    "the body of a 500",
    '{"statusCode":500,"message":"bank","error":"Internal"}',
    5,
    /a problem of its own \(500 Internal\)/,
  ],
  ["a result that is null", '{"success":true,"statusCode":"SUCCESS","result":null}', 5, /could not be read/],
  ["no result", '{"success":true,"statusCode":"SUCCESS"}', 5, /could not be read/],
];

test.each(noes)("a 200 with %s is not accepted as a balance or a statement", async (_, body, exit, says) => {
  for (const line of ["account balance 77 --json", "account statement 77 --today --json"]) {
    const result = await ask(line, ok(body));
    expect(result).toMatchObject({ exit, stdout: "" });
    expect(result.stderr).toMatch(says);
    expect(errorIn(result)["money"]).toBe("none");
  }
});

test("an error body with status 200 is not printed as a wallet's balance or as the list of wallets", async () => {
  for (const [status, exit] of [
    [400, 4],
    [401, 3],
    [404, 4],
    [500, 5],
  ]) {
    const body = ok(`{"statusCode":${status},"reason":"WORD","details":{}}`);
    expect(await ask("wallet balance 77 --json", body)).toMatchObject({ exit, stdout: "" });
    expect(await ask("wallets list --json", body)).toMatchObject({ exit, stdout: "" });
  }
});

test("an answer with an unknown status word is still shown when it holds the requested data", async () => {
  const body = ok('{"statusCode":"OK","result":{"accountNo":"1","availableBalance":1}}');
  expect(await ask("account balance 1 --csv --columns availableBalance", body)).toMatchObject({ exit: 0 });
  expect(await ask("institutions --csv", ok('{"statusCode":"OK","data":[{"code":"A"}]}'))).toMatchObject({
    exit: 0,
    stdout: "code\nA\n",
  });
});

test("a 201 is read like a 200", async () => {
  expect(await ask("account balance 1 --json", answer("201 Created", '{"result":{}}'))).toMatchObject({ exit: 0 });
});

test("the simulator's merchant account adds up, and both balances are amounts", async ({ partner, simulator }) => {
  const [account = "none"] = simulator.accounts;
  const { stdout, exit } = await partner`account balance ${account} --csv`;
  expect(exit).toBe(0);
  expect(stdout).toMatch(
    new RegExp(
      `^accountNo,accountName,branchCode,currency,status,availableBalance,currentBalance\n${account},.*,ACTIVE,`,
    ),
  );
  const checked = await partner`account statement ${account} --month 2026-02 --strict --json`;
  expect(checked.exit).toBe(0);
  expect(checked.stderr).toMatch(/ adds up\n$/);
});

test("an unknown account is refused with 4, and the error names its number", async ({ partner }) => {
  for (const line of ["balance 99", "statement 99 --today"]) {
    const result = await partner`account ${line} --json`;
    expect(result).toMatchObject({ exit: 4, stdout: "" });
    expect(errorIn(result)).toMatchObject({
      ending: "refused",
      http: 404,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  }
});
