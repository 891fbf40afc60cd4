import { command } from "../../app/command.ts";
import { anyText, option } from "../../cli/line/input.ts";
import { simulatorFlags, simulatorOptions } from "../../app/simulator/flags.ts";
import { saveText } from "../../report/save.ts";
import { readFaults } from "../../simulator/faults.ts";
import { readyLine } from "../../simulator/ready.ts";
import { startSimulator } from "../../simulator/simulator.ts";

export default command({
  summary: "Start the whole service on this machine, with money that is not real.",
  description:
    "It serves every endpoint of the specification on 127.0.0.1. Balances move, statements add up, callbacks come, and webhooks are signed. It prints one line when it is ready and runs until Ctrl-C or TERM, which end it with 0. What it can get wrong: partner help faults",
  examples: [
    "simulator start",
    "simulator start --port 4010 --state simulator.json",
    "simulator start --output json --ready-file ready.json",
    "simulator start --webhook-url http://127.0.0.1:8080/webhook",
    "simulator start --fault lose-answer=transfer:2 --fault slow-headers=500ms,any",
  ],
  args: {},
  flags: {
    ...simulatorFlags,
    readyFile: option({ value: "FILE", summary: "Write the ready line to FILE, too.", read: anyText }),
  },
  exits: ["setup"],
  async run({ flags }, session) {
    const simulator = await startSimulator(session.host, {
      ...simulatorOptions(flags),
      faults: readFaults(flags.fault),
    });
    try {
      const line = readyLine(simulator, session.format);
      if (flags.readyFile !== undefined) await saveText(flags.readyFile, line, session.host.files, "--ready-file");
      await session.say({ shape: "text", text: line });
      await untilStopped(session.host.signal);
    } finally {
      await simulator.stop();
    }
    return undefined;
  },
});

/** Until Ctrl-C or TERM, which end a server well. */
async function untilStopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
