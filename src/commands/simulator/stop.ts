import { command } from "../../app/command.ts";
import { refuseSave } from "../../app/output-guard.ts";
import { recordFolder } from "../../app/simulator/background/record.ts";
import {
  emptyingLines,
  evaluated,
  refuseFormat,
  shellFlag,
  shellWithoutEnv,
} from "../../app/simulator/background/shell-lines.ts";
import { stopInBackground } from "../../app/simulator/background/stop.ts";
import { toggle } from "../../cli/line/input.ts";

export default command({
  summary: "Stop the simulator that simulator start --background started.",
  description:
    "Its profiles and its journal are removed; a file of --state stays. Where none runs, it does nothing, and ends with 0. A shell that has its variables keeps them until it ends, or until --env empties them.",
  examples: ["simulator stop", "simulator stop --env"],
  args: {},
  flags: { env: toggle({ summary: "Print lines that empty the simulator's variables again." }), ...shellFlag },
  exits: ["setup"],
  async run({ flags }, session) {
    if (flags.shell !== undefined && !flags.env) throw shellWithoutEnv();
    if (flags.env) refuseFormat(session, false);
    else
      refuseSave(
        session,
        "simulator stop prints no result",
        "Leave it out. The lines for a shell: partner simulator stop --env",
      );
    const folder = recordFolder(session.host);
    await stopInBackground(session, folder);
    const lines = emptyingLines(session.host, flags.shell);
    if (flags.env) return { shape: "text", text: lines };
    if (lines !== "")
      await session.note(
        `This shell still has its variables. To empty them: ${evaluated("partner simulator stop --env", session.host)}`,
      );
    return undefined;
  },
});
