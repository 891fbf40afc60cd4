import { describe, expect } from "vitest";
import { PromptAborted } from "../../src/host/process/prompts.ts";
import type { PromptAnswer } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { words } from "../partner.ts";
import { now, test as base } from "../simulated.ts";
import { atTerminal, draftFile, remit, remittance, remittanceWith } from "./remittance.ts";

const test = base.extend({ extensions: true });

/** A person at a terminal, with a journal kept between runs. */
function desk() {
  const environment = {
    PARTNER_CONFIG_DIR: temporaryFolder(),
    PARTNER_STATE_DIR: temporaryFolder(),
    PARTNER_EXTENSIONS: "payout",
  };
  const terminal = { stdin: true, stdout: true, stderr: true };
  return (...answers: PromptAnswer[]) => ({ terminal, columns: 2000, answers, now, environment });
}

/** The suggested command line, without the program's name. */
function offered(stderr: string): string {
  return /The same without questions: partner (.*)/.exec(stderr)?.[1] ?? "";
}

/** Ctrl-C at a question. */
function end(): never {
  throw new PromptAborted("The question was not answered");
}

describe("the command line offered after questions repeats the whole order", () => {
  test("for a transfer without a tag, and moves nothing a second time", async ({ partnerIn, simulator }) => {
    const at = desk();
    const line = "transfer --from 9000112233 --to 9000112244 --amount 5000 --reference R-1 --no-tag --again";
    const first = await partnerIn(at("-rent", true))`${line} --check-statement unsure --check-days 3`;
    expect(first).toMatchObject({ exit: 0 });
    const same = offered(first.stderr);
    expect(same).toBe(
      "transfer --from 9000112233 --to 9000112244 --amount 5000 --description=-rent --no-tag --again --check-statement unsure --check-days 3 --reference R-1",
    );
    const balance = simulator.world.wallet("9000112233").balance.toString();
    expect(await partnerIn(at())`${words(same).join(" ")} --yes`).toMatchObject({ exit: 0 });
    expect(simulator.world.wallet("9000112233").balance.toString()).toBe(balance);
  });

  test("for a collection with --wait", async ({ partnerIn }) => {
    const at = desk();
    const waiting = "--wait --wait-for 90s --listen [::1]:8080 --confirm-statement";
    const line = `collect --msisdn 0712345678 --amount 15000 --reference C-1 ${waiting} --callback-url https://h.example/x`;
    const ended = await partnerIn(at("Lunch", false))`${line}`;
    expect(offered(ended.stderr)).toBe(
      "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 15000 --narration Lunch --callback-url https://h.example/x --wait --wait-for 90s --listen '[::1]:8080' --confirm-statement --reference C-1",
    );
    const dry = await partnerIn({ environment: at().environment })`${words(offered(ended.stderr)).join(" ")} --dry-run`;
    expect(dry).toMatchObject({ exit: 0 });
  });

  test("for a payout with a tunnel, quoted for the shell", async ({ partnerIn }) => {
    const line = "payout --from 9000112233 --to 0712345678 --name Asha --amount 500 --reference P-1 --wait --tunnel";
    const tunnel = `"'my tunnel' --url http://127.0.0.1:{port} ''"`;
    const ended = await partnerIn(desk()("Fare", false))`${line} ${tunnel}`;
    expect(offered(ended.stderr)).toContain(
      ` --wait --tunnel ''\\''my tunnel'\\'' --url http://127.0.0.1:{port} '\\'''\\''' --reference P-1`,
    );
    const address = "--callback-url https://h.example/x";
    const called = await partnerIn(desk()("Fare", false))`${line.replace(" --wait --tunnel", "")} ${address}`;
    expect(offered(called.stderr)).toContain(` ${address} --reference P-1`);
  });

  test("for a remittance with --wait", async ({ simulator }) => {
    const flags = ["--wait", "--wait-for", "5m", "--confirm-statement", "--again", "--reference", "INV-1"];
    const draft = draftFile(remittanceWith({ description: "", callbackUrl: "" }));
    const ended = await remit(simulator, ["--from-file", draft, ...flags], atTerminal(["Fees", false]));
    expect(offered(ended.stderr)).toBe(
      `remit --from-file ${draft} --reference INV-1 --description Fees --wait --wait-for 5m --confirm-statement --again`,
    );
  });
});

