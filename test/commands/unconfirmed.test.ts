import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

// Where the service did not confirm a payment, every text about it says who did.

const collect =
  "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference C-1 --yes --wait";
const transfer = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference T-1 --yes";

describe("a collection confirmed only by a callback", () => {
  test("is marked as such by find, by its receipt and when repeated", async ({ partnerIn, simulator }) => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    const partner = partnerIn({ environment, meanwhile: () => simulator.idle() });
    expect(await partner`${collect} --json`).toMatchObject({ exit: 0 });
    const claimed =
      "Collected TZS 1,500.00 from 255712345678, reference C-1. An unsigned callback says so; the service did not confirm it.";
    expect((await partner`find C-1 --offline`).stdout).toContain(claimed);
    const { stdout } = await partner`journal receipt C-1 --json`;
    expect(JSON.parse(stdout)).toMatchObject({
      receipt:
        "Collection. An unsigned callback to the order's secret address says that this was paid; the service did not confirm it.",
      evidence: "an unsigned callback",
    });
    const terminal = { stdin: true, stdout: true, stderr: true };
    const again = await partnerIn({ environment, terminal, columns: 500, answers: [true] })`${collect}`;
    expect(again.stdout).toContain(
      "was made before, reference C-1. An unsigned callback says so; the service did not confirm it.",
    );
  });

  test("is no longer marked after the statement has shown it", async ({ partnerIn, simulator }) => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    const partner = partnerIn({ environment, meanwhile: () => simulator.idle() });
    expect(await partner`${collect} --json`).toMatchObject({ exit: 0 });
    await partner`journal resolve C-1`;
    expect((await partner`find C-1 --offline`).stdout).not.toContain("callback says so");
    expect((await partner`journal receipt C-1`).stdout).toContain("The statement has a row of this payment.");
  });
});

describe("a person's decision", () => {
  test.for([
    ["accepted", "Sent TZS 5,000.00 from ", "A person said that this was paid; the service did not confirm it."],
    [
      "refused",
      "The transfer of TZS 5,000.00 from ",
      "This is not a receipt: a person says that it was refused; the service did not confirm it.",
    ],
  ] as const)("is named when an order is %s only by it", async ([state, found, receipt], { partnerIn, faults }) => {
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    faults.plan("fail-request=money:1");
    expect(await partner`${transfer}`).toMatchObject({ exit: 6 });
    expect(await partner`journal resolve T-1 --as ${state} --evidence "boss said so"`).toMatchObject({ exit: 0 });
    const { stdout } = await partner`find T-1 --offline`;
    expect(stdout).toContain(found);
    expect(stdout).toContain(", reference T-1. A person says so; the service did not confirm it.");
    expect((await partner`journal receipt T-1`).stdout).toContain(receipt);
  });

  test("does not replace the service's own confirmation", async ({ partnerIn }) => {
    const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
    expect(await partner`${transfer}`).toMatchObject({ exit: 0 });
    await partner`journal resolve T-1 --as accepted --evidence "boss said so"`;
    expect((await partner`find T-1 --offline`).stdout).not.toContain("did not confirm");
    const { stdout } = await partner`journal receipt T-1`;
    expect(stdout).toContain("The service confirmed this payment.");
    expect(stdout).toMatch(/\nevidence +the service's answer\n/);
  });
});

test("no output of an order shows the secret part of its callback address", async ({ partnerIn, simulator }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const terminal = { stdin: true, stdout: true, stderr: true };
  const toNobody = collect.replace("255712345678", "255712990003");
  expect(await partnerIn({ environment })`${toNobody} --wait-for 1s`).toMatchObject({ exit: 7 });
  const address = simulator.world.collections.get("C-1")?.callbackUrl ?? "";
  const secret = address.split("/").at(-1) ?? "";
  expect(secret).toMatch(/^[\w-]{43}$/);
  const partner = partnerIn({ environment });
  for (const line of [
    "journal list --json",
    "journal list --csv",
    "journal show C-1 --json",
    "journal export --json",
  ]) {
    const { stdout } = await partner`${line}`;
    expect(stdout).toContain(address.replace(secret, "[secret]"));
    expect(stdout).not.toContain(secret);
  }
  expect((await partnerIn({ environment, terminal })`journal show C-1`).stdout).not.toContain(secret);
});
