import { refuseSave } from "../../app/output-guard.ts";
import { refuseProtected } from "../../app/protected-folders.ts";
import { command } from "../../app/command.ts";
import { simulatorFlags, simulatorOptions } from "../../app/simulator/flags.ts";
import { makeOwnFolders } from "../../app/simulator/own-folders.ts";
import { markedShell } from "../../app/simulator/marked-shell.ts";
import { runOther } from "../../app/simulator/other-program.ts";
import { environmentFor } from "../../simulator/ready.ts";
import { startSimulator } from "../../simulator/simulator.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "Start a simulator, run a command that talks to it, and stop it.",
  description:
    "The command gets the simulator's address and credentials in its environment. It also gets folders of its own for profiles and journal; PARTNER_CONFIG_DIR, PARTNER_STATE_DIR and PARTNER_JOURNAL_URL change nothing. They are removed when it ends. It ends with the command's exit code.",
  examples: [
    "simulator run -- partner wallets list",
    "simulator run --seed-number 7 -- ./month-end.sh",
    "simulator run --fault lose-answer -- partner transfer --from 9000112233 --to 9000112244 --amount 500 --description rent --yes",
  ],
  args: {},
  flags: simulatorFlags,
  rest: "-- COMMAND [WORDS...]",
  exits: ["setup"],
  async run({ flags, rest }, session) {
    const [name, ...args] = rest;
    if (name === undefined) {
      throw new Failure("usage", "There is no command to run.", {
        hint: "Put it after --, for example: partner simulator run -- partner wallets list",
      });
    }
    refuseSave(
      session,
      "what the command prints goes to stdout",
      "Leave it out, or give it to that command: partner simulator run -- partner wallets list --save FILE",
    );
    if (flags.state !== undefined) await refuseProtected(flags.state, "--state", session.host);
    // Orders of a simulator that ends with the command must not enter the journal of real money.
    const folders = await makeOwnFolders(session.host.files);
    try {
      const { host } = session;
      const shell = host.stdin.isTerminal ? await markedShell(name, args, folders.path, host.files) : undefined;
      const options = await simulatorOptions(flags, session);
      // Log lines would mix with what a person types.
      const log = shell === undefined ? options.log : undefined;
      const simulator = await startSimulator(session.host, { ...options, log });
      try {
        await session.note("Money in this shell is not real; its profiles and its journal are removed at the end.");
        const environment = { ...folders.environment, ...environmentFor(simulator), ...shell?.environment };
        session.endWith(await runOther({ name, args: shell?.args ?? args, environment }, session));
        if (shell !== undefined)
          await session.note("The simulator is stopped. Money in the shell where you are now can be real.");
      } finally {
        await simulator.stop();
      }
    } finally {
      await folders.remove();
    }
    return undefined;
  },
});
