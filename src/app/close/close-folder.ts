import { createHash } from "node:crypto";
import { basename, dirname, join, sep } from "node:path";
import { readOwnFile } from "../../host/files/own-file.ts";
import { unlessGone } from "../../host/files/gone.ts";
import { UnsyncedName } from "../../host/files/files.ts";
import type { Host } from "../../host/host.ts";
import type { Explain } from "../../report/write-failures.ts";
import { UnwrittenFile, explainSave, explained } from "../../report/write-failures.ts";
import { Failure } from "../../values/failure.ts";
import * as z from "zod/mini";
import { visible } from "../../values/text/text.ts";

const folderMode = 0o777;
const manifestMaxBytes = 16 * 1024 * 1024;
const partEnding = ".part";
const staleMs = 60 * 60 * 1000;
const manifestName = "manifest.json";

const manifestSchema = z.object({
  files: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: z.optional(z.number()) })),
});

/** A file of the folder, as its manifest names it. */
export interface ListedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** A folder that is written beside its final place: it appears whole, or not at all. */
export class CloseFolder {
  readonly path: string;
  readonly #part: string;
  readonly #host: Host;
  readonly #explain: Explain;
  readonly #files: ListedFile[] = [];

  /** @param explain turns errors about the folder into failures */
  constructor(host: Host, path: string, explain: Explain = explainSave(path, "--to")) {
    // Without a slash at its end: with one, a former folder would be kept inside itself.
    this.path = join(dirname(path), basename(path));
    this.#host = host;
    this.#explain = explain;
    this.#part = join(dirname(path), `.${basename(path)}.${host.ids.uuid().slice(0, 8)}${partEnding}`);
  }

  /** The path for a file of the folder; makes the folder of that file. */
  async place(name: string): Promise<string> {
    const path = join(this.#part, name);
    await explained(
      () => this.#host.files.makeFolder(dirname(path), folderMode),
      (error) => this.#unwritten(error),
    );
    return path;
  }

  /** Writes a file. @throws {Failure} usage | unavailable */
  async write(name: string, content: string | AsyncIterable<Uint8Array>): Promise<ListedFile> {
    const path = await this.place(name);
    await explained(
      async () => {
        const draft = await this.#host.files.draft(path, "kept");
        try {
          if (typeof content === "string") await draft.write(content);
          else for await (const piece of content) await draft.write(piece);
          await draft.commit();
        } finally {
          await draft.abandon();
        }
      },
      (error) => this.#unwritten(error),
    );
    return this.list(name);
  }

  /** A failure about a file of the unfinished folder, as one about the final folder. */
  explain(error: unknown): unknown {
    const isOwn = error instanceof UnwrittenFile && error.path.split(sep).includes(basename(this.#part));
    return isOwn ? this.#unwritten(error.cause) : error;
  }

  /**
   * The whole folder is moved at once, so a file in the unfinished one was never published, even if only its name could
   * not be synced.
   */
  #unwritten(error: unknown): unknown {
    return this.#explain(error instanceof UnsyncedName ? error.cause : error);
  }

  /** Adds a file that was written at its place to the manifest. */
  async list(name: string): Promise<ListedFile> {
    const listed = { path: name, ...(await hashOf(this.#host, join(this.#part, name))) };
    this.#files.push(listed);
    return listed;
  }

  /**
   * Writes the manifest and puts the folder in its place. A former folder there is kept under another name, unless it
   * is identical.
   * @param about what the manifest says besides its files
   * @returns the manifest's SHA-256, where the former folder is now, and how many files there are
   */
  async publish(
    about: Readonly<Record<string, unknown>>,
  ): Promise<{ sha256: string; kept: string | undefined; files: number }> {
    const files = this.#files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
    const manifest = `${JSON.stringify({ version: 1, ...about, files }, undefined, 2)}\n`;
    const { sha256 } = await this.write(manifestName, manifest);
    const published = { sha256, files: this.#files.length };
    const former = await readManifest(this.#host, this.path);
    if (former === manifest && (await this.#isUnchanged(files))) return { ...published, kept: undefined };
    return explained(async () => {
      const kept = former === undefined ? undefined : await this.#freeName();
      if (kept === undefined) await this.#host.files.renameFolder(this.#part, this.path);
      else await this.#replace(kept);
      return { ...published, kept };
    }, this.#explain);
  }

  /** Keeps the former folder under another name; where the new one cannot take its place, it gets its own name back. */
  async #replace(kept: string): Promise<void> {
    const { files } = this.#host;
    await files.renameFolder(this.path, kept);
    try {
      await files.renameFolder(this.#part, this.path);
    } catch (cause) {
      await files.renameFolder(kept, this.path).catch(() => {
        throw new Failure("unavailable", `--to ${visible(this.path)} could not be written.`, {
          hint: `The close that was there is now ${visible(kept)}. Close the month again.`,
          cause,
        });
      });
      throw cause;
    }
  }

  /** Removes what was not published, and what killed runs left an hour ago or earlier, as far as it can be removed. */
  async discard(): Promise<void> {
    await this.#host.files.removeFolder(this.#part).catch(() => undefined);
    await this.#sweep().catch(() => undefined);
  }

  async #sweep(): Promise<void> {
    const { files, clock } = this.#host;
    const [folder, lead] = [dirname(this.path), `.${basename(this.path)}.`];
    for (const name of await files.names(folder)) {
      if (!name.startsWith(lead) || !name.endsWith(partEnding)) continue;
      const left = await files.facts(join(folder, name));
      if (left?.kind === "folder" && left.modifiedMs < clock.now() - staleMs)
        await files.removeFolder(join(folder, name));
    }
  }

  /** True where the files that the manifest names are there, byte for byte. */
  async #isUnchanged(files: readonly ListedFile[]): Promise<boolean> {
    for (const file of files) if (!(await isThere(this.#host, this.path, file))) return false;
    return true;
  }

  async #freeName(): Promise<string> {
    for (let number = 1; ; number += 1) {
      const path = `${this.path}.before-${number}`;
      if ((await this.#host.files.facts(path)) === undefined) return path;
    }
  }
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

async function isThere(host: Host, folder: string, file: Pick<ListedFile, "path" | "sha256">): Promise<boolean> {
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

async function hashOf({ files }: Host, path: string): Promise<Omit<ListedFile, "path">> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of files.chunks(path)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

async function readManifest(host: Host, folder: string): Promise<string | undefined> {
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
