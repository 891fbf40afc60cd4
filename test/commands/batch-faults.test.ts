import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, symlinkSync, truncateSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, onTestFinished } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { temporaryFolder } from "../memory-host.ts";
import { words } from "../partner.ts";
import { compiled, program } from "../program.ts";
import { test } from "../simulated.ts";
import type { Desk } from "./batch-service.ts";
import { movedEach, openDesk, payouts, timesMoved, transfers } from "./batch-service.ts";
import { ask } from "./served.ts";

/** What the run says about a file, without the file's folder. */
function told(stderr: string, desk: Desk): string {
  return stderr.replaceAll(`${desk.folder}/`, "");
}

test("all faults of all rows are reported at once, with line and column, and nothing is sent", async ({
  partnerIn,
  simulator,
}) => {
  const desk = openDesk();
  const file = desk.write(
    [
      "reference,from,to,amount,description",
      'R-1,9000112233,9000112244,"1,000",rent',
      "R-2,9000112233,2.55712E+11,1\u00a0000,rent",
      "R-1,9000112233,9000112233,5.50,",
      "R-4,9000112233,9000112244,5,two,many",
      "R-5,9000112233,9000112244",
      '=A1,#N/A,9000112244,TZS 5,"line\nend"',
      " R-7,9000112233,9000445566,-5,\u001b[31mred",
      "R-8,9000112233,9000445566,5,another currency",
    ].join("\n"),
  );
  const { exit, stdout, stderr } = await partnerIn(desk)`batch run ${file} --kind transfer --yes`;
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(told(stderr, desk)).toBe(`Error: batch.csv has 17 faults in 8 lines; nothing was sent.
  line 2, amount: "1,000" is ambiguous (1000 or 1?)
  line 3, to: "2.55712E+11" is a number that a spreadsheet shortened; format the column as text and enter it again
  line 3, amount: "1\u00a0000" has a non-breaking space in it
  line 4, amount: "5.50" is not a whole number
  line 4, description: is empty
  line 4, to: "9000112233" is the wallet that pays
  line 4, reference: "R-1" is in line 2 already
  line 5: has 6 cells where the header has 5; put a cell with the delimiter into quotes
  line 6: has 3 cells where the header has 5; "amount" is the first that is missing
  line 7, reference: "=A1" is a formula; save its value
  line 7, from: "#N/A" is a spreadsheet's error, not a value
  line 7, amount: "TZS 5" has a currency in it; write the digits alone
  line 7, description: "line\\nend" has characters in it that can't be seen
  line 9, reference: " R-7" has white space around it
  line 9, amount: "-5" is negative
  line 9, description: "\\u001b[31mred" has characters in it that can't be seen
  line 10, to: 9000445566 is in KES, 9000112233 in TZS; a transfer has one currency
No money moved.
Hint: Correct them in the spreadsheet, save it again as CSV UTF-8, and run the same command again.
`);
  expect(movedEach(simulator, 8)).not.toContain(1);
});

test("a letter O in an amount is called a letter O, not a currency", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write("reference,from,to,amount,description\nR-1,9000112233,9000112244,4OOO,rent\n");
  const { exit, stderr } = await partnerIn(desk)`batch check ${file} --kind transfer`;
  expect(exit).toBe(2);
  expect(stderr).toContain('line 2, amount: "4OOO" has the letter O in it; write the digit 0');
});

test("the hint for a single fault is in the singular", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write("reference,from,to,amount,description\nR-1,9000112233,9000112244,5.50,rent\n");
  const { stderr } = await partnerIn(desk)`batch check ${file} --kind transfer`;
  expect(told(stderr, desk)).toContain(
    "\nHint: Correct it in the spreadsheet, save it again as CSV UTF-8, and run the same command again.\n",
  );
});

test("a warning is directly above the question, and the question about transfers mentions no fees", async ({
  partnerIn,
}) => {
  const desk = openDesk();
  const file = desk.write("reference,from,to,amount,description\nR-1,9000112233,9000112244,99000000000,rent\n");
  const terminal = { terminal: { stdin: true, stderr: true }, answers: [false] };
  const { stderr } = await partnerIn({ ...desk, ...terminal })`batch run ${file} --kind transfer`;
  expect(stderr).toMatch(/\n {2}secret key [^\n]*\nWarning: 9000112233 holds [^\n]*\nNothing was sent\.\n$/);
  expect(stderr.match(/Warning/g)).toHaveLength(1);
  expect(stderr).not.toContain("fees");
});

