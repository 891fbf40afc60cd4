import { describe, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import type { Terminal } from "../terminal.ts";
import { hasTmux, openTerminal } from "../terminal.ts";

function typed(simulator: RunningSimulator, line: string, more = {}, size = {}): Terminal {
  const folder = temporaryFolder();
  const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: folder, ...more };
  return openTerminal(line.split(" "), environment, { columns: 80, rows: 24, ...size });
}

describe.skipIf(!hasTmux)(`in a terminal${hasTmux ? "" : " (needs tmux)"}`, { timeout: 120_000 }, () => {
  test("a chosen wallet is shown on one line, and the paying wallet is not offered as receiver", async ({
    simulator,
  }) => {
    const terminal = typed(simulator, "transfer");
    await terminal.shows("? From which wallet (type to search)\n❯ 9000112233  Zoë Mwangá Payouts  ");
    terminal.press("Enter");
    const screen = await terminal.shows("? To which wallet (type to search)\n❯ 9000112244  Mishahara (salaries)  ");
    expect(screen).toContain("✔ From which wallet 9000112233  Zoë Mwangá Payouts\n");
    expect(screen.match(/9000112233/g)).toHaveLength(1);
    terminal.press("C-c");
    await terminal.shows("exit 130");
  });

  test("a list of wallets on a narrow terminal never breaks an amount", async ({ simulator }) => {
    const terminal = typed(simulator, "transfer", {}, { columns: 40 });
    const screen = await terminal.shows("❯ 9000112233  Zoë Mwangá Payouts\n    37,737,494.00 TZS\n");
    expect(screen).toContain("\n  9000445566  Nairobi Payouts\n    750,000.00 KES\n");
    terminal.press("Down");
    terminal.press("Enter");
    await terminal.shows("✔ From which wallet 9000112244  Mishahar");
    terminal.press("C-c");
    await terminal.shows("exit 130");
  });

  test("the error for an invalid amount quotes it and wraps between words", async ({ simulator }) => {
    const terminal = typed(simulator, "transfer --from 9000112233 --to 9000112244 --description rent");
    await terminal.shows("? How much (TZS, a whole amount)");
    terminal.type("250,000");
    terminal.press("Enter");
    expect(await terminal.shows("no decimals.")).toContain(
      '> The amount "250,000" is ambiguous (250000 or 250?). Write it like 1500:\ndigits only, no commas, no decimals.\n',
    );
    terminal.press("C-c");
    await terminal.shows("exit 130");
  });

  test("the edit list shows the amount in groups of digits, and Ctrl-C leaves the list", async ({ simulator }) => {
    const terminal = typed(simulator, "transfer --from 9000112233 --to 9000112244 --amount 9900000");
    await terminal.shows("? What both statements show");
    terminal.press("Enter");
    await terminal.shows("> The description is empty. It needs a value.");
    terminal.type("rent");
    terminal.press("Enter");
    await terminal.shows("? Send this transfer? (y/N)");
    terminal.type("e");
    terminal.press("Enter");
    expect(await terminal.shows("  Nothing: back to the question\n")).toContain("  How much: 9,900,000\n");
    terminal.press("C-c");
    await terminal.shows("? Send this transfer? (y/N)");
    terminal.press("C-c");
    await terminal.shows("exit 130");
  });

  test("a question continues after Ctrl-Z and fg with the digits already typed", async ({ simulator }) => {
    const line = "transfer --from 9000112233 --to 9000112244 --description rent";
    const terminal = typed(simulator, line, {}, { resumes: true });
    await terminal.shows("? How much (TZS, a whole amount)");
    terminal.type("25");
    terminal.press("C-z");
    await terminal.shows("Stopped");
    terminal.type("00");
    terminal.press("Enter");
    await terminal.shows("✔ How much (TZS, a whole amount) 2,500\n");
    await terminal.shows("? Send this transfer? (y/N)");
    terminal.type("y");
    terminal.press("Enter");
    expect(await terminal.shows("exit 0")).toContain("Sent TZS 2,500.00 from 9000112233");
  });

  test.for([
    ["y", "exit 0"],
    ["n", "exit 130"],
    ["C-c", "exit 130"],
  ] as const)(
    "after Ctrl-Z and fg at the last question, %s ends the run with %s",
    async ([key, ending], { simulator }) => {
      const line = "transfer --from 9000112233 --to 9000112244 --amount 2500 --description rent";
      const terminal = typed(simulator, line, {}, { resumes: true });
      await terminal.shows("? Send this transfer? (y/N)");
      terminal.press("C-z");
      await terminal.shows("Stopped");
      terminal.press(key);
      terminal.press("Enter");
      await terminal.shows(ending);
    },
  );

  test("a payout refuses an invalid number at the question for the receiver", async ({ simulator }) => {
    const terminal = typed(simulator, "payout --from 9000112233 --amount 5000 --narration pay --name Asha", {
      PARTNER_EXTENSIONS: "payout",
    });
    await terminal.shows("? To which mobile number");
    terminal.type("07123");
    terminal.press("Enter");
    await terminal.shows("> --to isn't a mobile number:");
    terminal.press("C-c");
    await terminal.shows("exit 130");
  });

  test("an invalid answer to a yes-or-no question explains y and n, and is erased", async ({ simulator }) => {
    const terminal = typed(
      simulator,
      `profile add shop --environment simulator --base-url ${simulator.baseUrl} --account-base-url ${simulator.baseUrl} --account-id vendor-7 --secret-store file`,
      { PARTNER_SECRET_KEY: "", PARTNER_ACCESS_TOKEN: "", PARTNER_WEBHOOK_KEY: "" },
    );
    await terminal.shows("? The secret key (empty: none)");
    terminal.type("sk_0123456789");
    terminal.press("Enter");
    const entered = await terminal.shows("? The access token (empty: none)");
    expect(entered).toContain("The secret key (empty: none) [hidden]\n");
    terminal.press("Enter");
    const left = await terminal.shows("? The webhook key (empty: none)");
    expect(left).toContain("The access token (empty: none)\n");
    terminal.press("Enter");
    await terminal.shows("Check it now? One harmless read for each credential. (y/N)");
    terminal.type("maybe");
    terminal.press("Enter");
    await terminal.shows("> Type y for yes, or n for no.");
    terminal.type("n");
    terminal.press("Enter");
    const screen = await terminal.shows("exit 0");
    expect(screen).not.toContain("maybe");
    expect(screen).not.toContain("sk_0123456789");
  });
});
