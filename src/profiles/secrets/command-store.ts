import * as z from "zod/mini";
import type { Host } from "../../host/host.ts";
import { commandWords } from "../../values/text/command-words.ts";
import { Failure, interruption } from "../../values/failure.ts";
import { Secret } from "../../values/secret.ts";
import { bindSecrets } from "./secret-scope.ts";
import { configFolder } from "../folders.ts";
import { refuseSharedFolder } from "../settings/permissions.ts";
import type { Profile } from "../profile.ts";
import type { Secrets, SecretStore } from "./secrets.ts";
import { secretKinds } from "./secrets.ts";
import { readSettings } from "../settings/settings.ts";

const commandTimeoutMs = 30_000;
const outputMaxBytes = 64 * 1024;

const textOrNone = z.lazy(() => z.optional(z.nullable(z.string())));
const outputSchema = z.lazy(() =>
  z.looseObject({
    version: z.literal(1),
    secretKey: textOrNone,
    accessToken: textOrNone,
    webhookKey: textOrNone,
    expiration: textOrNone,
  }),
);
type Output = z.infer<typeof outputSchema>;

/** An instant needs a zone: `2026-10-01T08:00:00` would mean a different moment on each machine. */
const instantPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Secrets that the user's own program prints, such as a password manager. It is run without a shell, and its secrets
 * are bound to the addresses of the profile that names it.
 */
export function commandStore(
  host: Host,
  name: string,
  profile: Profile,
  key: "credentialCommand" | "money.credentialCommand" = "credentialCommand",
): SecretStore {
  const subject = `The ${key} of profile ${name}`;
  return {
    place: `the ${key} of profile ${name}`,
    label: key,
    async read() {
      // Anyone who can change the profile decides which program runs.
      await refuseSharedFolder(host, configFolder(host));
      await readSettings(host, "trusted");
      const output = parseOutput(await runCommand(host, subject, profile[key] ?? ""), subject);
      refuseExpired(host, output, subject);
      return bindSecrets(secretsOf(output), profile);
    },
    async write() {
      throw new Failure("usage", `${subject} gives its secrets; none can be kept for it.`, {
        hint: `Keep them where that program finds them, or choose another place: --secret-store file.`,
      });
    },
  };
}

async function runCommand(host: Host, subject: string, line: string): Promise<Uint8Array> {
  const [command, ...args] = commandWords(line) ?? [];
  if (command === undefined) throw commandFailure(subject, "names no program, or a quote in it is not closed");
  const limits = { timeoutMs: commandTimeoutMs, maxBytes: outputMaxBytes, signal: host.signal };
  const result = await host
    .run({ command, args, streams: "capture", isOverAtExit: true, ...limits })
    .catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : "it could not be run";
      throw commandFailure(subject, `failed: ${reason}`, error);
    });
  if (host.signal.aborted) throw interruption(host.signal);
  if (result.exit !== 0) throw commandFailure(subject, `ended with exit code ${result.exit}`);
  return result.stdout;
}

function parseOutput(bytes: Uint8Array, subject: string): Output {
  try {
    return outputSchema.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch {
    // Without the parser's or the schema's message: both may quote a secret.
    throw commandFailure(subject, "printed something other than the JSON object that was asked for");
  }
}

function refuseExpired(host: Host, { expiration }: Output, subject: string): void {
  if (expiration === undefined || expiration === null || expiration === "") return;
  const endsMs = instantPattern.test(expiration) ? Date.parse(expiration) : Number.NaN;
  if (Number.isNaN(endsMs)) throw commandFailure(subject, "printed an expiration that isn't a time with its zone");
  if (endsMs <= host.clock.now()) throw commandFailure(subject, "printed secrets that have expired");
}

/** An empty member counts as missing. */
function secretsOf(output: Output): Secrets {
  return Object.fromEntries(
    secretKinds.flatMap((kind) => {
      const text = output[kind] ?? "";
      return text === "" ? [] : [[kind, new Secret(text)]];
    }),
  );
}

function commandFailure(subject: string, problem: string, cause?: unknown): Failure {
  return new Failure("setup", `${subject} ${problem}.`, {
    hint: 'Run it by hand. It has to print what it has of this: {"version":1,"secretKey":"…","accessToken":"…","webhookKey":"…","expiration":"…"}',
    cause,
  });
}