test.for([
  [
    "a phone without its beginning",
    "collect",
    "reference,msisdn,amount\nC-1,12345678,5\n",
    'msisdn: "12345678" isn\'t a valid Tanzanian mobile number',
  ],
  [
    "a wallet without its zero",
    "withdraw",
    "reference,account,amount\nW-1,560066551200,5\n",
    'account: "560066551200" has lost its leading zero: 0560066551200 is a wallet',
  ],
  [
    "a day of another country",
    "withdraw",
    "reference,account,amount,date\nW-1,9000112233,5,31/10/2026\n",
    'date: "31/10/2026" is a day as a spreadsheet writes it',
  ],
  [
    "a day as a number",
    "withdraw",
    "reference,account,amount,date\nW-1,9000112233,5,46326\n",
    'date: "46326" is a spreadsheet\'s number of a day',
  ],
  [
    "a comma before decimals",
    "withdraw",
    'reference,account,amount\nW-1,9000112233,"5,5"\n',
    'amount: "5,5" has a comma',
  ],
  [
    "an amount of nothing",
    "withdraw",
    "reference,account,amount\nW-1,9000112233,0\n",
    'amount: "0" is not more than zero',
  ],
] as const)("%s is named", async ([, kind, content, words], { partnerIn }) => {
  const desk = openDesk();
  const shared = kind === "collect" ? "--channel TZ-TIGO-C2B --callback-url https://hooks.example" : "";
  const run = await partnerIn(desk)`batch check ${desk.write(content)} --kind ${kind} --narration x ${shared}`;
  expect(run.exit).toBe(2);
  expect(run.stderr).toContain(words);
});

test("phone numbers are accepted in the usual ways of writing them", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write("reference,msisdn,amount\nC-1,0712-345-678,5\nC-2,712345678,6\nC-3,+255 712 345 678,7\n");
  const line = `batch run ${file} --kind collect --narration x --channel TZ-TIGO-C2B --callback-url https://hooks.example --dry-run --json`;
  const { exit, stdout } = await partnerIn(desk)`${line}`;
  const rows: { request: { msisdn: string } }[] = JSON.parse(stdout);
  expect([exit, rows.map(({ request }) => request.msisdn)]).toEqual([
    0,
    Array.from({ length: 3 }, () => "255712345678"),
  ]);
});

test.for([
  [
    "unknown, missing and repeated columns",
    "reference,Amont,amount,amount\n",
    '"amount" occurs twice; "Amont" isn\'t a column ("amount" is one)',
  ],
  [
    "a column that a flag gives as well",
    "reference,from,amount\nR-1,9000112233,5\n",
    '"from" is given for every row already',
  ],
  ["UTF-16", Buffer.from("\uFEFFreference,amount\nR-1,5\n", "utf16le"), "it is UTF-16 text"],
  ["no rows", "reference,amount\n\n", "The file has no rows"],
] as const)("a file with %s is refused", async ([, content, words], { partnerIn, simulator }) => {
  const desk = openDesk();
  const run = await partnerIn(desk)`batch run ${desk.write(content)} ${payouts} --yes`;
  expect(run).toMatchObject({ exit: 2, stdout: "" });
  expect(run.stderr).toContain(words);
  expect(movedEach(simulator, 1)).toEqual([0]);
});

test("a file with too many rows is refused before the service is asked for its wallets", async () => {
  const desk = openDesk();
  const file = desk.write(transfers(100_001));
  const link = `${file}.link`;
  symlinkSync(file, link);
  const shortest = desk.write(`reference,amount\n${"R\n".repeat(100_001)}`);
  for (const path of [file, link, shortest]) {
    const { exit, stderr, requests } = await ask(`batch check ${path} ${payouts}`, [], desk);
    expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
    expect(stderr).toBe(
      "Error: The file has more than 100,000 rows; nothing was sent.\nNo money moved.\nHint: Split it.\n",
    );
  }
});

