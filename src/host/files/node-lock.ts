import { promises, readlinkSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { newDraftName } from "./stale-temp-files.ts";
import { randomName } from "./random-name.ts";
import { codeOf } from "../system-error.ts";
import { elapsedMs } from "../process/elapsed-ms.ts";

const shortestPollMs = 5;
const longestPollMs = 50;
/**
 * A holder writes its identity at once: a lock without one after this time is another program's file, or was left
 * incomplete.
 */
const muteMaxMs = 2_000;

/** The lock was not released in time, or will never be. */
export class LockTimeout extends Error {
  override readonly name = "LockTimeout";
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly token: string;
}

/**
 * A lock is a file that only one process can create, and touches while it runs. The lock counts as abandoned when its
 * process on this machine is gone, or when it was not touched for `staleMs`.
 * @throws {LockTimeout} after `waitMs`, or at once where the file names no holder
 */
export async function takeLock(
  path: string,
  limits: { readonly waitMs: number; readonly staleMs: number },
): Promise<() => Promise<void>> {
  const started = elapsedMs();
  for (let pollMs = shortestPollMs; ; pollMs = Math.min(pollMs * 2, longestPollMs)) {
    const release = await createLock(path, limits.staleMs);
    if (release !== undefined) return release;
    if (await clearAbandoned(path, limits.staleMs)) continue;
    if (elapsedMs() - started >= limits.waitMs || (await isMute(path))) throw await timeoutOf(path, limits.waitMs);
    await pause(pollMs * (0.5 + Math.random() / 2));
  }
}

/** The function that releases the lock, or undefined where another process has it. */
async function createLock(path: string, staleMs: number): Promise<(() => Promise<void>) | undefined> {
  const holder: Holder = { pid: process.pid, host: thisHost(), token: randomName() };
  const file = await placeLock(path, JSON.stringify(holder));
  if (file === undefined) return undefined;
  const touch = () => void file.utimes(new Date(), new Date()).catch(() => undefined);
  const heartbeat = setInterval(touch, staleMs / 4).unref();
  return async () => {
    clearInterval(heartbeat);
    await file.close();
    if ((await readHolder(path))?.token === holder.token) await removeQuietly(path);
  };
}

/**
 * Links a complete file as the lock, so that a process that is killed meanwhile leaves no empty lock. Without hard
 * links, the lock is written in place. A process that waits for an existing lock writes nothing.
 */
async function placeLock(path: string, text: string): Promise<FileHandle | undefined> {
  if (await exists(path)) return undefined;
  const draft = join(dirname(path), newDraftName());
  const file = await writeNew(draft, text);
  try {
    await promises.link(draft, path);
    return file;
  } catch (error) {
    await file?.close();
    return isTaken(error) ? undefined : await writeNew(path, text);
  } finally {
    await removeQuietly(draft);
  }
}

async function exists(path: string): Promise<boolean> {
  return promises.access(path).then(
    () => true,
    () => false,
  );
}

async function writeNew(path: string, text: string): Promise<FileHandle | undefined> {
  const file = await createExclusively(path);
  try {
    await file?.writeFile(text);
    return file;
  } catch (error) {
    await file?.close();
    await removeQuietly(path);
    throw error;
  }
}

/**
 * Removes an abandoned lock; true where the next try may succeed. Only one process at a time may check and remove:
 * otherwise a slow process would remove a fast one's new lock.
 */
async function clearAbandoned(path: string, staleMs: number): Promise<boolean> {
  if (!(await isAbandoned(path, staleMs))) return false;
  const judge = `${path}.takeover`;
  const file = await createExclusively(judge);
  if (file === undefined) {
    if (await isUntouched(judge, staleMs)) await removeQuietly(judge);
    return false;
  }
  try {
    if (!(await isAbandoned(path, staleMs))) return false;
    await removeQuietly(path);
    // A folder of that name, or a file that must not be removed, stays.
    return !(await exists(path));
  } finally {
    await file.close();
    await removeQuietly(judge);
  }
}

async function isAbandoned(path: string, staleMs: number): Promise<boolean> {
  const holder = await readHolder(path);
  if (holder !== undefined && holder.host === thisHost() && !isAlive(holder.pid)) return true;
  return isUntouched(path, staleMs);
}

/** True where waiting is useless: the file names no holder. */
async function isMute(path: string): Promise<boolean> {
  return (await isUntouched(path, muteMaxMs)) && (await readHolder(path)) === undefined;
}

async function isUntouched(path: string, staleMs: number): Promise<boolean> {
  try {
    return Date.now() - (await promises.stat(path)).mtimeMs > staleMs;
  } catch {
    return false;
  }
}

/** Undefined for an empty lock, too: without hard links, it may have been created a moment ago. */
async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const value: unknown = JSON.parse(await promises.readFile(path, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    const { pid, host, token } = value as Partial<Record<string, unknown>>;
    if (typeof pid !== "number" || typeof host !== "string" || typeof token !== "string") return undefined;
    return { pid, host, token };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** The machine, and on Linux the process namespace: two containers may share a host name, but not their processes. */
function thisHost(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

async function createExclusively(path: string): Promise<FileHandle | undefined> {
  try {
    return await promises.open(path, "wx", 0o600);
  } catch (error) {
    if (isTaken(error)) return undefined;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return codeOf(error) === "EEXIST";
}

async function removeQuietly(path: string): Promise<void> {
  await promises.unlink(path).catch(() => undefined);
}

async function timeoutOf(path: string, waitMs: number): Promise<LockTimeout> {
  const holder = await readHolder(path);
  if (holder === undefined) return new LockTimeout(`${path} does not say who has it`);
  const who = `process ${holder.pid} on ${holder.host.split(" ")[0]}`;
  return new LockTimeout(`${path} is locked by ${who}; it was not given up within ${waitMs} ms`);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
