import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod/mini";
import { unlessGone } from "../../host/files/gone.ts";
import { readOwnFile } from "../../host/files/own-file.ts";
import type { Host } from "../../host/host.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";

const manifestMaxBytes = 16 * 1024 * 1024;
export const manifestName = "manifest.json";

const manifestSchema = z.object({
  files: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: z.optional(z.number()) })),
});

/** A file of the folder, as its manifest names it. */
export interface ListedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Refuses a close in place of another file or folder.
 * @param about what the manifest of a replaceable close says
 * @throws {Failure} usage
 */
export async function refuseForeign(host: Host, path: string, about: Readonly<Record<string, unknown>>): Promise<void> {
  if ((await host.files.facts(path)) === undefined) return;
  const manifest = await readManifest(host, path);
  const said: unknown = manifest === undefined ? undefined : parsed(manifest);
  if (saysOf(said, about)) return;
  throw new Failure("usage", `${visible(path)} exists, and is not a close of this month and account.`, {
    hint: "Name another folder with --to, or move that one away.",
  });
}

/** What the closes of a month remember of its folder. */
export interface KnownManifests {
  /** The SHA-256 of each manifest that they wrote; empty where nothing remembers them. */
  readonly all: readonly string[];
  /** Those with the figures of the last close. */
  readonly current: readonly string[];
}

/** True where an earlier close of the month wrote the folder, and a later one has other figures. */
export async function isEarlierClose(host: Host, folder: string, { all, current }: KnownManifests): Promise<boolean> {
  const path = join(folder, manifestName);
  if ((await host.files.facts(path))?.kind !== "file") return false;
  const sha256 = (await hashThere(host, path)) ?? "";
  return all.includes(sha256) && !current.includes(sha256);
}

/**
 * The files of a close that are not what it wrote, in whole lines, and why nothing compares the folder with them. The close
 * of another account has none.
 * @param known the SHA-256 of each manifest that closes of the month wrote; empty where nothing remembers them
 */
export async function alteredFiles(
  host: Host,
  folder: string,
  { about, known }: { about: Readonly<Record<string, unknown>>; known: readonly string[] },
): Promise<readonly string[]> {
  const text = await readManifest(host, folder);
  const said: unknown = text === undefined ? undefined : parsed(text);
  if (said !== undefined && !saysOf(said, { account: about["account"] })) return [];
  if (said === undefined || !saysOf(said, about)) {
    if (known.length === 0 || (await host.files.facts(folder)) === undefined) return [];
    const path = visible(join(folder, manifestName));
    const wrong = said === undefined ? `${path} is not JSON` : `${path} is of another month`;
    const what = text === undefined ? `There is no ${path}` : wrong;
    return [`${what}: nothing compares the folder with the close. Move it away before you close the month there.`];
  }
  const { data } = manifestSchema.safeParse(said);
  const files = data?.files ?? [];
  const altered: string[] = [];
  for (const file of files) if (!(await isThere(host, folder, file))) altered.push(file.path);
  const manifest = join(folder, manifestName);
  const sha256 = (await hashThere(host, manifest)) ?? "";
  const isKnown = data !== undefined && (known.length === 0 || known.includes(sha256));
  if (!isKnown && altered.length === 0 && files.length > 0 && (await areSized(host, folder, files)))
    return [
      `No close is remembered that wrote ${visible(manifest)}: it was stopped before, or something has changed the folder.`,
    ];
  return [...(isKnown ? [] : [manifestName]), ...altered].map(
    (name) => `${visible(join(folder, name))} is not what the close wrote: something has changed it.`,
  );
}

/** True where the manifest has the size of each file, as a close writes it. */
async function areSized(
  { files }: Host,
  folder: string,
  listed: readonly (Pick<ListedFile, "path"> & { readonly bytes?: number | undefined })[],
): Promise<boolean> {
  const sizes = await Promise.all(listed.map(({ path }) => files.facts(join(folder, path))));
  return listed.every(({ bytes }, index) => sizes[index]?.sizeBytes === bytes);
}

/** True where the folder has that file, byte for byte. */
export async function isThere(host: Host, folder: string, file: Pick<ListedFile, "path" | "sha256">): Promise<boolean> {
  const path = join(folder, file.path);
  const facts = await host.files.facts(path);
  return facts?.kind === "file" && (await hashThere(host, path)) === file.sha256;
}

function saysOf(said: unknown, about: Readonly<Record<string, unknown>>): boolean {
  const isSame = (name: string) => typeof said === "object" && said !== null && Reflect.get(said, name) === about[name];
  return Object.keys(about).every(isSame);
}

/** Undefined where the file is moved or removed while it is looked at. */
async function hashThere(host: Host, path: string): Promise<string | undefined> {
  return (await unlessGone(host.files, path, () => hashOf(host, path)))?.sha256;
}

/** The SHA-256 of a file, in hex, and its size. */
export async function hashOf({ files }: Host, path: string): Promise<Omit<ListedFile, "path">> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of files.chunks(path)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

/** The text of the folder's manifest; undefined where it cannot be read. */
export async function readManifest(host: Host, folder: string): Promise<string | undefined> {
  try {
    const bytes = await readOwnFile(host.files, join(folder, manifestName), manifestMaxBytes);
    return bytes && new TextDecoder().decode(bytes);
  } catch {
    return undefined;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
