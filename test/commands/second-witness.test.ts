import { describe, expect, test } from "vitest";
import { openJournal } from "../../src/journal/sqlite/open.ts";
import { accountScope } from "../../src/journal/account-name.ts";
import { answer } from "../contract/recorder.ts";
import { memoryHost } from "../memory-host.ts";
import { kinds } from "../movements/kinds.ts";
import { accept, accountId } from "../movements/service.ts";
import type { Till } from "../movements/till.ts";
import { openTill } from "../movements/till.ts";
import type { WrittenRow, WrittenStatement } from "../statements-served.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import { openDesk } from "./batch-service.ts";
import { errorIn } from "./served.ts";

// An order is new to the journal, but the statement may show that it was paid before.

const paying = "9000112233";
const collecting = "0560066551200";
const noon = Date.UTC(2026, 2, 31, 9);
const dayMs = 86_400_000;

const lines = {
  transfer: `transfer --from ${paying} --to 9000112244 --amount 5 --description rent --yes --json`,
  withdraw: `withdraw --account ${paying} --amount 5 --narration payout --yes --json`,
  collect: `collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 5 --narration lunch --callback-url https://hooks.example/x --yes --json`,
} as const;
type Checked = keyof typeof lines;

/** A service that accepts every order, with this statement of the order's wallet. */
async function serving(statement: WrittenStatement, kind: Checked = "transfer") {
  const accountNo = kind === "collect" ? collecting : paying;
  const service = await serveStatements({ statements: { [accountNo]: statement }, react: accept });
  return { service, till: openTill(service.environment) };
}

const rent = (fields = {}) => debit("5", { narration: "rent [R-1]", ...fields });
const payout = (fields = {}) => debit("5", { tranRefNo: "R-1", narration: "payout", ...fields });
const lunch = (fields = {}) => credit("5", { tranRefNo: "R-1", narration: "lunch", ...fields });

const paidBefore: readonly (readonly [sentence: string, kind: Checked, row: WrittenRow])[] = [
  ["a transfer by its tag", "transfer", rent()],
  ["a withdrawal by its reference", "withdraw", payout()],
  ["a withdrawal by its narration and the reference", "withdraw", debit("5", { narration: "payout (R-1)" })],
  ["a collection by its reference", "collect", lunch()],
  ["a transfer of yesterday", "transfer", rent({ valueDate: "2026-03-30 00:00:00" })],
  ["a transfer of three days ago", "transfer", rent({ valueDate: "2026-03-28 00:00:00" })],
];

describe("an order that the statement proves is not sent", () => {
  test.for(paidBefore)("%s", async ([, kind, row]) => {
    const { service, till } = await serving([row], kind);
    const run = await till.run(`${lines[kind]} --reference R-1`);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
    expect(run.stderr).toContain("Nothing was sent now.");
    expect(service.orders).toEqual([]);
    expect(await till.movements()).toMatchObject([{ state: "accepted", evidence: "statement" }]);
    const again = await till.run(`${lines[kind]} --reference R-1`);
    expect(again).toMatchObject({ exit: 0, stdout: run.stdout });
    expect(service.orders).toEqual([]);
  });

  test("nor is one that was paid and taken back, which ends with 4", async () => {
    const { service, till } = await serving([rent(), credit("5", { tranRefNo: "REV-R-1" })]);
    const run = await till.run(`${lines.transfer} --reference R-1`);
    expect(run).toMatchObject({ exit: 4, stdout: expect.stringContaining('"state": "reversed"') });
    expect(run.stderr).toContain("It was paid and taken back; no money is gone.");
    expect(service.orders).toEqual([]);
  });

  test("and its row proves no other order", async () => {
    const { till } = await serving([payout()], "withdraw");
    expect(await till.run(`${lines.withdraw} --reference R-1`)).toMatchObject({ exit: 0 });
    const other = await till.run(`${lines.transfer} --reference R-1`);
    expect(other).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "answer"') });
  });

  test("even if it is above the limit of the day", async () => {
    const { service, till } = await serving([rent()]);
    await till.run(
      `profile add shop --environment simulator --base-url ${service.origin} --account-id ${accountId} --secret-store file --secrets-from -`,
      {
        stdin: '{"secretKey":"c2VjcmV0"}',
      },
    );
    await till.run("profile set shop limit.day=1");
    expect(await till.run(`${lines.transfer} --reference R-2 --profile shop`)).toMatchObject({ exit: 2 });
    expect(await till.run(`${lines.transfer} --reference R-1 --profile shop`)).toMatchObject({ exit: 0 });
    expect(service.orders).toEqual([]);
  });

  test("and a collection with --wait ends at once", async () => {
    const { service, till } = await serving([lunch()], "collect");
    const run = await till.run(
      `${lines.collect.replace("--callback-url https://hooks.example/x", "--wait")} --reference R-1`,
    );
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
    expect(service.orders).toEqual([]);
  });
});

