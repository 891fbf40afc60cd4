import { describe, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";
import type { Terminal } from "../terminal.ts";
import { hasTmux, openTerminal } from "../terminal.ts";

function typed(simulator: RunningSimulator, line: string, more = {}): Terminal {
  const folder = temporaryFolder();
  const folders = { PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: folder };
  return openTerminal(
    line.split(" "),
    { ...environmentFor(simulator), ...folders, ...more },
    { columns: 80, rows: 24 },
  );
}

describe.skipIf(!hasTmux)(`in a terminal${hasTmux ? "" : " (needs tmux)"}`, { timeout: 120_000 }, () => {
  test("a chosen wallet stays on one line, and the wallet that pays is not offered as the receiver", async ({
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

  test("what is wrong with an amount names the amount, in whole words", async ({ simulator }) => {
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

  test("a payout asks for the receiver until it can be paid", async ({ simulator }) => {
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
});
