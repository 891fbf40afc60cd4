import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import { Secret } from "../../values/secret.ts";
import { readSecretVariable } from "./account-secrets.ts";
import { fileFailureOf } from "../../host/files/file-reason.ts";
import type { ValueViolation } from "../new-profile.ts";
import { violationsFound } from "../new-profile.ts";
import type { SecretKind, Secrets } from "./secrets.ts";
import { checkSecret, secretKinds } from "./secrets.ts";

const inputMaxBytes = 64 * 1024;
const hint =
  'It has to be one JSON object with what you have of this: {"secretKey":"…","accessToken":"…","webhookKey":"…"}';

/**
 * The secrets that `--secrets-from` names: a JSON object in a file, or on stdin for `-`.
 * @throws {Failure} usage; nothing of the content is repeated
 */
export async function readSecrets(host: Host, from: string): Promise<Secrets> {
  const subject = from === "-" ? "stdin" : namePath(from);
  try {
    const bytes = from === "-" ? await host.stdin.read(inputMaxBytes) : await host.files.read(from, inputMaxBytes);
    return parseSecrets(bytes, subject);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure("usage", `The secrets cannot be read from ${subject}: ${fileFailureOf(error)}.`, {
      hint,
      cause: error,
    });
  }
}

/**
 * The secrets in the environment, for adding a profile from a script.
 * @throws {Failure} setup
 */
export async function secretsFromEnvironment(host: Host): Promise<Secrets> {
  const found = await Promise.all(
    secretKinds.map(async (kind) => [kind, (await readSecretVariable(host, kind))?.value]),
  );
  return Object.fromEntries(found.filter(([, secret]) => secret !== undefined));
}

function parseSecrets(bytes: Uint8Array, subject: string): Secrets {
  const content = parseObject(bytes, subject);
  if (Object.keys(content).some((key) => !isSecretKind(key))) {
    throw new Failure("usage", `The secrets from ${subject} have a key that is not one of ${secretKinds.join(", ")}.`, {
      hint,
    });
  }
  const secrets: Partial<Record<SecretKind, Secret>> = {};
  const violations: ValueViolation[] = [];
  for (const [kind, text] of Object.entries(content)) {
    if (!isSecretKind(kind)) continue;
    const problem = typeof text === "string" ? checkSecret(kind, text) : "isn't text";
    if (problem !== undefined) violations.push([kind, problem]);
    else secrets[kind] = new Secret(String(text));
  }
  if (violations.length > 0) throw violationsFound(violations, hint);
  return secrets;
}

function parseObject(bytes: Uint8Array, subject: string): object {
  try {
    const content: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof content === "object" && content !== null && !Array.isArray(content)) return content;
  } catch {
    // The parser's message quotes what it could not read.
  }
  throw new Failure("usage", `What came from ${subject} isn't a JSON object.`, { hint });
}

function isSecretKind(text: string): text is SecretKind {
  return secretKinds.some((kind) => kind === text);
}
