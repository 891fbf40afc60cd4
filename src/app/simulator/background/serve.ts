import { accessTo } from "../../../simulator/ready.ts";
import type { SimulatorOptions } from "../../../simulator/simulator.ts";
import { startSimulator } from "../../../simulator/simulator.ts";
import type { Session } from "../../session.ts";
import { makeOwnFolders } from "../own-folders.ts";
import { removeRecord, writeRecord } from "./record.ts";

const secretBytes = 24;

/** What the starting process tells a simulator in the background. */
export interface Assignment {
  /** Where its record goes. */
  readonly path: string;
  readonly words: readonly string[];
}

/**
 * Runs as the simulator in the background: writes its record, prints one line when it accepts requests, and runs until
 * its control or a signal stops it. Its record and its folders are removed when it ends.
 * @throws {Failure} as `startSimulator`
 */
export async function serveInBackground(
  session: Session,
  options: SimulatorOptions,
  { path, words }: Assignment,
): Promise<void> {
  const { host } = session;
  const stopping = Promise.withResolvers<void>();
  const stop = () => stopping.resolve();
  host.signal.addEventListener("abort", stop, { once: true });
  if (host.signal.aborted) stop();
  const name = host.ids.uuid();
  const control = { path: `/control/${Buffer.from(host.ids.bytes(secretBytes)).toString("hex")}`, name, stop };
  const folders = await makeOwnFolders(host.files);
  try {
    const simulator = await startSimulator(host, { ...options, control });
    try {
      await writeRecord(host, path, {
        version: 1,
        name,
        control: `${simulator.accountBaseUrl}${control.path}`,
        processId: host.machine.processId,
        words,
        folder: folders.path,
        access: accessTo(simulator),
      });
      await host.stdout.write("ready\n");
      await stopping.promise;
    } finally {
      await simulator.stop();
    }
  } finally {
    await folders.remove();
    await removeRecord(host, path, name);
  }
}
