import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { now } from "../simulated.ts";
import type { Shell } from "./shell.ts";
import { test as atShell } from "./shell.ts";

/** A shell whose profile `shop` calls two of the simulator's wallets main and pay. */
export const test = atShell.extend<{ readonly named: Shell }>({
  named: async ({ shell, simulator }, use) => {
    const timed: Shell = { ...shell, type: (line, world) => shell.type(line, { now, ...world }) };
    await addProfile(timed, simulator, "shop");
    await timed.type("profile set shop account.main=9000112233 account.pay=9000112244");
    await use(timed);
  },
});

async function addProfile(shell: Shell, simulator: RunningSimulator, name: string, accountId = simulator.accountId) {
  const { secretKey, accessToken, baseUrl, accountBaseUrl } = simulator;
  const at = `--environment simulator --base-url ${baseUrl} --account-base-url ${accountBaseUrl}`;
  const stdin = JSON.stringify({ secretKey, accessToken });
  const added = await shell.type(`profile add ${name} ${at} --account-id ${accountId} --secrets-from -`, { stdin });
  if (added.exit !== 0) throw new Error(added.stderr);
}
