import { Failure } from "../../../values/failure.ts";
import type { Session } from "../../session.ts";
import { ask } from "./control-call.ts";
import { readRecord, recordPath, removeRecord, whileAlone } from "./record.ts";

const pollMs = 20;
/** The simulator first finishes its current requests, and saves its state. */
const endMaxMs = 30_000;

/**
 * Stops the simulator in the background, and prints what it found. It is not an error if none runs.
 * @throws {Failure} setup | unavailable where it does not end
 */
export async function stopInBackground(session: Session, folder: string): Promise<void> {
  const { host } = session;
  const path = recordPath(folder);
  if ((await readRecord(host, path)) === undefined) return session.note("There is no simulator in the background.");
  return whileAlone(host, folder, async () => {
    const record = await readRecord(host, path);
    if (record === undefined) return session.note("The simulator in the background was stopped meanwhile.");
    const { accountBaseUrl } = record.access;
    if (!(await ask(host, record, "stop"))) {
      await removeRecord(host, path, record.name);
      return session.note(`The simulator at ${accountBaseUrl} had ended already.`);
    }
    const untilMs = host.clock.elapsed() + endMaxMs;
    while ((await readRecord(host, path)) !== undefined) {
      if (host.clock.elapsed() > untilMs) throw endless(record.processId);
      await host.clock.sleep(pollMs, host.signal);
    }
    return session.note(`The simulator at ${accountBaseUrl} is stopped.`);
  });
}

function endless(processId: number): Failure {
  return new Failure("unavailable", `The simulator did not end within ${endMaxMs / 1000} s.`, {
    hint: `It is process ${processId}. End it, and try again.`,
  });
}
