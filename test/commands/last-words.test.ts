import { writeFileSync } from "node:fs";
import { expect } from "vitest";
import { test } from "../simulated.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

const narrow = { terminal: { stdin: true, stdout: true, stderr: true }, columns: 80 };

test("a timeline fits the terminal, and breaks no reference", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const reference = "SALARIES-WEEK-40-2026-0001";
  const description = "Salaries of the fortieth week for the people of the shop";
  await partnerIn({
    environment,
  })`transfer --from 9000112233 --to 9000112244 --amount 250000 --description ${`"${description}"`} --reference ${reference} --yes`;
  const { exit, stdout } = await partnerIn({ environment, ...narrow })`find ${reference} --offline`;
  expect(exit).toBe(0);
  const lines = stdout.split("\n");
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(stdout.split(reference)).toHaveLength(1 + 1 + 4);
  expect(lines.slice(2)).toContain("  2026-03-31 12:00:00  ordered   9000112233  -250,000.00 TZS");
});

test("find says that a pending order's row is booked, and how to settle the order", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const desk = partnerIn({ environment });
  await desk`collect --msisdn 0712345678 --channel TZ-TIGO-C2B --amount 15000 --narration "Invoice 42" --reference INV-42 --callback-url https://h.example/x --yes`;
  const settled = await partnerIn({ environment, now: Date.UTC(2026, 2, 31, 12) })`find INV-42 --json`;
  const [{ state, sentence }] = JSON.parse(settled.stdout);
  expect(state).toBe("pending");
  expect(sentence).toMatch(
    /Booked on .*\. The journal still has it as pending\. Settle it: partner journal resolve INV-42$/,
  );
});

test("on a terminal, ledger sync and journal verify end with a sentence", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const terminal = { stderr: true };
  const [told, silent] = [partnerIn({ environment, terminal }), partnerIn({ environment })];
  await silent`transfer --from 9000112233 --to 9000112244 --amount 5000 --description rent --reference R-1 --yes`;
  const synced = await told`ledger sync --start-date 2026-03-30`;
  expect(synced.stderr).toMatch(/Synced [2-9] accounts\. See whether they are proved: partner ledger status\n$/);
  expect(await silent`ledger sync`).toMatchObject({ exit: 0, stdout: "", stderr: "" });
  const verdict = "Its orders and its history are whole and unchanged.\n";
  expect((await told`journal verify`).stderr).toBe(verdict);
  expect((await silent`journal verify`).stderr).toBe("");
});

test("a batch with pending rows names the command that settles them", async ({ partnerIn }) => {
  const file = `${temporaryFolder()}/collections.csv`;
  writeFileSync(file, "msisdn,channel,amount,narration,reference\n0712345678,TZ-TIGO-C2B,15000,Invoice 42,INV-42\n");
  const sent = await partnerIn({})`batch run ${file} --kind collect --callback-url https://h.example/x --yes`;
  expect(sent.stderr).toContain("\nAsk what became of pending rows: partner journal resolve --all\n");
});

test.for([
  ["report", "NAME is missing. NAME is one of cash, flow, fees, customers, open, compare."],
  ["completion", "SHELL is missing. SHELL is one of bash, zsh, fish, powershell."],
  ["api", "METHOD and PATH are missing. METHOD is one of GET, POST."],
  ["schema", "Hint: See what it takes: partner schema --help. Every command: partner --help"],
  ["batch report", "--help. Ids of batches that were run: partner batch check FILE\n"],
  ["batch status", "--help. Ids of batches that were run: partner batch check FILE\n"],
  ["batch approve", "--help. Batches that were submitted: partner batch list\n"],
  [
    "batch reject",
    `--help. For example: partner batch reject ID --reason "Line 14 is last month's". Batches that were submitted: partner batch list\n`,
  ],
  ["batch reject --reason Wrong", "--help. Batches that were submitted: partner batch list\n"],
  ["batch wait", "--help. Batches that were submitted: partner batch list\n"],
  ["journal show", "--help. Your orders: partner journal list\n"],
  ["journal receipt", "--help. Your orders: partner journal list\n"],
  ["webhook inbox show", "--help. Received events: partner webhook inbox list\n"],
  ["approvals key remove", "--help. The keys: partner approvals key list\n"],
  ["reconcile --carry", "Hint: Write it like --carry=FILE, also where"],
] as const)("%s without its arguments says what is missing and where to find it", async ([line, says]) => {
  const { exit, stderr } = await run(words(line));
  expect(exit).toBe(2);
  expect(stderr).toContain(says);
});
