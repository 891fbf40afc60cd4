import { dirname, join } from "node:path";
import { fileFailureOf } from "../../host/files/file-reason.ts";
import type { FileFacts } from "../../host/files/files.ts";
import { FileTooLarge } from "../../host/files/files.ts";
import { isGone } from "../../host/files/gone.ts";
import type { Host } from "../../host/host.ts";
import { DamageError, reasonOf } from "../../storage/failures.ts";
import { refuseOpenToAll } from "../../storage/place.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import { sha256 } from "../requests/request-hash.ts";
import type { JournalPaths } from "../failures.ts";

const folderMode = 0o700;
/** How many numbers of events share a file, of about 60 KiB. */
const eventsPerPage = 512;
const pageMaxBytes = 16 * 1024 * 1024;
const checksumLength = 16;
const nothing = "-";
/** A change of the file that is this much later than its last line was not made by this program. */
const ownChangeMs = 2_000;

/**
 * Where a journal's history ends: the number, time and seal of its last event. 0, 0 and "" before the first; for a role
 * that isn't shown it, time and seal are 0 and "", too.
 */
export interface JournalEnd {
  readonly number: number;
  readonly at: number;
  readonly seal: string;
}

/** The server of a shared journal: which one it is, and how often a standby took over. */
export interface Server {
  readonly system: string;
  readonly timeline: number;
}

/** The last decision in history: a submission, an approval, a rejection, a change of rules. */
export interface FactEnd {
  readonly number: number;
  readonly seal: string;
}

/** How far a journal is known to have been: at least as far as when an order last left. */
export interface Mark extends JournalEnd {
  /** Undefined where there is none. */
  readonly fact?: FactEnd | undefined;
  /** Grows when the journal is made current again, so that former marks no longer count, however far they are. */
  readonly epoch: number;
  /** How many rows of statements it had been given. */
  readonly seen: number;
  readonly server: Server | undefined;
}

/**
 * The mark of one journal, in append-only files beside the profiles: a line for each update, of which the furthest
 * counts. A file has the lines of 512 numbers of events, so no line in a file is further than one in a later file, and
 * a file may be removed as soon as a later one has a line: adding, reading and removing need no lock. A torn line,
 * after a power loss, is ignored. Before each update stands the time of change by the file system, which no program sets:
 * `~ 1795944878283`, in milliseconds.
 */
export class Marks {
  readonly #host: Pick<Host, "files" | "machine">;
  readonly #folder: string;
  readonly #id: string;
  readonly #money: JournalPaths["money"];
  /** Files that a later one makes superfluous. */
  #past: Page[] = [];
  #isTouched = false;

  /** @throws {DamageError} for an id that no journal of ours has */
  constructor(
    host: Pick<Host, "files" | "machine">,
    { known, money }: Pick<JournalPaths, "known" | "money">,
    id: string,
  ) {
    if (!/^[\w-]{1,64}$/.test(id)) throw new DamageError("it has no id");
    this.#host = host;
    this.#folder = join(dirname(known), "marks");
    this.#id = id;
    this.#money = money;
  }