const doubts: readonly (readonly [sentence: string, kind: Checked, rows: readonly WrittenRow[]])[] = [
  ["its tag with another amount", "transfer", [debit("6", { narration: "rent [R-1]" })]],
  ["its reference with another amount", "withdraw", [debit("6", { tranRefNo: "R-1" })]],
  ["its reference the other way", "withdraw", [credit("5", { tranRefNo: "R-1" })]],
  ["its reference with another amount the other way", "collect", [debit("7", { tranRefNo: "R-1" })]],
  ["its reference in other text, with the amount", "transfer", [debit("5", { narration: "paid R-1 by hand" })]],
  ["its reference in other letters, with the amount", "withdraw", [debit("5", { tranRefNo: "r-1" })]],
  ["its tag in other letters, with the amount", "transfer", [debit("5", { narration: "rent [r-1]" })]],
  ["a return of it in capitals", "transfer", [debit("5", { narration: "REVERSAL-r-1" })]],
  ["the tag behind other words", "transfer", [debit("9", { narration: "wages [R-1]" })]],
  ["its fee", "collect", [debit("1", { tranRefNo: "R-1-PAYIN", narration: "SERVICE FEE FOR REF:R-1 TXNID:1" })]],
  ["its payment twice", "withdraw", [payout({ balance: 1 }), payout({ balance: 2 })]],
  ["its return alone", "transfer", [credit("5", { tranRefNo: "REV-R-1" })]],
  ["its narration and amount under another reference", "withdraw", [payout({ tranRefNo: "FT1" })]],
];

