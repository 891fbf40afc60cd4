import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export interface ServedFile {
  readonly environment: Readonly<Record<string, string>> & { readonly PARTNER_BASE_URL: string };
  stop(): void;
}

/** Serves a file as the answer to every request. */
export function serveFile(file: string): Promise<ServedFile> {
  return serveWith("serve.ts", [file]);
}

/**
 * Runs a server of this folder in its own process; the environment names it and made-up credentials to `partner`.
 * @param script it prints its port
 */
export async function serveWith(script: string, words: readonly string[]): Promise<ServedFile> {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...words], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [chunk] = await once(child.stdout, "data");
  return {
    environment: {
      PARTNER_BASE_URL: `http://127.0.0.1:${String(chunk).trim()}`,
      PARTNER_ENVIRONMENT: "simulator",
      PARTNER_ACCOUNT_ID: "bench",
      PARTNER_SECRET_KEY: "bench-secret",
    },
    stop: () => child.stdin.end(),
  };
}
