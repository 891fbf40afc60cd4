import { basename, dirname, join, sep } from "node:path";
import { UnsyncedName } from "../../host/files/files.ts";
import type { Host } from "../../host/host.ts";
import type { Explain } from "../../report/write-failures.ts";
import { UnwrittenFile, explainSave, explained } from "../../report/write-failures.ts";
import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import type { ListedFile } from "./published-close.ts";
import { hashOf, isThere, manifestName, readManifest } from "./published-close.ts";

const folderMode = 0o777;
const partEnding = ".part";
const staleMs = 60 * 60 * 1000;

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
