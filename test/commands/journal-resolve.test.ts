import { describe, expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import { kinds } from "../movements/kinds.ts";
import { accept } from "../movements/service.ts";
import { saying } from "../movements/teller.ts";
import { openTill } from "../movements/till.ts";
import type { WrittenStatement } from "../statements-served.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";

// `journal resolve`: its output and exit codes, and how much a person's word counts.

const [transfer, withdraw, collect] = kinds;
const paying = "9000112233";
const noon = Date.UTC(2026, 2, 31, 9);
const dayMs = 86_400_000;
const paid = debit("5", { narration: "rent [R-1]" });
const back = credit("5", { tranRefNo: "REV-R-1" });

/** A transfer R-1 with a lost answer, and a statement. */
async function lostWith(statement: WrittenStatement, says = saying("500 Internal Server Error", "")) {
  const service = await serveStatements({ statements: { [paying]: statement }, react: says });
  const till = openTill(service.environment);
  await till.run(transfer.line("R-1"));
  return { service, till };
}

const unreadable: readonly (readonly [string, string])[] = [
  ["an error of the service", answer("500 Internal Server Error", "")],
  ["no right to it", answer("403 Forbidden", '{"statusCode":403,"message":"Forbidden resource","error":"Forbidden"}')],
  ["wrong credentials", answer("401 Unauthorized", '{"statusCode":401,"reason":"INVALID_CREDENTIALS","details":{}}')],
  ["no such wallet", answer("404 Not Found", '{"statusCode":404,"reason":"NOT_FOUND","details":{}}')],
  ["something that is not JSON", answer("200 OK", "<html>")],
  ["half a list", answer("200 OK", "[{}")],
  ["an object that is no list", answer("200 OK", '{"rows":[]}')],
];

describe("a statement that cannot be read", () => {
  test.for(unreadable)("after %s leaves the order unknown: exit 5", async ([, text]) => {
    const { till } = await lostWith({ answer: text });
    const run = await till.run("journal resolve R-1 --retries 0 --json");
    expect(run).toMatchObject({ exit: 5, stdout: expect.stringContaining('"state": "unknown"') });
    expect(run.stderr).toContain('"money":"unknown"');
  });

  test("is reported with a hint for its cause, also before a refusal and before an order", async () => {
    const { till } = await lostWith({ answer: answer("200 OK", "<html>") });
    const wayOut = "Hint: Check that the base URL is the service's: partner profile show. Look at the answer: --debug";
    expect((await till.run("journal resolve R-1 --retries 0")).stderr).toContain(`${wayOut}\n`);
    const refused = await till.run('journal resolve R-1 --as refused --evidence "ticket" --retries 0');
    expect(refused.stderr).toContain(`${wayOut}. To decide without it, add --unchecked.\n`);
    const order = "transfer --from 9000112233 --to 9000112244 --amount 7 --description other --reference R-2 --yes";
    const other = await till.run(`${order} --check-statement always --retries 0`);
    expect(other.stderr).toContain(`${wayOut}. To send it without asking the statement: --check-statement never\n`);
  });

  test("is reported in the singular for one order", async () => {
    const { till } = await lostWith({ answer: answer("500 Internal Server Error", "") });
    const run = await till.run("journal resolve --all --retries 0");
    expect(run.exit).toBe(6);
    expect(run.stderr).toContain("1 of 1 order is still unknown.");
  });

  test("among several with --all exits with 6", async () => {
    const { till } = await lostWith({ answer: unreadable[0]?.[1] ?? "" });
    expect(await till.run("journal resolve --all --retries 0")).toMatchObject({ exit: 6 });
  });

  test("exits with 6 with --all even if the only order is pending", async () => {
    const { till } = await lostWith([]);
    await till.run('journal resolve R-1 --as accepted --evidence "seen"');
    const service = await serveStatements({ statements: { "0560066551200": { answer: "" } }, react: accept });
    const other = openTill(service.environment);
    await other.run(collect?.line("R-1") ?? "");
    expect(await other.run("journal resolve --all --retries 0")).toMatchObject({ exit: 6 });
  });
});

describe("--all", () => {
  test("looks at this account only", async () => {
    const { till } = await lostWith([]);
    const elsewhere = await till.run("journal resolve --all --json", { environment: { PARTNER_ACCOUNT_ID: "other" } });
    expect(elsewhere).toMatchObject({ exit: 0, stdout: "[]\n" });
    expect(await till.run("journal resolve --all")).toMatchObject({ exit: 6 });
  });

  test("finds orders of the account that were sent under another label", async () => {
    const { till } = await lostWith([paid]);
    const renamed = await till.run("journal resolve --all --json", { environment: { PARTNER_ENVIRONMENT: "sandbox" } });
    expect(renamed).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
  });

  test.for([
    ["an hour", dayMs / 24, 0],
    ["a day", dayMs, 0],
    ["more than a day", dayMs + 1, 7],
  ] as const)("exits with 7 only after more than a day, here for an order pending for %s", async ([, ms, exit]) => {
    const service = await serveStatements({ react: accept });
    const till = openTill(service.environment);
    expect(await till.run(collect?.line("R-1") ?? "", { now: noon })).toMatchObject({ exit: 0 });
    expect(await till.run("journal resolve --all", { now: noon + ms })).toMatchObject({ exit });
  });

  test("does not call a pending order unknown where no statement can be read", async () => {
    const unread = { answer: answer("500 Internal Server Error", "") };
    const service = await serveStatements({
      statements: { [paying]: unread, "0560066551200": unread },
      react: saying("500 Internal Server Error", ""),
    });
    const till = openTill(service.environment);
    await till.run(transfer.line("R-1"));
    service.react(accept);
    expect(await till.run(collect?.line("C-1") ?? "")).toMatchObject({ exit: 0 });
    const both = await till.run("journal resolve --all --retries 0");
    expect(both).toMatchObject({ exit: 6 });
    expect(both.stderr).toContain("1 of 2 orders is still unknown, and 1 more could not be looked up.");
    await till.run('journal resolve R-1 --as accepted --evidence "seen"');
    const pending = await till.run("journal resolve --all --retries 0");
    expect(pending).toMatchObject({ exit: 6 });
    expect(pending.stderr).toContain("Error: 1 of 1 order could not be looked up.");
  });

  test("exits with 6 when one order is unknown and another one pending", async () => {
    const service = await serveStatements({ react: accept });
    const till = openTill(service.environment);
    await till.run(collect?.line("R-1") ?? "", { now: noon });
    service.react(saying("500 Oops", ""));
    await till.run(transfer.line("R-1"), { now: noon });
    expect(await till.run("journal resolve --all", { now: noon + 2 * dayMs })).toMatchObject({ exit: 6 });
  });
});

const objections: readonly (readonly [string, WrittenStatement, exit: 0 | 2])[] = [
  ["names its reference in other letters, with its amount", [debit("5", { narration: "rent [r-1]" })], 2],
  ["shows nothing", [], 0],
  ["proves that it was paid", [paid], 2],
  ["shows that it was paid and reversed", [paid, back], 2],
  ["shows a return without the payment", [back], 2],
  ["shows two rows that fit", [debit("5", { narration: "rent [R-1]", balance: 2 }), paid], 2],
  ["names the reference with the amount in passing", [debit("5", { narration: "rent for R-1 of March" })], 2],
  ["has the reference in other letters, and the amount", [debit("5", { tranRefNo: "r-1" })], 2],
  ["has the payment of another month", [debit("5", { narration: "rent [R-1]", valueDate: "2026-03-30 00:00:00" })], 2],
  ["names the reference with another amount", [debit("6", { narration: "rent for R-1 of March" })], 0],
  ["shows the amount and no reference", [debit("5", { narration: "something" })], 0],
  ["shows its fee alone, of another amount", [debit("1", { tranRefNo: "R-1-PAYOUT" })], 0],
];

describe("--as refused, where the statement", () => {
  const refused = 'journal resolve R-1 --as refused --evidence "ticket 4711"';

  test.for(objections)("%s", async ([, statement, exit]) => {
    const { till } = await lostWith(statement);
    const run = await till.run(refused);
    expect(run).toMatchObject({ exit });
    expect(await till.movements()).toMatchObject([{ state: exit === 0 ? "refused" : "unknown" }]);
    expect(/row .+ of 9000112233/.test(run.stderr)).toBe(exit === 2);
    expect(await till.run(`${refused} --unchecked`)).toMatchObject({ exit });
  });

  test("contradicts it: --against-statement decides, and the contradiction is kept with name and time", async () => {
    const { till } = await lostWith([paid]);
    expect(await till.run(`${refused} --against-statement`)).toMatchObject({ exit: 0 });
    expect(await till.movements()).toMatchObject([{ state: "refused", evidence: "person" }]);
    const { history } = JSON.parse((await till.run("journal show R-1 --json")).stdout);
    expect(history.at(-1)).toMatchObject({
      to: "refused",
      evidence: "person",
      at: "2026-03-31T12:00:00+03:00",
      user: expect.stringMatching(/./),
      note: "ticket 4711 (against the statement: row FT26090000 of 9000112233, 2026-03-31 12:00:00, proves that it was paid)",
    });
  });

  test("has the reference with another amount: the row is shown and kept with the person's word", async () => {
    const { till } = await lostWith([debit("6", { tranRefNo: "R-1" }), debit("7", { narration: "something" })]);
    const { exit, stdout } = await till.run(`${refused} --json`);
    const note =
      "ticket 4711 (the statement also has row R-1 of 9000112233, 2026-03-31 12:00:00, has another amount, -6)";
    expect([exit, JSON.parse(stdout)]).toEqual([
      0,
      [expect.objectContaining({ state: "refused", saw: `A person says: ${note}` })],
    ]);
    const { history } = JSON.parse((await till.run("journal show R-1 --json")).stdout);
    expect(history.at(-1)).toMatchObject({ to: "refused", note });
  });

  test("shows nothing: on a terminal, a sentence gives the person's word", async () => {
    const { till } = await lostWith([]);
    const { stdout } = await till.run(refused, { terminal: { stdout: true }, columns: 500 });
    expect(stdout).toContain(" is refused. A person says: ticket 4711. Its reference can be used again.\n");
  });

  test("cannot be read: exit 5, and --unchecked decides", async () => {
    const { till } = await lostWith({ answer: unreadable[0]?.[1] ?? "" });
    expect(await till.run(`${refused} --retries 0`)).toMatchObject({ exit: 5 });
    expect(await till.run(`${refused} --retries 0 --against-statement`)).toMatchObject({ exit: 5 });
    expect(await till.movements()).toMatchObject([{ state: "unknown" }]);
    expect(await till.run(`${refused} --retries 0 --unchecked`)).toMatchObject({ exit: 0 });
    const [movement] = await till.movements();
    expect(movement).toMatchObject({ state: "refused", note: expect.stringContaining("the statement was not read") });
  });

  test.for([
    ["collect", "[]", 6],
    ["collect", '[{"accountNo":"0560066551200"}]', 5],
    ["remit", "[]", 6],
    ["remit", '[{"accountNo":"9000112233","accountName":"Main"}]', 6],
  ] as const)(
    "of a %s is that of none of the wallets in %s: exit 5, and --unchecked decides",
    async ([name, list, exit]) => {
      const kind = kinds.find((one) => one.kind === name) ?? kinds[0];
      const service = await serveStatements();
      service.writeWallets(list);
      const till = openTill(service.environment);
      await till.run(kind.line("R-1"));
      expect(await till.run(refused)).toMatchObject({ exit: 5, stdout: "" });
      expect(await till.movements()).toMatchObject([{ state: "unknown" }]);
      expect(await till.run("journal resolve R-1")).toMatchObject({ exit });
      expect(await till.run(`${refused} --unchecked`)).toMatchObject({ exit: 0 });
    },
  );

  test("is another account's: exit 5, and --unchecked decides", async () => {
    const { till } = await lostWith([]);
    const world = { environment: { PARTNER_ACCOUNT_ID: "other" } };
    expect(await till.run(refused, world)).toMatchObject({ exit: 5 });
    expect(await till.run(`${refused} --unchecked`, world)).toMatchObject({ exit: 0 });
  });

  test("shows the payment later, journal resolve overrides the person's word", async () => {
    const { till, service } = await lostWith([]);
    expect(await till.run(refused)).toMatchObject({ exit: 0 });
    service.write(paying, [paid]);
    expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 0 });
    expect(await till.movements()).toMatchObject([{ state: "accepted", evidence: "statement" }]);
  });
});

