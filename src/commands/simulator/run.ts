import { command } from "../../cli/command.ts";
import { simulatorFlags, simulatorOptions } from "../../cli/simulator-flags.ts";
import { environmentFor } from "../../simulator/ready.ts";
import { startSimulator } from "../../simulator/simulator.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "Start a simulator, run a command that talks to it, and stop it.",
  description:
    "The command gets the simulator's address and credentials in its environment. Its exit code is the exit code.",
  examples: ["simulator run -- partner wallets list", "simulator run --seed-number 7 -- ./month-end.sh"],
  args: {},
  flags: simulatorFlags,
  rest: "-- COMMAND [WORDS...]",
  exits: ["setup", "unavailable"],
  async run({ flags, rest }, session) {
    const [name, ...args] = rest;
    if (name === undefined) {
      throw new Failure("usage", "There is no command to run.", {
        hint: "Put it after --, for example: partner simulator run -- partner wallets list",
      });
    }
    const simulator = await startSimulator(session.host, simulatorOptions(flags));
    try {
      session.endWith(await session.runProgram(name, args, environmentFor(simulator)));
    } finally {
      await simulator.stop();
    }
    return undefined;
  },
});
