import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Thread, ThreadReply, ThreadStart } from "./thread.ts";

/**
 * The initial half of a thread's young generation, in MB: its default is one, and `gc-tuning.ts` keeps it from growing.
 */
const youngHalfMb = 8;

/** @param file what the thread runs: `src/thread.ts`, or its built form */
export function nodeThread(file: string, start: ThreadStart): Thread {
  setFlagsFromString(`--min-semi-space-size=${youngHalfMb}`);
  const worker = new Worker(file, { workerData: start, env: {} });
  const waiting: {
    readonly done: (given: readonly ArrayBuffer[]) => void;
    readonly failed: (error: unknown) => void;
  }[] = [];
  let ended: unknown;
  const fail = (error: unknown) => {
    ended ??= error;
    for (const { failed } of waiting.splice(0)) failed(ended);
  };
  worker.on("message", ({ error, given }: ThreadReply) => {
    const next = waiting.shift();
    if (error === undefined) next?.done(given);
    else next?.failed(Object.assign(new Error(error.message), error.codes, { name: error.name }));
  });
  worker.on("error", fail);
  const exited = new Promise<void>((resolve) => {
    worker.on("exit", () => {
      fail(new Error("A thread ended before its work."));
      resolve();
    });
  });
  return {
    tell: (message, given = []) =>
      new Promise((done, failed) => {
        if (ended !== undefined) return failed(ended);
        waiting.push({ done, failed });
        return worker.postMessage(message, given);
      }),
    async end() {
      if (ended === undefined) worker.postMessage(null, []);
      await exited;
    },
  };
}