test("--as accepted reads no statement", async () => {
  const { till, service } = await lostWith({ answer: unreadable[0]?.[1] ?? "" });
  expect(await till.run('journal resolve R-1 --as accepted --evidence "seen"')).toMatchObject({ exit: 0 });
  expect(service.asked).toEqual([]);
});

const says = (as: string) => `For example: partner journal resolve R-1 --as ${as} --evidence "support ticket 4711"`;

// An example that says the opposite of what was typed would let a payment be sent twice.
test.for([
  ["journal resolve R-1 --unchecked", `${says("refused")} --unchecked`],
  ["journal resolve R-1 --against-statement", `${says("refused")} --against-statement`],
  ["journal resolve R-1 --as accepted --evidence x --unchecked", "Leave it out: no statement is read for accepted"],
  [
    "journal resolve R-1 --as accepted --evidence x --against-statement",
    "Leave it out: no statement is read for accepted",
  ],
  ["journal resolve R-1 --as accepted", says("accepted")],
  ["journal resolve R-1 --as refused --unchecked", says("refused")],
  ["journal resolve R-1 --evidence x", "Say what you know: --as accepted (it was paid) or --as refused (it was not)"],
  ["journal resolve --all --as refused --evidence x", "Name one order in place of --all"],
] as const)("%s is a usage error with a hint that keeps what was said", async ([line, hint]) => {
  const { till } = await lostWith([]);
  const run = await till.run(line);
  expect(run).toMatchObject({ exit: 2, stdout: "" });
  expect(run.stderr).toContain(`Hint: ${hint}`);
});

