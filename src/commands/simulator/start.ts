import { refuseProtected } from "../../app/protected-folders.ts";
import { command } from "../../app/command.ts";
import { recordFolder } from "../../app/simulator/background/record.ts";
import { serveInBackground } from "../../app/simulator/background/serve.ts";
import {
  evaluated,
  refuseFormat,
  shellFlag,
  shellLines,
  shellWithoutEnv,
} from "../../app/simulator/background/shell-lines.ts";
import { recordToLeave, startInBackground, simulatorWords } from "../../app/simulator/background/start.ts";
import { simulatorFlags, simulatorOptions } from "../../app/simulator/flags.ts";
import type { Session } from "../../app/session.ts";
import { anyText, option, toggle } from "../../cli/line/input.ts";
import type { Report } from "../../report/report.ts";
import { saveText } from "../../report/save.ts";
import { readyLine } from "../../simulator/ready.ts";
import type { SimulatorAccess, SimulatorOptions } from "../../simulator/simulator.ts";
import { startSimulator } from "../../simulator/simulator.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "Start the whole service on this machine, with money that is not real.",
  description:
    'It serves every endpoint of the specification on 127.0.0.1. Balances move, statements add up, callbacks come, and webhooks are signed. It prints one line when it is ready and runs until Ctrl-C or TERM, which end it with 0. With --background it keeps running until partner simulator stop. To point a shell to it, with profiles and a journal of its own: eval "$(partner simulator start --background --env)". In PowerShell: partner simulator start --background --env | Out-String | Invoke-Expression. What it can get wrong: partner help faults',
  examples: [
    "simulator start",
    "simulator start --port 4010 --state simulator.json",
    "simulator start --background --env",
    "simulator start --output json --ready-file ready.json",
    "simulator start --webhook-url http://127.0.0.1:8080/webhook",
    "simulator start --fault lose-answer=transfer:2 --fault slow-headers=500ms,any",
  ],
  args: {},
  flags: {
    ...simulatorFlags,
    readyFile: option({ value: "FILE", summary: "Write the ready line to FILE, too.", read: anyText }),
    background: toggle({ summary: "Keep running in the background, until partner simulator stop." }),
    env: toggle({ summary: "With --background: print the variables as lines that a shell can run." }),
    ...shellFlag,
  },
  exits: ["setup"],
  async run({ flags }, session) {
    const { readyFile, background, env, shell, ...own } = flags;
    if (env && !background) {
      throw new Failure("usage", "--env has no effect without --background.", {
        hint: `To point this shell to a simulator: ${evaluated("partner simulator start --background --env", session.host, shell)}`,
      });
    }
    if (shell !== undefined && !env) throw shellWithoutEnv();
    if (env && readyFile === undefined) refuseFormat(session, true);
    if (readyFile !== undefined) await refuseProtected(readyFile, "--ready-file", session.host);
    if (own.state !== undefined) await refuseProtected(own.state, "--state", session.host);
    const options = await simulatorOptions(own, session);
    const ready = async (access: SimulatorAccess): Promise<Report> => {
      const line = readyLine(access, session.format);
      if (readyFile !== undefined) await saveText(readyFile, line, session.host.files, "--ready-file");
      return { shape: "text", text: line };
    };
    const left = recordToLeave(session);
    if (background && left !== undefined) {
      await serveInBackground(session, options, { path: left, words: simulatorWords(own) });
      return undefined;
    }
    if (background) {
      const folder = recordFolder(session.host);
      const record = await startInBackground(session, simulatorWords(own), folder);
      if (record === undefined) return undefined;
      const line = await ready(record.access);
      return env ? { shape: "text", text: shellLines(session.host, { record, folder, shell }) } : line;
    }
    return serve(session, options, ready);
  },
});

/** Runs the simulator until a signal comes. */
async function serve(
  session: Session,
  options: SimulatorOptions,
  ready: (access: SimulatorAccess) => Promise<Report>,
): Promise<undefined> {
  const simulator = await startSimulator(session.host, options);
  try {
    await session.say(await ready(simulator));
    await untilStopped(session.host.signal);
  } finally {
    await simulator.stop();
  }
  return undefined;
}

/** Waits for Ctrl-C or TERM, which end a server without a failure. */
async function untilStopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
