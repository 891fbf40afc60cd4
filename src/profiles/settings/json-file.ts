import * as z from "zod/mini";
import type { FileFacts } from "../../host/files/files.ts";
import { isGone } from "../../host/files/gone.ts";
import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { namePath, pathWord } from "../../values/text/path-name.ts";
import { fileFailure } from "./file-failures.ts";
import type { Protection } from "./permissions.ts";
import { refuseShared } from "./permissions.ts";

const settingsMaxBytes = 1024 * 1024;
const settingsVariable = "PARTNER_CONFIG_DIR";
/** The version that this program writes; a file with a higher number is from a later program, and is left alone. */
export const fileVersion = 1;

/** How a file of ours is read. */
export interface JsonFileTerms {
  /** What others must not be able to do with it. */
  readonly guard?: Protection | undefined;
  /** A larger file is a mistake; default: enough for the profiles and secrets of hundreds of accounts. */
  readonly maxBytes?: number;
  /** The variable that names its folder; default: that of the settings. */
  readonly variable?: string;
}

const strange: Readonly<Record<Exclude<FileFacts["kind"], "file">, string>> = {
  folder: "is a folder, and a file belongs there",
  link: "is a link, and only the file itself is trusted",
  other: "isn't an ordinary file",
};

/**
 * Reads one of our small JSON files, and checks it against its schema; undefined where it doesn't exist. Errors never
 * quote its content, which may be secret. A damaged file is never overwritten.
 * @throws {Failure} setup for anything but a regular file, or one that is unreadable, too large, shared, damaged, or of
 * a later version
 */
export async function readJsonFile<S extends z.ZodMiniType>(
  host: Host,
  path: string,
  schema: S,
  terms: JsonFileTerms = {},
): Promise<z.infer<S> | undefined> {
  const bytes = await readBytes(host, path, terms);
  if (bytes === undefined) return undefined;
  const content = parseBytes(bytes, path);
  if (versionOf(content) > fileVersion) throw laterVersion(path, terms);
  const checked = schema.safeParse(content);
  if (!checked.success) throw damaged(path, placeOf(checked.error.issues[0]?.path ?? []));
  return checked.data;
}

async function readBytes(
  host: Host,
  path: string,
  { guard, maxBytes = settingsMaxBytes, variable = settingsVariable }: JsonFileTerms,
): Promise<Uint8Array | undefined> {
  try {
    const facts = await host.files.facts(path);
    if (facts === undefined) return undefined;
    if (facts.kind !== "file") throw unusable(path, strange[facts.kind]);
    if (guard !== undefined) refuseShared(host, path, facts, guard);
    if (facts.sizeBytes > maxBytes) throw unusable(path, `is larger than ${maxBytes} bytes`);
    return await host.files.read(path, maxBytes);
  } catch (error) {
    if (await isGone(host.files, path, error)) return undefined;
    throw error instanceof Failure ? error : fileFailure("read", path, error, variable);
  }
}

function parseBytes(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // The parser's message quotes what it could not read.
    throw damaged(path, bytes.length === 0 ? "it is empty" : "it is not JSON");
  }
}

function versionOf(content: unknown): number {
  const version = typeof content === "object" && content !== null && "version" in content ? content.version : undefined;
  return typeof version === "number" ? version : 0;
}

/** Only names of our own may be shown; anything else in a path is content. */
function placeOf(path: readonly PropertyKey[]): string {
  const words = path.map(String);
  const ours = words.every((word) => /^[A-Za-z0-9-]{1,32}$/.test(word));
  if (!ours) return "a name in it isn't valid";
  return words.length === 0 ? "it holds no JSON object" : `${words.join(".")} is missing or not what belongs there`;
}

function damaged(path: string, reason: string): Failure {
  return unusable(path, `is damaged: ${reason}`);
}

function unusable(path: string, problem: string): Failure {
  const word = pathWord(path);
  return new Failure("setup", `${namePath(path)} ${problem}.`, {
    hint: `It is left as it is. Repair it, or move it away and begin again: mv ${word} ${pathWord(`${path}.old`)}`,
  });
}

function laterVersion(path: string, { variable = settingsVariable }: JsonFileTerms): Failure {
  return new Failure("setup", `${namePath(path)} was written by a later version of partner.`, {
    hint: `It is left as it is. Update partner, or name another folder with ${variable}.`,
  });
}
