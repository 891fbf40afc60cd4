import { createRequire } from "node:module";
import * as z from "zod/mini";
import type { Host } from "../../host/host.ts";
import { Failure, interruption } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import { configFolder } from "../folders.ts";
import type { KeyringAnswer, KeyringRequest } from "./keyring-process.ts";
import { keyringProgram } from "./keyring-process.ts";
import { decodeSecrets, encodeSecrets, isEmpty, secretSetSchema } from "./secret-set.ts";
import type { SecretStore } from "./secrets.ts";

const keyringTimeoutMs = 3_000;
const answerMaxBytes = 64 * 1024;
const reasonMaxChars = 200;
const service = "partner";

const answerSchema = z.lazy(() =>
  z.looseObject({ secret: z.optional(z.nullable(z.string())), error: z.optional(z.string()) }),
);
const otherStore = "Or keep the secrets in a file: --secret-store file.";

/**
 * Secrets in the keyring of the system: one entry for each profile of each configuration folder.
 * @throws {Failure} setup when there is no configuration folder
 */
export function keyringStore(host: Host, name: string): SecretStore {
  const entry = `${name} (${configFolder(host)})`;
  return {
    place: "the keyring",
    label: "keyring",
    async read() {
      const { secret } = await askKeyring(host, { entry });
      return typeof secret === "string" ? decodeSecrets(parseSet(secret)) : {};
    },
    async write(secrets) {
      await askKeyring(host, { entry, secret: isEmpty(secrets) ? null : JSON.stringify(encodeSecrets(secrets)) });
    },
  };
}

function parseSet(text: string): z.infer<typeof secretSetSchema> {
  try {
    return secretSetSchema.parse(JSON.parse(text));
  } catch {
    // Without the parser's or the schema's message: both may quote the secret.
    throw new Failure("setup", "The keyring's entry for this profile is damaged.", {
      hint: "Enter the secrets again.",
    });
  }
}

async function askKeyring(host: Host, question: Pick<KeyringRequest, "entry" | "secret">): Promise<KeyringAnswer> {
  if (host.machine.isStandalone) throw noKeyringInside();
  const request: KeyringRequest = { keyringPath: findKeyring(), service, ...question };
  const answer = await runKeyring(host, JSON.stringify(request));
  if (answer.error !== undefined) {
    throw new Failure("setup", `The keyring refused: ${visible(answer.error.slice(0, reasonMaxChars))}.`, {
      hint: `Start and unlock it (on Linux: a desktop session, or gnome-keyring with D-Bus). ${otherStore}`,
    });
  }
  return answer;
}

async function runKeyring(host: Host, input: string): Promise<KeyringAnswer> {
  const stdout = await runProgram(host, input);
  if (host.signal.aborted) throw interruption(host.signal);
  try {
    return answerSchema.parse(JSON.parse(new TextDecoder().decode(stdout)));
  } catch {
    throw new Failure("setup", "The keyring's answer cannot be read.", { hint: otherStore });
  }
}

async function runProgram(host: Host, input: string): Promise<Uint8Array> {
  try {
    const result = await host.run({
      command: host.machine.nodePath,
      // No debugger can attach to a process with secrets, from the start.
      args: ["--disable-sigusr1", "--eval", keyringProgram],
      streams: "capture",
      input,
      timeoutMs: keyringTimeoutMs,
      maxBytes: answerMaxBytes,
      signal: host.signal,
    });
    return result.stdout;
  } catch (error) {
    throw new Failure("setup", `The keyring did not answer within ${keyringTimeoutMs / 1_000} seconds.`, {
      hint: `It may be locked: unlock it and run this again. ${otherStore}`,
      cause: error,
    });
  }
}

/** The native npm package can neither be bundled, nor loaded safely from a folder beside the executable. */
function noKeyringInside(): Failure {
  return new Failure("setup", "This partner is one executable, which cannot reach the system's keyring.", {
    hint: `Use the npm package of partner: npm install --global ./partner-*.tgz. ${otherStore} Or let a program give them: --secret-store command.`,
  });
}

/** @throws {Failure} setup when the optional package is not installed */
function findKeyring(): string {
  try {
    return createRequire(import.meta.url).resolve("@napi-rs/keyring");
  } catch (error) {
    throw new Failure("setup", "The package that reaches the system's keyring is not installed.", {
      hint: `Install it: npm install --global --include=optional ./partner-*.tgz. ${otherStore}`,
      cause: error,
    });
  }
}
