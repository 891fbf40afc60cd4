import { parentPort, workerData } from "node:worker_threads";
import type { ThreadReply, ThreadStart, ThreadTask } from "./thread.ts";

type Begin = (given: never) => ThreadTask<never>;

/** The other end of `nodeThread`: handles messages until it gets `null`. */
export function serveThread(tasks: Readonly<Record<string, () => Promise<Begin>>>): void {
  const port = parentPort;
  if (port === null) throw new Error("Only a thread has a port.");
  const begun = begin(tasks, workerData);
  // Each message gets the error as its reply.
  begun.catch(() => undefined);
  let turn = Promise.resolve();
  let failure: ThreadReply["error"];
  const taken = async (before: Promise<void>, message: unknown) => {
    await before;
    let given: readonly ArrayBuffer[] = [];
    try {
      const task = await begun;
      if (message === null) task.end();
      else if (failure === undefined) given = task.take(message);
    } catch (error) {
      // Later messages depend on this one, so they are skipped.
      failure ??= serialized(error);
    }
    if (message === null) port.close();
    else port.postMessage({ error: failure, given } satisfies ThreadReply, given);
  };
  port.on("message", (message) => {
    turn = taken(turn, message);
  });
}

async function begin(
  tasks: Readonly<Record<string, () => Promise<Begin>>>,
  { task, given }: ThreadStart,
): Promise<ThreadTask> {
  const open = await tasks[task]?.();
  if (open === undefined) throw new Error(`No thread does ${task}.`);
  return Reflect.apply(open, undefined, [given]);
}

/** Errors lose their class and codes between threads: these are sent separately. */
function serialized(error: unknown): ThreadReply["error"] {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), codes: {} };
  const codes = Object.fromEntries(
    ["code", "errcode", "errstr"].flatMap((name) => (name in error ? [[name, Reflect.get(error, name)]] : [])),
  );
  return { name: error.name, message: error.message, codes };
}