test("a word against an accepted order says that money moved", async () => {
  const { till } = await lostWith([paid]);
  await till.run("journal resolve R-1");
  const run = await till.run('journal resolve R-1 --as refused --evidence "ticket 4711"');
  expect(run).toMatchObject({ exit: 2, stderr: expect.stringContaining("\nMoney moved.\n") });
});

test("a refusal that the statement contradicts exits with 6, is kept in the history, and is never sent again", async () => {
  const no = saying("400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","message":"no"}');
  const { till, service } = await lostWith([paid], no);
  const run = await till.run("journal resolve R-1 --json");
  expect(run).toMatchObject({ exit: 6, stdout: expect.stringContaining('"state": "refused"') });
  expect(run.stderr).toContain('"money":"unknown"');
  expect(JSON.parse((await till.run("journal show R-1 --json")).stdout).history).toMatchObject([
    { step: "claim" },
    { step: "send" },
    { step: "settle" },
    { step: "contradict", to: "accepted", evidence: "statement" },
  ]);
  service.react(accept);
  // By now no order asks the statement, which `--check-statement never` in the line also says.
  const again = await till.run(transfer.line("R-1"), { now: noon + 20 * dayMs });
  expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('"evidence": "statement"') });
  expect(again.stderr).toContain("It was paid before. The statement shows row FT26090000 of 9000112233");
  expect(service.orders).toHaveLength(1);
});

