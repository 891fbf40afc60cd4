import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

const narration = "<b>October</b> \u202eright-to-left 東京 ".repeat(400);

test("a receipt says who paid what to whom, and how that is known; JSON says the same", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const partner = partnerIn({ environment });
  await partner`transfer --from 9000112233 --to 9000112244 --amount 250000 --description Salary --reference SAL-1 --yes`;
  const { exit, stdout } = await partner`journal receipt SAL-1`;
  expect(exit).toBe(0);
  expect(stdout).toMatch(/^receipt +Transfer\. The service confirmed this payment\.\namount +250,000\.00 TZS\n/);
  expect(stdout).toMatch(/\nfrom +9000112233\nto +.+ \(9000112244\)\n/);
  expect(stdout).toMatch(/\nreference +SAL-1\nstate +accepted\n/);
  expect(stdout).toMatch(/\nevidence +the service's answer\n/);
  expect(stdout).not.toMatch(/^(?:reversed|currency)/m);
  const atTerminal = partnerIn({ environment, terminal: { stdout: true } });
  expect((await atTerminal`journal receipt SAL-1`).stdout).toBe(stdout);
  const { stdout: json } = await partner`journal receipt SAL-1 --json`;
  expect(JSON.parse(json)).toMatchObject({
    amount: 250000,
    currency: "TZS",
    from: "9000112233",
    reference: "SAL-1",
    takenBackAt: null,
  });
});

test("--save writes a page to print, without markup or control characters from the order", async ({ partnerIn }) => {
  const folder = temporaryFolder();
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder } });
  const file = join(folder, "receipt.html");
  await partner`withdraw --account 9000112233 --amount 10 --narration "${narration}" --reference W-1 --yes`;
  expect(await partner`journal receipt W-1 --save ${file}`).toMatchObject({ exit: 0, stdout: "" });
  const page = readFileSync(file, "utf8");
  expect(page).toMatch(/^<!doctype html>\n[\s\S]*<\/html>\n$/);
  expect(page).toContain("<h1>TZS 10.00</h1>");
  expect(page).toContain("<p>Receipt</p>");
  expect(page).toContain("@page { size: A4;");
  expect(page).not.toMatch(/<b>|\u202e|<script|https?:/);
  expect(page.length).toBeLessThan(10_000);
});

test("an unknown order gets no receipt, and an unknown reference exits with 4", async ({ partnerIn, faults }) => {
  const folder = temporaryFolder();
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder } });
  faults.loseNextAnswer();
  await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9 --yes`;
  expect((await partner`journal receipt R-9`).stdout).toMatch(
    /^receipt +Transfer\. This is not a receipt: it is not known whether money moved\.\n/,
  );
  const file = join(folder, "receipt.html");
  await partner`journal receipt R-9 --save ${file}`;
  expect(readFileSync(file, "utf8")).toContain("<p>Not a receipt</p>");
  const unknown = await partner`journal receipt NOPE`;
  expect(unknown).toMatchObject({ exit: 4, stdout: "" });
  expect(unknown.stderr).toContain('The journal has no order "NOPE".');
});

test("a receipt based on a person's word says that the service did not confirm it", async ({ partnerIn, faults }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  faults.loseNextAnswer();
  await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9 --yes`;
  await partner`journal resolve R-9 --as accepted --evidence phone`;
  expect((await partner`journal receipt R-9`).stdout).toMatch(
    /^receipt +Transfer\. A person said that this was paid; the service did not confirm it\.\n/,
  );
});

test("answering no at the question is not an error", async ({ partnerIn }) => {
  const partner = partnerIn({ terminal: { stdin: true, stderr: true, stdout: true }, answers: [false] });
  const { exit, stdout, stderr } =
    await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-1`;
  expect({ exit, stdout }).toEqual({ exit: 130, stdout: "" });
  expect(stderr.endsWith("\nNothing was sent.\n")).toBe(true);
  expect(stderr).not.toMatch(/Error|Hint/);
});