describe("an order in doubt is sent only with --again: the statement shows", () => {
  test.for(doubts)("%s", async ([, kind, rows]) => {
    const { service, till } = await serving(rows, kind);
    const line = `${lines[kind]} --reference R-1`;
    const run = await till.run(line);
    expect(run).toMatchObject({ exit: 2, stdout: "" });
    expect(run.stderr).toContain("--again");
    expect(run.stderr).toContain('"money":"unknown"');
    expect(run.stderr).not.toMatch(/no money moved/i);
    expect(await till.movements()).toEqual([]);
    expect(service.orders).toEqual([]);
    expect(await till.run(`${line} --again`)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(1);
  });
});

const free: readonly (readonly [sentence: string, kind: Checked, rows: readonly WrittenRow[]])[] = [
  ["nothing", "transfer", []],
  ["another order", "transfer", [debit("5", { narration: "rent [R-2]" })]],
  ["its reference in other text, with another amount", "transfer", [debit("6", { narration: "paid R-1 by hand" })]],
  ["a longer reference", "withdraw", [debit("5", { tranRefNo: "R-10" })]],
  ["its narration two days ago", "withdraw", [payout({ tranRefNo: "FT1", valueDate: "2026-03-29 12:00:00" })]],
  ["a payment with its amount and other words", "withdraw", [debit("5", { narration: "wages" })]],
  ["its description without the tag", "transfer", [debit("5", { narration: "rent" })]],
];

describe("an order is sent when the statement shows", () => {
  test.for(free)("%s", async ([, kind, rows]) => {
    const { service, till } = await serving(rows, kind);
    expect(await till.run(`${lines[kind]} --reference R-1`)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(1);
  });

  test("the same narration, but its reference was generated for this run", async () => {
    const { service, till } = await serving([payout({ tranRefNo: "FT1" })], "withdraw");
    expect(await till.run(lines.withdraw)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(1);
  });

  test("the same narration for another order of this journal", async () => {
    const { service, till } = await serving([], "withdraw");
    await till.run(`${lines.withdraw} --reference R-0`);
    service.write(paying, [payout({ tranRefNo: "FT1" })]);
    expect(await till.run(`${lines.withdraw} --reference R-1`)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(2);
    service.write(
      paying,
      [1, 2, 3].map((balance) => payout({ tranRefNo: "FT1", balance })),
    );
    expect(await till.run(`${lines.withdraw} --reference R-2`)).toMatchObject({ exit: 2 });
  });

  test("its reference on a transfer, while it is a withdrawal", async () => {
    const { service, till } = await serving([]);
    await till.run(`${lines.transfer} --reference R-1`);
    service.write(paying, [rent({ tranRefNo: "g7H8i9J0k1L2" })]);
    expect(await till.run(`${lines.withdraw} --reference R-1`)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(2);
  });
});

const noRight = '{"statusCode":403,"message":"Forbidden resource","error":"Forbidden"}';
const unread: readonly (readonly [sentence: string, text: string, exit: number, sent: number])[] = [
  ["ends with an error", answer("500 Internal Server Error", ""), 5, 0],
  ["isn't JSON", answer("200 OK", "<html>"), 5, 0],
  ["breaks off", answer("200 OK", "[{}"), 5, 0],
  ["has an error in a row's place", answer("200 OK", '[{"error":"Internal error"}]'), 5, 0],
  ["has an entry without an amount", answer("200 OK", '[{"tranRefNo":"R-9","narration":"rent"}]'), 5, 0],
  ["is a part of an answer that was not asked for in parts", answer("206 Partial Content", "[]"), 5, 0],
  ["is not for these credentials", answer("403 Forbidden", noRight), 5, 0],
  ["has no such wallet, by an empty answer", answer("404 Not Found", ""), 5, 0],
  ["has no such wallet", answer("404 Not Found", '{"statusCode":404,"reason":"NOT_FOUND","details":{}}'), 0, 1],
  [
    "wants other credentials",
    answer("401 Unauthorized", '{"statusCode":401,"reason":"INVALID_CREDENTIALS","details":{}}'),
    3,
    0,
  ],
];

describe("a statement that", () => {
  test.for(unread)("%s", async ([, text, exit, sent]) => {
    const { service, till } = await serving({ answer: text });
    const line = `${lines.transfer} --reference R-1 --retries 0`;
    const ended = await till.run(line);
    const { money, reference } = ended.exit === 0 ? {} : errorIn(ended);
    const unmoved = exit === 0 ? {} : { money: "not moved", reference: "R-1" };
    expect({ exit: ended.exit, money, reference }).toEqual({ exit, ...unmoved });
    expect(service.orders).toHaveLength(sent);
    expect(await till.run(`${line} --check-statement never`)).toMatchObject({ exit: 0 });
  });

  test("is refused: the service's reason is passed on", async () => {
    for (const status of ["401 Unauthorized", "403 Forbidden"]) {
      const said = { statusCode: Number.parseInt(status), reason: "NOT_ALLOWED", details: { key: "has expired" } };
      const { till } = await serving({ answer: answer(status, JSON.stringify(said)) });
      const ended = await till.run(`${lines.transfer} --reference R-1`);
      expect(errorIn(ended)).toMatchObject({ http: said.statusCode, reason: said.reason, details: said.details });
    }
  });

  test.for(["[]", '[{"accountNo":"0560066551200"}]'])(
    "cannot be found for a collection among the wallets %s stops the order",
    async (list) => {
      const { service, till } = await serving([lunch()], "collect");
      service.writeWallets(list);
      const line = `${lines.collect} --reference R-1`;
      const run = await till.run(line);
      expect(run).toMatchObject({ exit: 5, stdout: "" });
      expect(run.stderr).toContain("no default collection wallet");
      expect(service.orders).toEqual([]);
      expect(await till.run(`${line} --check-statement never`)).toMatchObject({ exit: 0 });
    },
  );

  test("of a Kenyan collection is reported missing by country, beside wallets of another country", async () => {
    const { service, till } = await serving([lunch()], "collect");
    service.writeWallets(
      '[{"accountNo":"2001","type":"DEFAULT COLLECTION","balance":1,"currency":"TZS","countryCode":"TZ"}]',
    );
    const line = "collect --msisdn 254712345678 --channel KE-SAFARICOM-C2B --amount 50 --narration fare";
    const run = await till.run(`${line} --callback-url https://partner.test/hook --reference R-1 --yes`);
    expect(run).toMatchObject({ exit: 5, stdout: "" });
    expect(run.stderr).toContain("The service lists no default collection wallet of the country KE,");
    expect(service.orders).toEqual([]);
  });

  test("cannot be read also stops a person's order", async () => {
    const { service, till } = await serving({ answer: "" });
    const world = { terminal: { stdin: true, stdout: true, stderr: true }, answers: [true] };
    const run = await till.run(`${lines.transfer.replace(" --yes", "")} --reference R-1 --retries 0`, world);
    expect(run).toMatchObject({ exit: 5, stdout: "" });
    expect(service.orders).toEqual([]);
  });
});

const odd = debit("6", { narration: "rent [R-1]" });

describe("on a terminal a doubtful row is shown to a person", () => {
  const terminal = { stdin: true, stdout: true, stderr: true };
  const line = `${lines.transfer.replace(" --yes --json", "")} --reference R-1`;

  test.for([
    [true, 0, 1],
    [false, 130, 0],
  ] as const)("whose answer is %s: exit %i", async ([says, exit, sent]) => {
    const { service, till } = await serving([odd]);
    const run = await till.run(line, { terminal, answers: [says] });
    expect(run).toMatchObject({ exit });
    expect(run.stderr).toContain("row FT26090000 of 9000112233");
    expect(service.orders).toHaveLength(sent);
  });

  test("who used --yes and gets no question: exit 2", async () => {
    const { service, till } = await serving([odd]);
    expect(await till.run(`${line} --yes`, { terminal })).toMatchObject({ exit: 2 });
    expect(service.orders).toEqual([]);
  });
});

describe("a dry run reports what the statement shows, and ends with 0", () => {
  test.for([
    ["nothing", [], ""],
    ["a proof", [rent()], "It would not be sent."],
    ["a doubtful row", [odd], "Warning: The statement shows row FT26090000 of 9000112233"],
    ["a row without a day", [rent({ valueDate: "" })], "row FT26090000 of 9000112233, has no value date."],
    ["no statement", { answer: "" }, "Warning: The statement cannot be read"],
  ] as const)("when there is %s", async ([, statement, says]) => {
    const { service, till } = await serving(statement);
    const run = await till.run(`${lines.transfer} --reference R-1 --dry-run --retries 0`);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"dryRun": true') });
    expect(run.stderr).toContain(says);
    expect(service.asked.length).toBeGreaterThan(0);
    expect(service.orders).toEqual([]);
  });
});

describe("the statement is read", () => {
  const days = { startDate: "2026-03-28", endDate: "2026-04-07" };

  test("during a journal's first day, three days back or as many as --check-days says", async () => {
    const { service, till } = await serving([]);
    await till.run(`${lines.transfer} --reference R-1`);
    await till.run(`${lines.transfer} --reference R-2 --check-days 10 --again`);
    await till.run(`${lines.withdraw} --reference R-3`, { now: noon + dayMs - 1 });
    expect(service.asked).toEqual([
      { accountNo: paying, ...days },
      { accountNo: paying, ...days, startDate: "2026-03-21" },
      { accountNo: paying, startDate: "2026-03-29", endDate: "2026-04-08" },
    ]);
    await till.run(`${lines.withdraw} --reference R-4 --again`, { now: noon + dayMs });
    expect(service.asked).toHaveLength(3);
    expect(service.orders).toHaveLength(4);
  });

  test("until the first day is over, even if it was dated by a clock days ahead", async () => {
    const { service, till } = await serving([]);
    await till.run(`${lines.transfer} --reference R-1`, { now: noon + 3 * dayMs });
    await till.run(`${lines.withdraw} --reference R-2`);
    await till.run(`${lines.withdraw} --reference R-3 --again`, { now: noon + 4 * dayMs - 1 });
    expect(service.asked).toHaveLength(3);
    await till.run(`${lines.withdraw} --reference R-4 --again`, { now: noon + 4 * dayMs });
    expect(service.asked).toHaveLength(3);
  });

  test("always or never, as the flag or the profile says", async () => {
    const { service, till } = await serving([]);
    const profile = `profile add shop --environment simulator --base-url ${service.origin} --account-id ${accountId} --secret-store file --secrets-from -`;
    await till.run(profile, { stdin: '{"secretKey":"c2VjcmV0"}' });
    const later = { now: noon + 2 * dayMs };
    const send = async (reference: string, flags = "") =>
      till.run(`${lines.transfer} --reference ${reference} --again --profile shop ${flags}`, later);
    await till.run("journal list");
    await till.run("profile set shop check.statement=never");
    expect(await send("R-1")).toMatchObject({ exit: 0 });
    expect(service.asked).toHaveLength(0);
    expect(await send("R-2", "--check-statement always")).toMatchObject({ exit: 0 });
    expect(service.asked).toHaveLength(1);
    await till.run("profile set shop check.statement=always");
    expect(await send("R-3")).toMatchObject({ exit: 0 });
    expect(service.asked).toHaveLength(2);
    expect(await send("R-4", "--check-statement never")).toMatchObject({ exit: 0 });
    expect(service.asked).toHaveLength(2);
    expect(await till.run("profile set shop check.statement=sometimes")).toMatchObject({ exit: 2 });
  });

  test("only when something would be sent", async () => {
    const { service, till } = await serving([]);
    await till.run(`${lines.transfer} --reference R-1`);
    expect(await till.run(`${lines.transfer} --reference R-1`)).toMatchObject({ exit: 0 });
    expect(service.asked).toHaveLength(1);
  });

  test.for(["--check-statement sometimes", "--check-days 0", "--check-days x", "--check-days 367"])(
    "but %s is refused",
    async (flags) => {
      const { till } = await serving([]);
      expect(await till.run(`${lines.transfer} --reference R-1 ${flags}`)).toMatchObject({ exit: 2 });
    },
  );
});

/** A row of a batch with a column for the kind. */
const transferRow = (reference: string) => `transfer,${reference},${paying},9000112244,,5,rent,\n`;

describe("a batch", () => {
  const header = "kind,reference,from,to,account,amount,description,narration\n";
  const file = (...rows: readonly string[]) => openDesk().write(header + rows.join(""));

  test("reads each account once, and sends only rows that the statement does not prove", async () => {
    const { service, till } = await serving([rent()]);
    const path = file(
      transferRow("R-1"),
      transferRow("R-2"),
      transferRow("R-3"),
      `withdraw,R-4,,,9000112244,5,,payout\n`,
    );
    const run = await till.run(`batch run ${path} --yes --json`);
    expect(run).toMatchObject({ exit: 0 });
    expect(JSON.parse(run.stdout)).toMatchObject([1, 2, 3, 4].map(() => ({ state: "accepted" })));
    const period = { startDate: "2026-03-28", endDate: "2026-04-07" };
    expect(service.asked).toEqual([paying, "9000112244"].map((accountNo) => ({ accountNo, ...period })));
    expect(service.orders).toHaveLength(3);
    const states = (await till.movements()).map(({ reference, evidence }) => [reference, evidence]);
    expect(Object.fromEntries(states)).toMatchObject({ "R-1": "statement", "R-2": "answer", "R-3": "answer" });
    expect(await till.run(`batch run ${path} --yes`)).toMatchObject({ exit: 0 });
    expect(service.asked).toHaveLength(2);
  });

  test("with doubtful rows is not started, and names them", async () => {
    const { service, till } = await serving([odd, debit("8", { narration: "rent [R-3]" })]);
    const path = file(transferRow("R-1"), transferRow("R-2"), transferRow("R-3"));
    const run = await till.run(`batch run ${path} --yes --json`);
    expect(run).toMatchObject({ exit: 2, stdout: "" });
    const error: unknown = JSON.parse(run.stderr.trimEnd().split("\n").at(-1) ?? "");
    expect(error).toMatchObject({ error: { details: { "R-1": expect.any(String), "R-3": expect.any(String) } } });
    expect(service.orders).toEqual([]);
    expect(await till.run(`batch run ${path} --yes --again`)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(3);
  });

  test("whose statement cannot be read is not started", async () => {
    const { service, till } = await serving({ answer: "" });
    const path = file(transferRow("R-1"), transferRow("R-2"));
    expect(await till.run(`batch run ${path} --yes --retries 0`)).toMatchObject({ exit: 5, stdout: "" });
    expect(service.orders).toEqual([]);
    expect(await till.run(`batch run ${path} --yes --check-statement never`)).toMatchObject({ exit: 0 });
  });
});

/** Stores rows like a recovery does, in a journal that is ten days old. */
async function keepSeen(
  till: Till,
  origin: string,
  rows: readonly { accountNo: string; reference: string; row: string }[],
) {
  const { PARTNER_CONFIG_DIR: configFolder = "" } = till.environment;
  const host = memoryHost({ now: noon - 10 * dayMs });
  const place = {
    stateFolder: till.stateFolder,
    configFolder,
    version: "test",
    use: "write",
    warn: () => undefined,
  } as const;
  const journal = await openJournal(host, place);
  const scope = accountScope({ environment: "simulator", baseUrl: origin, accountId });
  await journal.keepSeen(rows.map((row, index) => ({ ...row, scope, key: `key ${index}` })));
  await journal.close();
}

const old = (fields = {}) => rent({ valueDate: "2026-03-01 12:00:00", ...fields });

describe("an order with a reference that a recovery found", () => {
  test("is not sent when its row proves it, however old the row is", async () => {
    const { service, till } = await serving([old()]);
    await keepSeen(till, service.origin, [{ accountNo: paying, reference: "R-1", row: old() }]);
    const run = await till.run(`${lines.transfer} --reference R-1`);
    expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
    expect(service.orders).toEqual([]);
  });

  test.for([
    ["has another amount", [debit("6", { narration: "rent [R-1]", valueDate: "2026-03-01 12:00:00" })]],
    ["is gone", []],
  ] as const)("ends with 2 when its row %s, unless --again is given", async ([, rows]) => {
    const { service, till } = await serving(rows);
    await keepSeen(till, service.origin, [{ accountNo: paying, reference: "R-1", row: old() }]);
    const line = `${lines.transfer} --reference R-1 --check-statement never`;
    expect(await till.run(line)).toMatchObject({ exit: 2, stdout: "" });
    expect(service.orders).toEqual([]);
    expect(await till.run(`${line} --again`)).toMatchObject({ exit: 0 });
  });

  test("ends with 5 when the statement cannot be read", async () => {
    const { service, till } = await serving({ answer: "" });
    await keepSeen(till, service.origin, [{ accountNo: paying, reference: "R-1", row: old() }]);
    expect(await till.run(`${lines.transfer} --reference R-1 --retries 0`)).toMatchObject({ exit: 5 });
    expect(service.orders).toEqual([]);
  });

  test("ends with 2 if it is a remittance", async () => {
    const { service, till } = await serving([]);
    await keepSeen(till, service.origin, [{ accountNo: paying, reference: "R-1", row: old() }]);
    expect(await till.run(kinds[3]?.line("R-1") ?? "")).toMatchObject({ exit: 2, stdout: "" });
    expect(service.orders).toEqual([]);
  });

  test("is accepted or left unsent with its reason in a batch", async () => {
    const { service, till } = await serving([old(), old({ narration: "rent [R-2]", amountDebited: 7 })]);
    await keepSeen(till, service.origin, [
      { accountNo: paying, reference: "R-1", row: old() },
      { accountNo: paying, reference: "R-2", row: old({ narration: "rent [R-2]", amountDebited: 7 }) },
    ]);
    const path = openDesk().write(
      `kind,reference,from,to,amount,description\n${["R-1", "R-2", "R-3"].map((reference) => `transfer,${reference},${paying},9000112244,5,rent\n`).join("")}`,
    );
    const run = await till.run(`batch run ${path} --yes --json`);
    expect(run).toMatchObject({ exit: 8 });
    expect(JSON.parse(run.stdout)).toMatchObject([{ state: "accepted" }, { state: "unsent" }, { state: "accepted" }]);
    expect(run.stdout).toContain("has another amount");
    expect(service.orders).toHaveLength(1);
    expect(service.asked).toHaveLength(1);
  });
});