  /** The epoch of the newest file, whatever its content; 0 where there is none. */
  async epoch(): Promise<number> {
    return (await this.#pages())[0]?.epoch ?? 0;
  }

  /**
   * The furthest mark; undefined where there is no valid one: the power may have failed before the first was on the
   * disk.
   * @throws {Failure} setup where one exists and can't be read, or is another user's
   */
  async read(): Promise<Mark | undefined> {
    const pages = await this.#pages();
    for (const [index, page] of pages.entries()) {
      const mark = await this.#readPage(page);
      // The last line of a file may not be on the disk yet; the one before it stays until there are more.
      this.#past = pages.slice(index + 2);
      if (mark !== undefined) return mark;
    }
    return undefined;
  }

  /**
   * True where another program changed the file since this one did, as far as `read` saw: a backup may have been
   * restored over it.
   */
  get isTouched(): boolean {
    return this.#isTouched;
  }

  /**
   * Checks that a mark can be added when an order is about to be sent, and removes files that are not needed any more.
   * @throws {Failure} setup
   */
  async prepare(mark: Pick<Mark, "epoch" | "number">): Promise<void> {
    const path = this.#path(pageOf(mark));
    try {
      await this.#host.files.makeFolder(this.#folder, folderMode);
      this.#host.files.append(path, "", false);
    } catch (error) {
      throw this.#unwritable(path, error);
    }
    for (const page of this.#past.splice(0)) await this.#host.files.remove(this.#path(page)).catch(() => undefined);
  }

  /**
   * Brings the mark up to date; it is on the disk when this returns.
   * @throws {Failure} setup
   */
  keep(mark: Mark): void {
    this.#add(mark, true);
  }

  /** The same for a mark that nothing depends on: it may reach the disk later, or not at all. */
  note(mark: Mark): void {
    try {
      this.#add(mark, false);
    } catch {
      // The next order reports it.
    }
  }

  #add(mark: Mark, isSynced: boolean): void {
    const path = this.#path(pageOf(mark));
    try {
      // A line that the power tore has no end: what follows it begins on a line of its own.
      const text = (changedMs: number) => `~ ${Math.floor(changedMs)}\n${this.#lineOf(mark)}\n`;
      this.#host.files.append(path, text, isSynced);
    } catch (error) {
      throw this.#unwritable(path, error);
    }
  }

  async #readPage(page: Page): Promise<Mark | undefined> {
    const path = this.#path(page);
    try {
      const facts = await this.#host.files.facts(path);
      if (facts === undefined) return undefined;
      this.#refuseStrange(path, facts);
      const text = new TextDecoder().decode(await this.#host.files.read(path, pageMaxBytes));
      const writtenMs = [...text.matchAll(/^~ (\d+)$/gm)].at(-1)?.[1];
      this.#isTouched = writtenMs !== undefined && facts.changedMs > Number(writtenMs) + ownChangeMs;
      return furthest(text.split("\n").flatMap((line) => this.#markIn(line, page) ?? []));
    } catch (error) {
      // A process that was further has removed it.
      if (await isGone(this.#host.files, path, error)) return undefined;
      const isTooLarge = error instanceof FileTooLarge;
      const reason = error instanceof Failure ? undefined : isTooLarge ? fileFailureOf(error) : reasonOf(error);
      throw reason === undefined
        ? error
        : this.#failure(path, `cannot be read: ${reason}`, "Make it readable for this user.", error);
    }
  }

  /** Refuses a file that another user may have put there, or changed: it says nothing about this user's orders. */
  #refuseStrange(path: string, facts: FileFacts): void {
    const { kind, ownerId } = facts;
    if (kind !== "file") throw this.#failure(path, "isn't a file", recoverHint);
    refuseOpenToAll(this.#host, { money: this.#money }, path, facts, "600");
    const { userId } = this.#host.machine;
    if (userId === undefined || ownerId === userId) return;
    throw this.#failure(path, "belongs to another user", `Give it to this one: chown ${userId} ${namePath(path)}`);
  }

  /** The newest first. */
  async #pages(): Promise<readonly Page[]> {
    const names = await this.#host.files.names(this.#folder);
    const pages = names.flatMap((name) => {
      const [, id, epoch, page] = /^([\w-]+)\.(\d+)\.(\d+)$/.exec(name) ?? [];
      return id === this.#id ? [{ epoch: Number(epoch), page: Number(page) }] : [];
    });
    return pages.toSorted((one, other) => other.epoch - one.epoch || other.page - one.page);
  }

  #path({ epoch, page }: Page): string {
    return join(this.#folder, `${this.#id}.${epoch}.${page}`);
  }

  #lineOf({ number, at, seal, seen, server, fact }: Mark): string {
    const { system, timeline } = server ?? { system: nothing, timeline: 0 };
    const decided = fact === undefined ? [] : [fact.number, fact.seal];
    const text = [number, at, seal === "" ? nothing : seal, seen, system, timeline, ...decided].join(" ");
    return `${text} ${this.#checksum(text)}`;
  }

  #markIn(line: string, { epoch }: Page): Mark | undefined {
    const [, text = "", number, at, seal = "", seen, system = "", timeline, factNumber, factSeal = "", checksum] =
      /^((\d+) (\d+) (\S+) (\d+) (\S+) (\d+)(?: (\d+) ([0-9a-f]{64}))?) ([0-9a-f]+)$/.exec(line) ?? [];
    if (checksum === undefined || checksum !== this.#checksum(text)) return undefined;
    const server = system === nothing ? undefined : { system, timeline: Number(timeline) };
    const known = seal === nothing ? "" : seal;
    const fact = factNumber === undefined ? undefined : { number: Number(factNumber), seal: factSeal };
    return { epoch, number: Number(number), at: Number(at), seal: known, seen: Number(seen), server, fact };
  }

  /** It covers the journal's id: lines of another journal are invalid. */
  #checksum(text: string): string {
    return sha256(`${this.#id} ${text}`).slice(0, checksumLength);
  }

  #unwritable(path: string, error: unknown): unknown {
    const reason = reasonOf(error);
    const hint =
      "Nothing was sent. Make it and its folder writable for this user, or name another folder with PARTNER_CONFIG_DIR.";
    return reason === undefined ? error : this.#failure(path, `cannot be written: ${reason}`, hint, error);
  }

  #failure(path: string, problem: string, hint: string, cause?: unknown): Failure {
    const message = `${namePath(path)}, which says how far this journal was when an order last left, ${problem}.`;
    return new Failure("setup", message, { hint, money: this.#money, cause });
  }
}

/** What to do where it isn't known how far a journal had got. */
export const recoverHint =
  "Nothing was sent. Read the statements for what the journal may not know: partner journal recover";

interface Page {
  readonly epoch: number;
  readonly page: number;
}

function pageOf({ epoch, number }: Pick<Mark, "epoch" | "number">): Page {
  return { epoch, page: Math.floor(number / eventsPerPage) };
}

/**
 * The furthest of these marks. Each process adds what it knows, so an earlier line may know more of rows, server and
 * decisions.
 */
function furthest(marks: readonly Mark[]): Mark | undefined {
  const last = marks.toSorted((one, other) => one.number - other.number).at(-1);
  if (last === undefined) return undefined;
  const seen = Math.max(...marks.map((mark) => mark.seen));
  const timelines = marks.flatMap(({ server }) =>
    server?.system === last.server?.system ? [server?.timeline ?? 0] : [],
  );
  const server = last.server === undefined ? undefined : { ...last.server, timeline: Math.max(...timelines) };
  const facts = marks.flatMap(({ fact }) => fact ?? []);
  const fact = facts.toSorted((one, other) => one.number - other.number).at(-1);
  return { ...last, seen, server, fact };
}
