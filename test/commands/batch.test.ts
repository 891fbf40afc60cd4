import { linkSync, rmSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { expect } from "vitest";
import { test } from "../simulated.ts";
import { column, movedEach, openDesk, payouts, transfers } from "./batch-service.ts";

test("a batch moves the money of each row once, and running it again moves none", async ({ simulator, partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(transfers(3));
  const first = await partner`batch run ${file} ${payouts} --yes --csv --expect-count 3 --expect-total TZS=15`;
  expect(first).toMatchObject({ exit: 0 });
  expect(column(first.stdout, "state")).toEqual(["accepted", "accepted", "accepted"]);
  expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
  const again = await partner`batch run ${file} ${payouts} --yes --csv`;
  expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
  expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
});

test("the report has the file's columns and the outcome of each row, in the order of the file", async ({
  partnerIn,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write('amount;reference;description\n5;R-2;"a;b"\n99999999999;R-1;too much\n');
  const line = `batch run ${file} --kind transfer --from 9000112233 --set to=9000112244 --yes`;
  const { exit, stderr } = await partner`${line} --report ${desk.folder}/out.csv`;
  expect(exit).toBe(8);
  expect(stderr).toContain("Of 2 rows, 1 is not done.");
  expect(stderr).toContain("\nMoney moved.\n");
  const lines = desk.read("out.csv").split("\n");
  expect(lines[0]).toBe("amount;reference;description;state;id;requestId;transactionId;message");
  expect(lines[1]).toMatch(/^5;R-2;"a;b";accepted;[0-9a-f-]{36};[0-9a-f-]{36};\w{12};$/);
  expect(lines[2]).toMatch(/^99999999999;R-1;too much;refused;[0-9a-f-]{36};[0-9a-f-]{36};;"?HTTP 400: .*$/);
  expect(lines.slice(3)).toEqual([""]);
});

const twoRows = (second: string) => `reference,to,amount,description\nR-1,9000112244,5,one\nR-2,${second},7,two\n`;

test("a refused row can be corrected in the file and sent, and the other rows are not sent again", async ({
  simulator,
  partnerIn,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const before = simulator.world.wallet("9000112244").balance;
  const line = (file: string) => partner`batch run ${file} --kind transfer --from 9000112233 --yes`;
  const refused = await line(desk.write(twoRows("900011224")));
  expect(refused.exit).toBe(8);
  const wayOut = "Correct the refused rows in the file, and run it again: rows that are done are not sent again.";
  expect(refused.stderr).toContain(`Hint: See why in its rows. ${wayOut}\n`);
  expect(await line(desk.write(twoRows("9000112244")))).toMatchObject({ exit: 0 });
  expect(simulator.world.wallet("9000112244").balance.subtract(before).toString()).toMatch(/^12(\.00)?$/);
});

test("on a terminal, the reason for a refused row is not cut", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn({ ...desk, terminal: { stdout: true }, columns: 80 });
  const { stdout } =
    await partner`batch run ${desk.write(twoRows("900011224"))} --kind transfer --from 9000112233 --yes`;
  expect(stdout).toContain("NOT_FOUND");
  expect(stdout).not.toContain("…\n");
});

test.for([
  ["transfer", "reference,from,to,amount,description\nR-1,9000112233,9000112244,5,one\n", /^reference +receiver +/],
  ["withdraw", "reference,account,amount,narration\nR-1,9000112233,5,one\n", /^reference +payer +/],
  [
    "collect",
    "reference,msisdn,channel,amount,narration,callbackUrl\nR-1,255712345678,TZ-TIGO-C2B,5,one,https://h.example/x\n",
    /^reference +payer +/,
  ],
] as const)(
  "on a terminal, the account column of a batch says payer or receiver: %s",
  async ([kind, text, head], { partnerIn }) => {
    const desk = openDesk();
    const partner = partnerIn({ ...desk, terminal: { stdout: true }, columns: 80 });
    const { stdout, stderr } = await partner`batch run ${desk.write(text)} --kind ${kind} --yes`;
    expect(stdout).toMatch(head);
    const [, id = ""] = /Batch ([0-9a-f]{16})/.exec(stderr) ?? [];
    expect((await partner`batch report ${id}`).stdout).toMatch(head);
  },
);

test("a file with a kind column has its account column named account", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn({ ...desk, terminal: { stdout: true }, columns: 80 });
  const file = desk.write("kind,reference,account,amount,narration\nwithdraw,R-1,9000112233,5,one\n");
  expect((await partner`batch run ${file} --yes`).stdout).toMatch(/^kind +reference +account +/);
});

test.for([
  ["csv", "Salaries of October\nsecond title,,\nreference,to,amount,description\nR-1,9000112244,5,one\n", 3],
  ["csv", "Wages;;;\nReference;To;Amount;Description\nR-1;9000112244;5;one\n", 2],
] as const)(
  "titles above the column names are refused, with the line that has the names: %s, %s",
  async ([, text, row], { partnerIn }) => {
    const desk = openDesk();
    const partner = partnerIn(desk);
    const check = (file: string) => partner`batch check ${file} --kind transfer --from 9000112233`;
    const titled = await check(desk.write(text));
    expect(titled).toMatchObject({ exit: 2, stdout: "" });
    expect(titled.stderr).toContain(`Line ${row} has them: delete the lines above it.\n`);
    const lines = text.split("\n").slice(row - 1);
    expect(await check(desk.write(lines.join("\n")))).toMatchObject({ exit: 0 });
  },
);

test("the outcome of a batch can be shown later without the service and without the file", async ({
  partnerIn,
  simulator,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(transfers(2));
  const { stdout, stderr } = await partner`batch run ${file} ${payouts} --yes --csv`;
  const [, id = ""] = /Batch ([0-9a-f]{16}): 2 rows/.exec(stderr) ?? [];
  await simulator.stop();
  truncateSync(file);
  const alone = partnerIn({ environment: { ...desk.environment, PARTNER_BASE_URL: "", PARTNER_SECRET_KEY: "" } });
  expect(await alone`batch report ${id} --csv`).toMatchObject({ exit: 0, stdout });
  const status = await alone`batch status ${id} --json`;
  expect(status).toMatchObject({ exit: 0 });
  expect(JSON.parse(status.stdout)).toEqual({
    batch: id,
    file: "batch.csv",
    rows: 2,
    accepted: 2,
    pending: 0,
    refused: 0,
    reversed: 0,
    unsent: 0,
    unknown: 0,
  });
  expect(statSync(`${desk.folder}/state/batches/${id}.csv`).mode & 0o777).toBe(0o600);
  expect((await alone`batch status 0123456789abcdef`).exit).toBe(4);
});

test("a damaged copy of a batch is reported as damaged, and none of its rows are shown", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const { stderr } = await partner`batch run ${desk.write(transfers(2))} ${payouts} --yes`;
  const [, id = ""] = /Batch ([0-9a-f]{16}): 2 rows/.exec(stderr) ?? [];
  const damage = [
    ["csv", transfers(1)],
    ["csv", transfers(2, () => 6)],
    ["csv", ""],
    ["csv", undefined],
    ["json", '{"id": '],
    ["json", '["of none"]'],
    ["json", ""],
  ] as const;
  for (const [name, left] of damage) {
    const kept = `${desk.folder}/state/batches/${id}.${name}`;
    if (left === undefined) rmSync(kept);
    else writeFileSync(kept, left);
    for (const line of [`batch status ${id} --json`, `batch report ${id} --csv`]) {
      const run = await partner`${line}`;
      expect(run).toMatchObject({ exit: 3, stdout: "" });
      expect(run.stderr).toContain(`${id}.${name} is damaged.`);
    }
  }
  expect(await partner`batch run ${desk.write(transfers(2))} ${payouts} --yes --quiet`).toMatchObject({ exit: 0 });
  expect(await partner`batch status ${id}`).toMatchObject({ exit: 0 });
});

test("a lost answer leaves its row unknown: it is not sent again, and the other rows are sent", async ({
  simulator,
  partnerIn,
  faults,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(transfers(3));
  faults.plan("lose-answer=money:2");
  const run = await partner`batch run ${file} ${payouts} --yes --csv`;
  expect(run.exit).toBe(6);
  expect(column(run.stdout, "state")).toEqual(["accepted", "unknown", "accepted"]);
  expect(run.stderr).toContain("Money may have moved.\nHint: Do not send it again. ");
  const again = await partner`batch run ${file} ${payouts} --yes --csv`;
  expect(again).toMatchObject({ exit: 6, stdout: run.stdout });
  expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
  expect((await partner`journal resolve --all`).exit).toBe(0);
  expect((await partner`batch run ${file} ${payouts} --yes`).exit).toBe(0);
  expect(movedEach(simulator, 3)).toEqual([1, 1, 1]);
});

test("after ten rows in succession that could not be sent, the rest is left unsent", async ({
  simulator,
  partnerIn,
}) => {
  const desk = openDesk();
  const file = desk.write(transfers(40));
  const nowhere = partnerIn({ environment: { ...desk.environment, PARTNER_BASE_URL: "http://127.0.0.1:9" } });
  const run =
    await nowhere`batch run ${file} ${payouts} --yes --check-statement never --csv --report ${desk.folder}/out.csv`;
  expect(run.exit).toBe(8);
  expect(run.stderr).toContain("10 rows in succession ended the same way, so the rest was left.");
  expect(new Set(column(run.stdout, "state"))).toEqual(new Set(["unsent"]));
  expect(column(desk.read("out.csv"), "id").filter((id) => id !== "")).toHaveLength(10);
  expect(movedEach(simulator, 40)).not.toContain(1);
});

test("wrong credentials are noticed before the first row is sent", async ({ partnerIn, simulator }) => {
  const desk = openDesk();
  const file = desk.write(transfers(3));
  const stranger = partnerIn({ environment: { ...desk.environment, PARTNER_SECRET_KEY: "another" } });
  expect(await stranger`batch run ${file} ${payouts} --yes`).toMatchObject({ exit: 3, stdout: "" });
  expect(movedEach(simulator, 3)).toEqual([0, 0, 0]);
});

test("a file can name the kind of each row", async ({ partnerIn, simulator }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(
    "kind,reference,from,to,account,amount,description,narration\n" +
      "transfer,R-1,9000112233,9000112244,,5,rent,\n" +
      "withdraw,R-2,,,9000112233,5.50,,payout\n",
  );
  const run = await partner`batch run ${file} --yes --csv`;
  expect(run).toMatchObject({ exit: 0 });
  expect(column(run.stdout, "state")).toEqual(["accepted", "accepted"]);
  expect(movedEach(simulator, 1)).toEqual([1]);
});

test("collections and remittances end as pending, and the run ends with 0", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const collections = desk.write("reference,msisdn,amount\nC-1,0712345678,1500\n");
  const shared = "--kind collect --channel TZ-TIGO-C2B --narration lunch --callback-url https://hooks.example/partner";
  const collected = await partner`batch run ${collections} ${shared} --yes --csv`;
  expect(collected).toMatchObject({ exit: 0 });
  expect(column(collected.stdout, "state")).toEqual(["pending"]);
  const example = (await partner`batch template --kind remit --example`).stdout;
  const remittances = desk.write(example, "remit.csv");
  const sent = await partner`batch run ${remittances} --kind remit --yes --json`;
  expect(sent).toMatchObject({ exit: 0 });
  expect(JSON.parse(sent.stdout)).toMatchObject([{ state: "pending", receiverAmount: 250000 }, { state: "pending" }]);
  const added = ["state", "id", "requestId", "transactionId", "message"];
  const names = [...(example.split("\n")[0] ?? "").split(","), ...added];
  expect(JSON.parse(sent.stdout).map((row: object) => Object.keys(row))).toEqual([names, names]);
});

test("the question shows what will be sent, and answering no sends nothing", async ({ partnerIn, simulator }) => {
  const desk = openDesk();
  const file = desk.write(transfers(2));
  const terminal = { stdin: true, stderr: true };
  const refusing = partnerIn({ ...desk, terminal, answers: [false] });
  const { exit, stderr, stdout } = await refusing`batch run ${file} ${payouts}`;
  expect({ exit, stdout }).toEqual({ exit: 130, stdout: "" });
  expect(stderr).toContain("Send 2 rows: 10.00 TZS\n");
  expect(stderr).toMatch(/ from +9000112233 Zoë Mwangá Payouts, 37,737,494\.00 → 37,737,484\.00 TZS\n/);
  expect(stderr).toMatch(/ profile +none \(from the environment\)\n/);
  expect(stderr).toMatch(/ secret key +PARTNER_SECRET_KEY/);
  expect(movedEach(simulator, 2)).toEqual([0, 0]);
  expect((await partnerIn(desk)`batch run ${file} ${payouts}`).exit).toBe(2);
});

test("the question counts the rows still to send and names five payers and how many more there are", async ({
  partnerIn,
}) => {
  const desk = openDesk();
  const header = "reference,from,to,amount,description\n";
  const rows = Array.from({ length: 8 }, (_, index) => `P-${index},900011220${index},9000112244,${index + 1},rent\n`);
  const terminal = { stdin: true, stderr: true };
  const refuse = async (...lines: readonly string[]) => {
    const file = desk.write(header + lines.join(""));
    let asked = "";
    const no = (question: string) => {
      asked = question;
      return false;
    };
    const run = await partnerIn({ ...desk, terminal, answers: [no] })`batch run ${file} --kind transfer`;
    expect(run).toMatchObject({ exit: 130, stdout: "" });
    return { ...run, asked };
  };
  const shown = async (count: number) => {
    const { stderr } = await refuse(...rows.slice(0, count));
    const payers = [...stderr.matchAll(/^ {2}from +(.+)$/gm)].map(([, payer]) => payer);
    const warnings = [...stderr.matchAll(/^Warning: (line \d+|And .+)/gm)].map(([, warning]) => warning);
    return { payers, warnings };
  };
  const five = ["0", "1", "2", "3", "4"].map((digit) => `900011220${digit}`);
  const lines = ["line 2", "line 3", "line 4", "line 5", "line 6"];
  expect(await shown(5)).toEqual({ payers: five, warnings: lines });
  expect(await shown(6)).toEqual({
    payers: [...five, "and 1 more wallet"],
    warnings: [...lines, "And 1 more like these."],
  });
  expect(await shown(8)).toEqual({
    payers: [...five, "and 3 more wallets"],
    warnings: [...lines, "And 3 more like these."],
  });
  const [first = "", second = "", third = ""] = [1, 2, 3].map(
    (number) => `R-${number},9000112233,9000112244,${number},rent\n`,
  );
  const sent = desk.write(header + first, "sent.csv");
  expect(await partnerIn(desk)`batch run ${sent} --kind transfer --yes`).toMatchObject({ exit: 0 });
  const [one, two] = [await refuse(first, second), await refuse(first, second, third)];
  expect(one.stderr).toContain(
    "Send 1 row: 2.00 TZS\n  file         batch.csv, 2 rows, 3.00 TZS\n  done before  1 row, not sent again\n",
  );
  expect(two.stderr).toContain("Send 2 rows: 5.00 TZS\n  file         batch.csv, 3 rows, 6.00 TZS\n");
  expect([one.asked, two.asked]).toEqual(["Send this row?", "Send these 2 rows?"]);
});

test("--dry-run shows each request and sends nothing", async ({ partnerIn, simulator }) => {
  const desk = openDesk();
  const file = desk.write(transfers(2));
  const { exit, stdout } = await partnerIn(desk)`batch run ${file} ${payouts} --dry-run --json`;
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject([
    { line: 2, reference: "R-1", headers: { "x-secret-key": "[secret]" }, request: { amount: 5 } },
    { line: 3, reference: "R-2" },
  ]);
  expect(movedEach(simulator, 2)).toEqual([0, 0]);
});

test("each template can be filled in and checked", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  for (const kind of ["transfer", "withdraw", "collect", "remit"]) {
    const { stdout } = await partner`batch template --kind ${kind} --example`;
    const file = desk.write(stdout);
    expect(await partner`batch check ${file} --kind ${kind} --json`).toMatchObject({ exit: 0 });
    expect((await partner`batch template --kind ${kind}`).stdout).toBe(`${stdout.split("\n")[0]}\n`);
  }
});

test("a file of remittances must have every column that isn't optional", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const names = (await partner`batch template --kind remit`).stdout.trim().split(",");
  const optional = names.filter((name) =>
    /^sender\.(idExpiryDate|email|occupation|employer)$|^receiver\.email$/.test(name),
  );
  const standard = ["paymentDate", "callbackUrl", "receiverCurrency", "receiver.countryCode"];
  const missing = names.filter((name) => ![...optional, ...standard, "reference"].includes(name));
  const { exit, stderr } = await partner`batch check ${desk.write("reference\nR-1\n")} --kind remit`;
  expect({ exit, optional: optional.length, missing: missing.length }).toEqual({ exit: 2, optional: 5, missing: 20 });
  expect(stderr).toContain(`is not valid: ${missing.map((name) => `"${name}" is missing`).join("; ")}.\n`);
  expect(stderr).toContain('Line 1 names the columns, in any order; found: "reference".');
});

test("a report is never written over the file of the batch, under any of its names", async ({
  partnerIn,
  simulator,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(transfers(1));
  symlinkSync(file, `${desk.folder}/link.csv`);
  linkSync(file, `${desk.folder}/twin.csv`);
  for (const name of ["batch.csv", "link.csv", "twin.csv", "../".repeat(20) + file]) {
    const path = name.endsWith(file) ? name : `${desk.folder}/${name}`;
    for (const flag of ["--report", "--save"]) {
      const run = await partner`batch run ${file} ${payouts} --yes ${flag} ${path}`;
      expect(run).toMatchObject({ exit: 2, stdout: "" });
      expect(run.stderr).toContain(`${flag} names the file of the batch itself; nothing was sent.`);
    }
    expect(await partner`batch check ${file} ${payouts} --save ${path}`).toMatchObject({ exit: 2 });
  }
  expect(desk.read("batch.csv")).toBe(transfers(1));
  expect(movedEach(simulator, 1)).toEqual([0]);
});