test.for([
  ["a pipe", ["sh", "-c", 'cat | "$@"', "sh"]],
  ["a socket, as sshd gives its programs one,", []],
] as const)(
  "rows that come through %s are read once, and all of them are counted",
  async ([, before], { simulator }) => {
    const { folder } = openDesk();
    const line = `batch check /dev/stdin ${payouts} --json`;
    const [command, ...rest] = [...before, process.execPath, program, ...words(line)];
    const child = spawn(command, rest, {
      cwd: folder,
      env: {
        ...environmentFor(simulator),
        PARTNER_CONFIG_DIR: folder,
        PARTNER_STATE_DIR: folder,
        PATH: process.env["PATH"],
        ...compiled,
      },
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin.end(transfers(3));
    const [stdout, [exit]] = await Promise.all([text(child.stdout), once(child, "close")]);
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { rows: 3, toSend: 3 }]);
  },
);

test.each(["0", "17", "1.5", "many"])("--concurrency %s is refused, and nothing is sent", async (count) => {
  const desk = openDesk();
  const { exit, stderr, requests } = await ask(
    `batch run ${desk.write(transfers(3))} ${payouts} --yes --concurrency ${count}`,
    [],
    desk,
  );
  expect({ exit, requests }).toEqual({ exit: 2, requests: [] });
  expect(stderr).toContain("--concurrency takes a whole number from 1 to 16.");
});

test("a file that is too large is refused at once", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write("reference,amount\n");
  truncateSync(file, 2 * 1024 ** 3);
  const run = await partnerIn(desk)`batch run ${file} ${payouts} --yes`;
  expect(run.exit).toBe(2);
  expect(run.stderr).toContain("it is larger than 1 GiB");
});

test.for([
  ["--expect-count 4", "--expect-count: 4 rows are expected; the file has 3"],
  ["--expect-total 14", "--expect-total: 14.00 expected; the file has 15.00 TZS"],
  ["--expect-total KES=15", "--expect-total: 15.00 KES expected; the file has 15.00 TZS"],
  ["--expect-total TZS=15 --expect-total KES=1", "15.00 TZS and 1.00 KES expected; the file has 15.00 TZS"],
] as const)(
  "%s stops a file that does not match, before anything is sent",
  async ([flags, words], { partnerIn, simulator }) => {
    const desk = openDesk();
    const run = await partnerIn(desk)`batch run ${desk.write(transfers(3))} ${payouts} --yes ${flags}`;
    expect(run).toMatchObject({ exit: 2, stdout: "" });
    expect(run.stderr).toContain(words);
    // The file may be right, and the flag mistyped.
    expect(run.stderr).toMatch(/\nHint: Find out which is right, the file or the flag\.\n$/);
    expect(movedEach(simulator, 3)).toEqual([0, 0, 0]);
  },
);

test("a report whose name ends like a workbook's is refused before anything is sent", async ({
  partnerIn,
  simulator,
}) => {
  const desk = openDesk();
  const report = `${desk.folder}/outcome.XLSX`;
  const run = await partnerIn(desk)`batch run ${desk.write(transfers(1))} ${payouts} --yes --report ${report}`;
  expect(run).toMatchObject({ exit: 2, stdout: "" });
  expect(run.stderr).toContain("says to be something else; nothing was sent.");
  expect([...movedEach(simulator, 1), existsSync(report)]).toEqual([0, false]);
});

test("totals are shown as amounts with their currency", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write("reference,from,to,amount\nR-1,9000112233,9000112244,5000\nR-2,9000445566,9000445577,7\n");
  const { stdout } = await partnerIn(desk)`batch check ${file} --kind transfer --description x`;
  expect(stdout).toMatch(/^totals +5,000\.00 TZS and 7\.00 KES$/m);
});

