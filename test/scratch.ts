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
/** PostgreSQL runs as a user of its own, which has to find its files in there. */
const traversable = 0o711;

/**
 * Gives a run of the tests, and what it starts, one folder for all that is temporary, and removes it at the end. It lies
 * in memory where there is plenty: what is lost with the power matters in no test, only what is lost with a process.
 */
export default function useScratchFolder(): () => void {
  const parent = process.env["TMPDIR"] === undefined && isQuick() ? memory : tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = /^partner-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) remove(join(parent, name));
  }
  // A short name: what is said of a long path is wrapped elsewhere.
  const folder = join(parent, `partner-${process.pid}`);
  remove(folder);
  mkdirSync(folder);
  chmodSync(folder, traversable);
  process.env["TMPDIR"] = folder;
  return () => remove(folder);
}

/** True where there is room in memory, and programs may lie there: some tests write one. */
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
