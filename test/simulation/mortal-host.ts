import type { DatabaseSync } from "node:sqlite";
import type { Files } from "../../src/host/files/files.ts";
import type { WiredHost } from "../../src/host/host.ts";
import type { Transport } from "../../src/host/http/transport.ts";
import type { TownDisk } from "./town-disk.ts";

/** Thrown by everything that a killed process touches. */
class Died extends Error {
  override readonly name = "Died";
}

/**
 * A process that ends at a given step, as if killed: from then on it reaches neither disk nor network, and uncommitted
 * changes are lost. Each call of the database, the files and the wire is a step.
 */
export class Life {
  readonly #endsAt: number;
  readonly #onDeath: () => void;
  readonly #databases: DatabaseSync[] = [];
  /** Releases its locks for others: the lock of a killed process can be taken over. */
  readonly #releases: (() => Promise<void>)[] = [];
  #steps = 0;

  constructor(endsAt: number, onDeath: () => void) {
    this.#endsAt = endsAt;
    this.#onDeath = onDeath;
  }

  get steps(): number {
    return this.#steps;
  }

  get isOver(): boolean {
    return this.#steps >= this.#endsAt;
  }

  /** One step further, or the end. */
  step(): void {
    if (this.isOver) throw new Died("The process is no more");
    this.#steps += 1;
    if (!this.isOver) return;
    for (const database of this.#databases) if (database.isOpen) database.close();
    for (const release of this.#releases) void release();
    this.#onDeath();
    throw new Died("The process is no more");
  }

  /** The parts of a host that a process depends on. */
  host(disk: TownDisk, wire: Transport): Partial<WiredHost> {
    const open = (path: string, use: "create" | "existing") => {
      this.step();
      const database = disk.sqlite.open(path, use);
      this.#databases.push(database);
      return this.#guard(database, new Set<string>());
    };
    return {
      files: this.#guard({ ...disk.files, lock: this.#locker(disk.files) }, new Set(["spool"])),
      sqlite: () => Promise.resolve({ ...disk.sqlite, open }),
      transport: () =>
        Promise.resolve((request) => {
          this.step();
          return wire({ ...request, onSending: () => this.#send(request.onSending) });
        }),
    };
  }

  #locker(files: Files): Files["lock"] {
    return async (path, limits) => {
      const release = await files.lock(path, limits);
      this.#releases.push(release);
      if (this.isOver) await release();
      return release;
    };
  }

  /** Between a commit and the first byte there is a step of its own. */
  #send(onSending: (() => void) | undefined): void {
    this.step();
    onSending?.();
    this.step();
  }

  /** The same object with each call as a step; what it returns is guarded, too. */
  #guard<T extends object>(target: T, free: ReadonlySet<string>): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== "function") return member;
        return (...args: readonly unknown[]): unknown => {
          if (!free.has(String(name))) this.step();
          const result: unknown = Reflect.apply(member, target, args);
          return isStatement(result) ? this.#guard(result, new Set(["iterate"])) : result;
        };
      },
    });
  }
}

function isStatement(value: unknown): value is object {
  return typeof value === "object" && value !== null && "run" in value && "all" in value;
}
