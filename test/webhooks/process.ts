import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { memoryHost } from "../memory-host.ts";
import { openInbox } from "../../src/webhooks/inbox/inbox-file.ts";
import type { Kept } from "../../src/webhooks/inbox/inbox.ts";
import { floodKey } from "./flood.ts";
import { program } from "../program.ts";

/** A receiver in a process of its own, which can be killed. */
export interface ReceiverProcess {
  readonly child: ChildProcess;
  readonly url: string;
  /** Its output so far. */
  readonly output: { stdout: string; stderr: string };
  /** Ends it, and resolves with its exit code or the signal's name. */
  end(signal: NodeJS.Signals): Promise<number | string>;
}

export interface ProcessOptions {
  readonly stateFolder: string;
  readonly flags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The descriptor of a file for its lines. */
  readonly stdout?: number;
}

/** Starts a receiver and waits until it can be reached. */
export async function startReceiver({
  stateFolder,
  flags = [],
  environment = {},
  stdout,
}: ProcessOptions): Promise<ReceiverProcess> {
  const child = spawn(process.execPath, [program, "webhook", "listen", ...flags], {
    stdio: ["ignore", stdout ?? "pipe", "pipe"],
    env: {
      PATH: process.env["PATH"],
      PARTNER_STATE_DIR: stateFolder,
      PARTNER_CONFIG_DIR: `${stateFolder}-config`,
      PARTNER_WEBHOOK_KEY: floodKey,
      ...environment,
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = once(child, "exit");
  const output = { stdout: "", stderr: "" };
  child.stdout?.on("data", (bytes: Buffer) => (output.stdout += bytes.toString()));
  const { promise: isReady, resolve: ready } = Promise.withResolvers<string>();
  child.stderr?.on("data", (bytes: Buffer) => {
    output.stderr += bytes.toString();
    const url = /^ready (.*)$/m.exec(output.stderr)?.[1];
    if (url !== undefined) ready(url);
  });
  const url = await Promise.race([isReady, exited.then(() => "")]);
  if (url === "") throw new Error(`The receiver ended: ${output.stderr}`);
  return {
    child,
    url,
    output,
    async end(signal) {
      child.kill(signal);
      const [code, by] = await exited;
      return code ?? by;
    },
  };
}

/** The whole inbox, read by another process than the receiver. */
export async function keptIn(stateFolder: string): Promise<Kept[]> {
  const inbox = await openInbox(memoryHost(), { stateFolder, use: "read", warn: () => undefined });
  const all: Kept[] = [];
  for await (const kept of inbox.list()) all.push(kept);
  await inbox.close();
  return all;
}
