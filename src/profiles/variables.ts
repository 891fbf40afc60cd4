import type { Host } from "../host/host.ts";
import { secretVariables } from "../host/process/child-environment.ts";
import { Failure } from "../values/failure.ts";
import { namePath } from "../values/text/path-name.ts";
import { fileFailureOf } from "../host/files/file-reason.ts";

/** The variables for a profile's values. Each also exists as `…_FILE`, with a path. */
export const variables = {
  profile: "PARTNER_PROFILE",
  baseUrl: "PARTNER_BASE_URL",
  accountBaseUrl: "PARTNER_ACCOUNT_BASE_URL",
  environment: "PARTNER_ENVIRONMENT",
  accountId: "PARTNER_ACCOUNT_ID",
  secretKey: "PARTNER_SECRET_KEY",
  accessToken: "PARTNER_ACCESS_TOKEN",
  webhookKey: "PARTNER_WEBHOOK_KEY",
  extensions: "PARTNER_EXTENSIONS",
  journal: "PARTNER_JOURNAL_URL",
} as const;
export type VariableKey = keyof typeof variables;

/** Variables that identify and authenticate an account. */
export const accountVariables = [
  "baseUrl",
  "accountBaseUrl",
  "environment",
  "accountId",
  "secretKey",
  "accessToken",
  "webhookKey",
  "extensions",
] as const satisfies readonly VariableKey[];

/** All of these variables, in both forms, emptied: a program that gets them sees no other account. */
export const emptiedVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(variables).flatMap((name) => [
    [name, ""],
    [`${name}_FILE`, ""],
  ]),
);

/** A value, and its source in words for people. */
export interface Sourced<T = string> {
  readonly value: T;
  readonly source: string;
}

const fileMaxBytes = 64 * 1024;
const secretFileVariables: ReadonlySet<string> = new Set(secretVariables.map((name) => `${name}_FILE`));

/**
 * The name of the variable that gives the value, directly or by a path; undefined where neither is set. An empty
 * variable counts as unset.
 * @throws {Failure} setup when both are set
 */
export function variableFor(host: Host, key: VariableKey): string | undefined {
  return formInUse(host, variables[key]);
}

function formInUse(host: Host, name: string): string | undefined {
  const byPath = `${name}_FILE`;
  const set = [name, byPath].filter((candidate) => (host.environment[candidate] ?? "") !== "");
  if (set.length > 1) {
    throw new Failure("setup", `Both ${name} and ${byPath} are set.`, { hint: `Unset one of them: unset ${byPath}` });
  }
  return set[0];
}

/** @throws {Failure} setup when a variable is set in both of its forms */
export function refuseDoubles(host: Host): void {
  for (const name of Object.values(variables)) formInUse(host, name);
}

/**
 * The value in the environment, without the line break that a file may end with. The file's permissions are not
 * checked: secrets that Docker and Kubernetes mount are readable by all users of the container.
 * @throws {Failure} setup when both forms are set, or the file cannot be read or is empty
 */
export async function readVariable(host: Host, key: VariableKey): Promise<Sourced | undefined> {
  const source = variableFor(host, key);
  if (source === undefined) return undefined;
  const text = host.environment[source] ?? "";
  if (source === variables[key]) return { value: text, source };
  const value = (await readText(host, source, text)).replace(/\r?\n$/, "");
  if (value === "") throw unreadable(source, text, "is empty");
  return { value, source };
}

async function readText(host: Host, source: string, path: string): Promise<string> {
  const bytes = await host.files.read(path, fileMaxBytes).catch((error: unknown) => {
    throw unreadable(source, path, `cannot be read: ${fileFailureOf(error)}`, error);
  });
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw unreadable(source, path, "isn't text");
  }
}

/** A path that should name a secret's file may be the secret itself, given by mistake: it is not repeated. */
function unreadable(source: string, path: string, problem: string, cause?: unknown): Failure {
  const isSecret = secretFileVariables.has(source);
  const file = isSecret ? `The file that ${source} names` : `The file ${namePath(path)} of ${source}`;
  return new Failure("setup", `${file} ${problem}.`, {
    hint: `Put the value into that file, or unset ${source}.`,
    cause: isSecret ? undefined : cause,
  });
}
