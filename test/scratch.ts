import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const roomNeededBytes = 4 * 2 ** 30;
/** PostgreSQL runs as a user of its own, who has to find its files in there. */
const traversable = 0o711;

/**
 * Gives a run of the tests, and all of its processes, one folder for everything temporary, and removes it at the end.
 * It is
 * in memory if there is room: losses by a power failure matter in no test, only losses with a process.
 */
export default function useScratchFolder(): () => void {
  const parent = process.env["TMPDIR"] === undefined && isQuick() ? memory : tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = /^partner-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(parent, name));
  }
  // A short name: messages with a long path are wrapped elsewhere.
  const folder = join(parent, `partner-${process.pid}`);
  remove(folder);
  mkdirSync(folder);
  chmodSync(folder, traversable);
  process.env["TMPDIR"] = folder;
  return () => remove(folder);
}

/** True where there is room in memory, and programs may be run from it: some tests write one. */
function isQuick(): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < roomNeededBytes) return false;
  const folder = mkdtempSync(join(memory, "partner-"));
  try {
    const program = join(folder, "program");
    writeFileSync(program, "", { mode: 0o700 });
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    remove(folder);
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // A killed test may have left a disk mounted in it: it stays.
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
