import { join } from "node:path";
import { isGone } from "../../host/files/gone.ts";
import type { Host } from "../../host/host.ts";
import { DamageError, reasonOf } from "../../storage/failures.ts";
import type { Slip } from "./slip.ts";
import { decodeSlip, encodeSlip, isSlipName, slipName } from "./slip.ts";

/** Space that is reserved for what a full disk would refuse: a slip, or the last commit of the journal. */
const reserveBytes = 64 * 1024;
const reserveName = "slip.reserve";
/** Room for an answer of a megabyte with every character escaped, and the members around it. */
const slipMaxBytes = 8 * 1024 * 1024;
const folderMode = 0o700;
const fileMode = 0o600;
const othersMayWrite = 0o022;

/** A slip, or why a file in the folder can't be read as one. */
export type FoundSlip =
  | { readonly path: string; readonly slip: Slip }
  | { readonly path: string; readonly slip: undefined; readonly reason: string };

/** The slips in the state folder, beside a journal of this machine or on behalf of a shared one. */
export class SlipFolder {
  readonly #host: Pick<Host, "files" | "machine" | "ids">;
  readonly #folder: string;

  constructor(host: Pick<Host, "files" | "machine" | "ids">, folder: string) {
    this.#host = host;
    this.#folder = folder;
  }

  /** Reserves disk space. Without space or rights, everything works as without a reserve. */
  async reserve(): Promise<void> {
    const path = join(this.#folder, reserveName);
    try {
      const facts = await this.#host.files.facts(path);
      if (facts?.kind === "file" && facts.sizeBytes >= reserveBytes) return;
      // Random bytes, since a file system could compress others.
      await this.#write(path, this.#host.ids.bytes(reserveBytes));
    } catch {
      // An order does not wait for it.
    }
  }

  /**
   * Writes a slip, for this user alone: all of it, or nothing. On a full disk the reserve is deleted for it, and the
   * journal uses the rest.
   * @returns its path
   * @throws {Error} of the file system
   */
  async leave(slip: Slip): Promise<string> {
    const path = join(this.#folder, slipName(slip));
    const bytes = encodeSlip(slip);
    try {
      await this.#write(path, bytes);
    } catch {
      await this.remove(join(this.#folder, reserveName));
      await this.#write(path, bytes);
    }
    return path;
  }

  /** All slips in the folder, the oldest first; those that cannot be read come last. */
  async find(): Promise<FoundSlip[]> {
    const found: FoundSlip[] = [];
    for (const name of await this.#host.files.names(this.#folder))
      if (isSlipName(name)) found.push(...(await this.#read(join(this.#folder, name))));
    return found.toSorted((one, other) => (one.slip?.at ?? Infinity) - (other.slip?.at ?? Infinity));
  }

  /** Removes a slip that the journal has by now. Where that fails, the copy is harmless. */
  async remove(path: string): Promise<void> {
    await this.#host.files.remove(path).catch(() => undefined);
  }

  async #write(path: string, bytes: Uint8Array | string): Promise<void> {
    await this.#host.files.makeFolder(this.#folder, folderMode);
    const draft = await this.#host.files.draft(path, fileMode);
    try {
      await draft.write(bytes);
      await draft.commit();
    } catch (error) {
      await draft.abandon();
      throw error;
    }
  }

  /** Nothing where another process has entered it meanwhile. */
  async #read(path: string): Promise<FoundSlip[]> {
    try {
      const facts = await this.#host.files.facts(path);
      if (facts === undefined) return [];
      const { userId } = this.#host.machine;
      if (facts.kind !== "file") throw new DamageError("it isn't an ordinary file");
      // On Windows neither says anything.
      if (userId !== undefined && facts.ownerId !== userId) throw new DamageError("it belongs to another user");
      if (userId !== undefined && (facts.mode & othersMayWrite) !== 0) throw new DamageError("others may change it");
      const bytes = await this.#host.files.read(path, slipMaxBytes);
      return [{ path, slip: decodeSlip(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) }];
    } catch (error) {
      if (await isGone(this.#host.files, path, error)) return [];
      const reason =
        error instanceof DamageError ? error.message : (reasonOf(error) ?? "it is damaged, or was cut off");
      return [{ path, slip: undefined, reason }];
    }
  }
}
