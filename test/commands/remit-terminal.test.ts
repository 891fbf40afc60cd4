import { describe, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import type { Terminal } from "../terminal.ts";
import { hasTmux, openTerminal } from "../terminal.ts";
import { draftFile, remittanceWith } from "./remittance.ts";

/** A person at a terminal with a draft that lacks these fields. */
function remitIn(simulator: RunningSimulator, missing: readonly string[], size = {}): Terminal {
  const draft = draftFile(remittanceWith(Object.fromEntries(missing.map((path) => [path, undefined]))));
  const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: temporaryFolder() };
  const folders = { PARTNER_STATE_DIR: environment.PARTNER_CONFIG_DIR };
  return openTerminal(["remit", "--from-file", draft], { ...environment, ...folders }, size);
}

describe.skipIf(!hasTmux)(`in a terminal${hasTmux ? "" : " (needs tmux)"}`, { timeout: 120_000 }, () => {
  test("mistakes are explained, amounts are grouped, lists can be searched, and Enter alone means no", async ({
    simulator,
  }) => {
    const missing = ["sender.fullName", "sender.idType", "senderAmount", "receiverAmount", "institutionCode"];
    const terminal = remitIn(simulator, missing);
    await terminal.shows("Sender's legal name");
    terminal.type("Z");
    terminal.press("Enter");
    await terminal.shows("> It must have 2 to 100 characters.");
    terminal.type("oë Mwangá");
    terminal.press("Enter");
    await terminal.shows("❯ PASSPORT");
    terminal.press("Down");
    await terminal.shows("❯ NATIONAL_ID");
    terminal.press("Enter");
    await terminal.shows("Amount in the sender's currency");
    terminal.type("1234567.5");
    await terminal.shows("1,234,567.5");
    terminal.press("Enter");
    await terminal.shows("Whole shillings for the receiver (3,086,418,750)");
    terminal.press("Enter");
    await terminal.shows("❯ Vodacom M-Pesa (TZ-VODACOM-B2C)");
    terminal.type("tigo");
    await terminal.shows("❯ Tigo Pesa (TZ-TIGO-B2C)");
    terminal.press("Enter");
    const preview = await terminal.shows("Send this remittance? (y/N)");
    expect(preview).toContain(
      "Remit 3,086,418,750.00 TZS to Amina Juma\n  sender       Zoë Mwangá (KE), 254700000000\n",
    );
    terminal.press("Enter");
    expect(await terminal.shows("exit 130")).toContain("\nNothing was sent.\nexit 130");
    expect(simulator.world.remittances.size).toBe(0);
  });

  test("answering y sends the remittance", async ({ simulator }) => {
    const terminal = remitIn(simulator, [], { columns: 40 });
    await terminal.shows("Send this remittance? (y/N)");
    terminal.type("y");
    terminal.press("Enter");
    await terminal.shows("exit 0");
    expect(simulator.world.remittances.size).toBe(1);
  });

  test.for([
    ["a search", "institutionCode", "❯ Vodacom M-Pesa", "Nothing was done: the question was not answered.\n"],
    ["the last question", "", "Send this remittance? (y/N)", "Nothing was sent: the question was not answered.\nHint:"],
  ] as const)("Ctrl-C at %s sends nothing", async ([, missing, shown, said], { simulator }) => {
    const terminal = remitIn(simulator, missing === "" ? [] : [missing]);
    await terminal.shows(shown);
    terminal.press("C-c");
    expect(await terminal.shows("exit 130")).toContain(`Error: ${said}`);
    expect(simulator.world.remittances.size).toBe(0);
  });
});