test("Ctrl-C at a question prints the answers so far as flags", async ({ partnerIn }) => {
  const line = "transfer --from 9000112233 --to 9000112244";
  const ended = await partnerIn(desk()("7000", end))`${line}`;
  expect(ended).toMatchObject({ exit: 130, stdout: "" });
  expect(ended.stderr).toContain("Your answers so far: --amount 7000\n");
  const atOnce = await partnerIn(desk()(end))`${line}`;
  expect(atOnce).toMatchObject({ exit: 130, stderr: expect.not.stringContaining("so far") });
});

test("Ctrl-C at the callback URL or channel of a collection also prints the answers so far", async ({ partnerIn }) => {
  const atUrl = await partnerIn(desk()("0612 345 678", "5000", "Order 42", end))`collect`;
  expect(atUrl).toMatchObject({ exit: 130, stdout: "" });
  const answers = "Your answers so far: --msisdn 255612345678 --amount 5000 --narration 'Order 42'";
  expect(atUrl.stderr).toContain(`${answers}\n`);
  const atChannel = await partnerIn(desk()("0612 345 678", "5000", "Order 42", "https://h.example/x", end))`collect`;
  expect(atChannel.stderr).toContain(`${answers} --callback-url https://h.example/x\n`);
  const line = "collect --msisdn 255712345678 --amount 5000 --narration n";
  expect((await partnerIn(desk()(end))`${line}`).stderr).not.toContain("so far");
});

test("an order edited before sending keeps its generated reference", async ({ partnerIn }) => {
  const line = "transfer --from 9000112233 --to 9000112244";
  const sent = await partnerIn(desk()("7000", "rent", "edit", "amount", "8000", "edit", "", true))`${line} --json`;
  const { reference, request } = JSON.parse(sent.stdout);
  expect({ exit: sent.exit, amount: request.amount }).toEqual({ exit: 0, amount: 8000 });
  const shown = sent.stderr.match(/(?<=reference +)\S+/g) ?? [];
  expect(new Set(shown)).toEqual(new Set([reference]));
  expect(shown.length).toBeGreaterThan(2);
});

test("Ctrl-C while editing returns to the final question and keeps every answer", async ({ partnerIn, simulator }) => {
  const line = "transfer --from 9000112233 --to 9000112244 --reference R-1";
  const sent = await partnerIn(desk()("7000", "rent", "edit", end, "edit", "amount", end, true))`${line} --json`;
  expect(sent).toMatchObject({ exit: 0 });
  expect(JSON.parse(sent.stdout)).toMatchObject({ state: "accepted", request: { amount: 7000 } });
  const remitted = await remit(
    simulator,
    ["--from-file", draftFile({ ...remittance, description: "" }), "--reference", "INV-1", "--json"],
    atTerminal(["Fees", "edit", end, "edit", "description", end, true]),
  );
  expect(remitted).toMatchObject({ exit: 0 });
  expect(JSON.parse(remitted.stdout)).toMatchObject({ reference: "INV-1", request: { description: "Fees" } });
});

test("Ctrl-C while editing and again at the final question prints the command line with the answers", async ({
  partnerIn,
  simulator,
}) => {
  const line = "transfer --from 9000112233 --to 9000112244 --reference R-1";
  const ended = await partnerIn(desk()("7000", "rent", "edit", end, end))`${line}`;
  expect(ended).toMatchObject({ exit: 130, stdout: "" });
  expect(offered(ended.stderr)).toBe(line.replace(" --ref", " --amount 7000 --description rent --ref"));
  const remitted = await remit(
    simulator,
    ["--from-file", draftFile({ ...remittance, description: "" }), "--reference", "INV-1"],
    atTerminal(["Fees", "edit", end, end]),
  );
  expect(remitted).toMatchObject({ exit: 130, stdout: "" });
  expect(offered(remitted.stderr)).toMatch(/^remit --from-file \S+ --reference INV-1 --description Fees$/);
});