describe("an order that was paid and taken back", () => {
  test("makes journal resolve exit with 0, and the command that sent it with 4", async () => {
    const { till, service } = await lostWith([paid, back]);
    expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 0 });
    expect(await till.run("journal resolve R-1")).toMatchObject({ exit: 0 });
    const again = await till.run(transfer.line("R-1"));
    expect(again).toMatchObject({ exit: 4, stdout: expect.stringContaining('"state": "reversed"') });
    expect(again.stderr).toContain('"money":"not moved"');
    expect(again.stderr).toContain("It was paid and taken back; no money is gone.");
    expect(service.orders).toHaveLength(1);
  });
});

const sentences: readonly (readonly [string, WrittenStatement, exit: number, says: readonly string[]])[] = [
  ["paid", [paid], 0, ["The transfer R-1 of TZS 5.00 is accepted.", "row FT26090000 of 9000112233", "It was paid."]],
  ["paid and reversed", [paid, back], 0, ["is reversed", "that row REV-R-1", "no money is gone"]],
  ["still unknown", [], 6, ["is unknown", "That proves nothing yet", "--as accepted|refused"]],
  [
    "named in passing",
    [debit("5", { narration: "R-1" })],
    6,
    ["1 row may have to do with it", "names it inside other text"],
  ],
  ["unread", { answer: "" }, 5, ["cannot be read", "says nothing yet"]],
];