test("totals of several currencies are each compared with their own --expect-total", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const file = desk.write(
    "reference,from,to,amount\nR-1,9000112233,9000112244,5\nR-2,9000445566,9000445577,7\nR-3,9000112233,9000112244,6\n",
  );
  const line = `batch check ${file} --kind transfer --description x --json`;
  expect((await partner`${line} --expect-total KES=7.00 --expect-total TZS=11`).exit).toBe(0);
  expect((await partner`${line} --expect-total 18`).exit).toBe(2);
  const twice = await partner`${line} --expect-total TZS=11 --expect-total TZS=11`;
  expect(twice.exit).toBe(2);
  // A dry run asks the service nothing, so it does not know the currency of each wallet.
  const dry = `batch run ${file} --kind transfer --description x --dry-run --json`;
  expect((await partner`${dry} --expect-total KES=7.00 --expect-total TZS=11`).exit).toBe(0);
  expect((await partner`${dry} --expect-total KES=7.00 --expect-total TZS=12`).exit).toBe(2);
  expect(JSON.parse((await partner`${line}`).stdout)).toMatchObject({
    rows: 3,
    totals: { TZS: 11, KES: 7 },
    toSend: 3,
  });
});

test("a used reference is a fault for another order, and counts as done for the same order", async ({
  partnerIn,
  simulator,
}) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const order = "transfer --from 9000112233 --to 9000112244 --description rent --yes";
  expect((await partner`${order} --amount 5 --reference R-1`).exit).toBe(0);
  expect((await partner`${order} --amount 6 --reference R-2`).exit).toBe(0);
  const run = await partner`batch run ${desk.write(transfers(3))} ${payouts} --yes`;
  expect(run.exit).toBe(2);
  expect(run.stderr).toContain('"R-2" belongs to another transfer, which is accepted: amount was 6, is 5 now');
  expect(movedEach(simulator, 3)).toEqual([1, 1, 0]);
  const others = desk.write(transfers(3).replace("R-2", "R-4"));
  expect((await partner`batch run ${others} ${payouts} --yes`).exit).toBe(0);
  expect([...movedEach(simulator, 3), timesMoved(simulator, "R-4")]).toEqual([1, 1, 1, 1]);
});

test("the limits of a profile hold for a batch as a whole", async ({ simulator, partnerIn }) => {
  const folder = temporaryFolder();
  const desk = openDesk();
  const { baseUrl, accountId, secretKey } = simulator;
  const own = { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: `${folder}/state`, PARTNER_BASE_URL: "" };
  const environment = {
    ...own,
    PARTNER_ACCOUNT_ID: "",
    PARTNER_SECRET_KEY: "",
    PARTNER_ACCESS_TOKEN: "",
    PARTNER_ENVIRONMENT: "",
    PARTNER_ACCOUNT_BASE_URL: "",
    PARTNER_WEBHOOK_KEY: "",
  };
  const partner = partnerIn({ environment, stdin: JSON.stringify({ secretKey }) });
  const added =
    await partner`profile add shop --environment simulator --base-url ${baseUrl} --account-id ${accountId} --secrets-from -`;
  expect(added).toMatchObject({ exit: 0 });
  await partner`profile set shop limit.day=14 limit.transfer=6`;
  const file = desk.write(transfers(3, (index) => 5 + index));
  const run = await partner`batch run ${file} ${payouts} --yes`;
  expect(run.exit).toBe(2);
  expect(run.stderr).toContain("  line 4, limit.transfer: 7.00 is more than 6.00\n");
  expect(run.stderr).toContain("  line 4, limit.day: 11.00 left today already, and 7.00 more is beyond 14.00\n");
  expect(movedEach(simulator, 3)).toEqual([0, 0, 0]);
});

test("all of more than a thousand faults are named, even two in one cell", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  expect((await partner`batch run ${desk.write(transfers(1))} ${payouts} --yes`).exit).toBe(0);
  const faulty = transfers(1001, () => 0);
  const { exit, stderr } = await partner`batch check ${desk.write(`${faulty}R-1,7\nR-1,8\n`)} ${payouts} --json`;
  expect(exit).toBe(2);
  const { details, message } = JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "").error;
  expect(message).toContain("has 1005 faults in 1003 lines");
  expect(Object.keys(details)).toHaveLength(1003);
  expect(details["line 1002, amount"]).toBe('"0" is not more than zero');
  expect(details["line 1004, reference"]).toBe(
    '"R-1" is in line 2 already; "R-1" belongs to another transfer, which is accepted: amount was 5, is 8 now',
  );
});
