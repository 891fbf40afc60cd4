import type { FlagValues } from "../../../cli/line/input.ts";
import { flagName } from "../../../values/text/flag-name.ts";
import { Failure, interruption } from "../../../values/failure.ts";
import { listenText } from "../../../values/addresses/listen-address.ts";
import type { Session } from "../../session.ts";
import type { simulatorFlags } from "../flags.ts";
import { thisProgram } from "../other-program.ts";
import { ask } from "./control-call.ts";
import type { BackgroundRecord } from "./record.ts";
import { readRecord, recordPath, whileAlone } from "./record.ts";

/** Set for the process in the background: the path where it writes its record. */
const recordVariable = "PARTNER_SIMULATOR_RECORD";

/** The path of the record, in the process in the background; undefined in every other one. */
export function recordToLeave({ host }: Session): string | undefined {
  return host.environment[recordVariable];
}

/** The flags as words in a fixed order, so that two command lines can be compared. */
export function simulatorWords(flags: FlagValues<typeof simulatorFlags>): readonly string[] {
  const { port, listen, path, environment, seed, seedNumber, state, webhookUrl, clock, extensions, fault = [] } = flags;
  const address = listen === undefined ? undefined : listenText(listen);
  const single = {
    port,
    listen: address,
    path: path === "" ? "/" : path,
    environment,
    seed,
    seedNumber,
    state,
    webhookUrl,
    clock,
  };
  const given = [...Object.entries(single), ...fault.map((one) => ["fault", one] as const)];
  const words = given.flatMap(([key, value]) => (value === undefined ? [] : [`--${flagName(key)}`, String(value)]));
  return extensions ? [...words, "--extensions"] : words;
}

/**
 * Starts a simulator in the background, or finds the running one with the same flags. Undefined where the new process
 * ended early: it has printed why, and this run ends with its exit code.
 * @param folder the folder of its record
 * @throws {Failure} usage where one runs with other flags | setup | unavailable | interrupted
 */
export async function startInBackground(
  session: Session,
  words: readonly string[],
  folder: string,
): Promise<BackgroundRecord | undefined> {
  const { host } = session;
  const path = recordPath(folder);
  return whileAlone(host, folder, async () => {
    const running = await readRecord(host, path);
    if (running !== undefined && (await ask(host, running, "look"))) return sameAs(running, words, session);
    const [command, ...before] = thisProgram(session);
    const launched = await host.launch({
      command,
      args: [...before, "simulator", "start", "--background", "--quiet", ...words, ...formOf(session)],
      environment: { [recordVariable]: path },
      signal: host.signal,
    });
    if (host.signal.aborted) throw interruption(host.signal);
    if (launched.isReady) {
      const record = await readRecord(host, path);
      await session.note(
        "A simulator runs in the background. Its money is not real. To stop it: partner simulator stop",
      );
      return record;
    }
    await host.stderr.write(launched.stderr);
    session.endWith(launched.exit);
    return undefined;
  });
}

/** The simulator reports errors in the same format as this run, and trusts the same certificates. */
function formOf({ format, certificates }: Session): readonly string[] {
  const form = format === "json" || format === "ndjson" ? format : "table";
  return ["--output", form, ...(certificates === undefined ? [] : ["--ca-cert", certificates])];
}

async function sameAs(
  running: BackgroundRecord,
  words: readonly string[],
  session: Session,
): Promise<BackgroundRecord> {
  const [was, now] = [running.words.join("\0"), words.join("\0")];
  if (was !== now) {
    const flags = running.words.length === 0 ? "no flags" : running.words.join(" ");
    throw new Failure("usage", `A simulator runs in the background already, with ${flags}.`, {
      hint: "Stop it first: partner simulator stop",
    });
  }
  await session.note("A simulator runs in the background already. To stop it: partner simulator stop");
  return running;
}