describe("on a terminal, a sentence says what was seen and what it means for an order that is", () => {
  test.for(sentences)("%s", async ([, statement, exit, says]) => {
    const { till } = await lostWith(statement);
    const run = await till.run("journal resolve R-1 --retries 0", { terminal: { stdout: true }, columns: 500 });
    expect(run).toMatchObject({ exit });
    expect(run.stdout.trimEnd().split("\n")).toHaveLength(1);
    for (const words of says) expect(run.stdout).toContain(words);
  });

  test("a withdrawal with rows that match it by amount only", async () => {
    const rows = [1, 2, 3, 4].map((balance) => debit("5.50", { narration: "WITHDRAWAL", balance }));
    const service = await serveStatements();
    const till = openTill(service.environment);
    await till.run(withdraw?.line("R-1") ?? "");
    // At most three of the rows are listed.
    for (const [shown, listed] of [
      [1, 1],
      [3, 3],
      [4, 3],
    ] as const) {
      service.write(paying, rows.slice(0, shown));
      const { stdout } = await till.run("journal resolve R-1", { terminal: { stdout: true }, columns: 900 });
      expect(stdout.split("has the amount, and nothing in it names the order")).toHaveLength(listed + 1);
      expect(stdout).toContain("a person's word is needed: partner journal resolve");
    }
  });

  test("one of several, each on its own line", async () => {
    const { till } = await lostWith([paid]);
    await till.run(`${transfer.line("R-2")} --again`);
    const { stdout } = await till.run("journal resolve --all", { terminal: { stdout: true }, columns: 500 });
    expect(stdout.trimEnd().split("\n")).toEqual([
      expect.stringContaining("R-1 of TZS 5.00 is accepted"),
      expect.stringContaining("R-2 of TZS 5.00 is unknown"),
    ]);
  });

  test("control characters of the service are escaped on a terminal", async () => {
    const { till } = await lostWith([debit("5", { tranRefNo: "\u001b[31mR", narration: "R-1" })]);
    const { stdout } = await till.run("journal resolve R-1", { terminal: { stdout: true }, columns: 500 });
    expect(stdout).not.toContain("\u001b");
    expect(stdout).toContain(String.raw`\u001b[31mR`);
  });
});

/** A collection pending for two days, and a transfer unknown for one day. */
async function withOrders() {
  const service = await serveStatements({ react: accept });
  const till = openTill(service.environment);
  await till.run(collect?.line("R-1") ?? "", { now: noon });
  service.react(saying("500 Oops", ""));
  await till.run(transfer.line("R-2"), { now: noon + dayMs });
  return till;
}

describe("journal list for cron", () => {
  test.for([
    ["--state pending --fail-if-any", 7, 1],
    ["--state pending --older-than 1d --fail-if-any", 7, 1],
    ["--state pending --older-than 3d --fail-if-any", 0, 0],
    ["--state unknown --fail-if-any", 6, 1],
    ["--state unknown --older-than 1d --fail-if-any", 6, 1],
    ["--state unknown --older-than 25h --fail-if-any", 0, 0],
    ["--state pending --state unknown --fail-if-any", 6, 2],
    ["--state pending --state unknown --older-than 30h --fail-if-any", 7, 1],
    ["--fail-if-any", 6, 2],
    ["--older-than 30h --limit 1", 0, 1],
    ["--limit 1", 0, 1],
    // The pending order is the first of the two: what is not shown counts as well.
    ["--state pending --state unknown --limit 1 --fail-if-any", 6, 1],
    ["--state pending --state unknown --older-than 30h --limit 1 --fail-if-any", 7, 1],
    ["--where kind=transfer --limit 1 --fail-if-any", 6, 1],
    ["--limit 1 --fail-if-any", 6, 1],
  ] as const)("with %s exits with %i", async ([flags, exit, count]) => {
    const till = await withOrders();
    const run = await till.run(`journal list ${flags} --json`, { now: noon + 2 * dayMs });
    expect(run).toMatchObject({ exit });
    expect(JSON.parse(run.stdout)).toHaveLength(count);
  });

  test("names the orders in its error, because cron mails nothing else", async () => {
    const till = await withOrders();
    const later = { now: noon + 2 * dayMs };
    const unknown = await till.run("journal list --state unknown --fail-if-any --quiet", later);
    expect(unknown.stderr).toContain(
      "Error: The journal has 1 such order: R-2 (transfer, unknown, ordered 2026-04-01 12:00:00).\n",
    );
    const both = await till.run("journal list --fail-if-any --quiet", later);
    expect(both.stderr).toContain(
      "has 2 such orders: R-1 (collect, pending, ordered 2026-03-31 12:00:00), R-2 (transfer,",
    );
    for (const reference of ["R-3", "R-4", "R-5"]) await till.run(`${transfer.line(reference)} --again`, later);
    const many = await till.run("journal list --fail-if-any --quiet", later);
    expect(many.stderr).toContain("has 5 such orders: R-1 (");
    expect(many.stderr).toContain("), R-3 (transfer, unknown, ordered 2026-04-02 12:00:00), and 2 more.\n");
  });

  test("takes a limit of up to a hundred million", async () => {
    const till = await withOrders();
    const listed = await till.run("journal list --limit 100000000 --json");
    expect(JSON.parse(listed.stdout)).toHaveLength(2);
    const refused = await till.run("journal list --limit 100000001 --json");
    expect(refused).toMatchObject({ exit: 2, stdout: "" });
  });
});
