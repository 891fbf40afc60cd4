import { expect } from "vitest";
import { remittanceOutcomes } from "../../src/simulator/outcomes.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { test } from "../simulated.ts";
import { behind, post } from "./collection-service.ts";
import { atTerminal, draftFile, remit, remittance, remittanceWith } from "./remittance.ts";
import { environmentAt, errorIn } from "./served.ts";

const toSend = ["--reference", "INV-42", "--yes", "--json", "--wait"];

/** A draft whose receiver's account decides the simulator's outcome. */
function draftTo(ending: string): string {
  return draftFile(remittanceWith({ receiverAccount: `255710${ending.padStart(6, "1")}` }));
}

const endings: Readonly<Record<string, readonly [exit: number, state: string, evidence: string]>> = {
  "": [0, "accepted", "callback"],
  "990001": [4, "refused", "callback"],
  // The payment is taken back while the run can still learn it.
  "990002": [4, "reversed", "callback"],
  "990003": [7, "pending", "answer"],
  "990004": [0, "accepted", "callback"],
  "990005": [4, "refused", "callback"],
};

test("every special account of the simulator has an expected end here", () => {
  expect(Object.keys(endings).filter(Boolean)).toEqual(remittanceOutcomes.map(({ ending }) => ending));
});

test.for(Object.entries(endings))(
  "remit --wait ends as expected for an account that ends in %s",
  async ([ending, [exit, state, evidence]], { simulator }) => {
    const world = { meanwhile: () => simulator.idle() };
    const ended = await remit(simulator, ["--from-file", draftTo(ending), ...toSend], world);
    expect(ended).toMatchObject({ exit });
    expect(JSON.parse(ended.stdout)).toMatchObject({ kind: "remit", state, evidence, reference: "INV-42" });
    if (exit !== 0) expect(errorIn(ended)).toMatchObject({ reference: "INV-42" });
  },
);

/** An update in the form of the service's older API. */
function update(partnerReference: string, status: string): string {
  return JSON.stringify({ partnerReference, status, statusCode: 200 });
}

/** Every known status, and an unknown one. */
test.for([
  ["COMPLETED", 0, "accepted"],
  ["FAILED", 4, "refused"],
  ["CANCELED", 4, "refused"],
  ["REVERSED", 4, "reversed"],
  ["payment_success", 0, "accepted"],
  ["PAYMENT_FAILED", 4, "refused"],
  ["GENERIC_ERROR", 6, "unknown"],
  ["CREATED", 7, "pending"],
  ["SUBMITTED", 7, "pending"],
  ["WAITING_ACK", 7, "pending"],
  ["ON_HOLD", 7, "pending"],
] as const)("an update with the status %s ends remit --wait with %d", async ([status, exit, state], { simulator }) => {
  const told = behind(async () => {
    const { callbackUrl = "" } = simulator.world.remittances.get("INV-42") ?? {};
    expect(await post(callbackUrl, update("INV-43", status))).toMatchObject({ status: 404 });
    expect(await post(callbackUrl, update("INV-42", status))).toMatchObject({ status: 200 });
  });
  let once = false;
  const meanwhile = async () => {
    if (!once) await told();
    once = true;
  };
  const ended = await remit(simulator, ["--from-file", draftTo("990003"), ...toSend], { meanwhile });
  expect(ended).toMatchObject({ exit });
  expect(JSON.parse(ended.stdout)).toMatchObject({ state });
});

test("while remit --wait listens, its own callback address replaces that of the draft", async ({ simulator }) => {
  await remit(simulator, ["--from-file", draftTo("990003"), ...toSend, "--wait-for", "1s"]);
  const url = simulator.world.remittances.get("INV-42")?.callbackUrl;
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/);
});

test("--callback-url gets a secret path, and the command without questions names the public address", async ({
  simulator,
}) => {
  const words = ["--wait", "--wait-for", "1s", "--callback-url", "https://hooks.example/p", "--reference", "INV-42"];
  const draft = draftFile(remittanceWith({ description: "", receiverAccount: "255710990003" }));
  const ended = await remit(simulator, ["--from-file", draft, ...words], atTerminal(["Rent", true]));
  expect(ended).toMatchObject({ exit: 7 });
  expect(simulator.world.remittances.get("INV-42")?.callbackUrl).toMatch(/^https:\/\/hooks\.example\/p\/[\w-]{43}$/);
  expect(ended.stderr).toMatch(
    /: partner remit --from-file \S+ --reference INV-42 --callback-url https:\/\/hooks\.example\/p --description Rent --wait --wait-for 1s\n/,
  );
});

test("repeating the order with a new callback address sends nothing again", async ({ simulator }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const words = ["--from-file", draftTo("990003"), ...toSend, "--wait-for", "1s"];
  const first = await remit(simulator, words, { environment });
  const again = await remit(simulator, words, { environment, seed: 2 });
  expect([first.exit, again.exit]).toEqual([7, 7]);
  expect(again.stderr).toContain("nothing was sent now.");
  expect(simulator.world.remittances.size).toBe(1);
});

test("remit --wait is refused when the service cannot reach this machine", async () => {
  const environment = environmentAt("https://pay.example/v1");
  const ended = await run(["remit", "--from-file", draftFile(remittance), ...toSend], { environment });
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(errorIn(ended)["hint"]).toMatch(/--callback-url URL.*--tunnel/);
});

test("--wait-for without --wait is refused", async ({ simulator }) => {
  const words = ["--from-file", draftFile(remittance), "--reference", "INV-42", "--yes", "--wait-for", "1m"];
  const ended = await remit(simulator, words);
  expect(ended).toMatchObject({ exit: 2, stdout: "" });
  expect(ended.stderr).toContain("Without --wait, --wait-for would have no effect.");
});
