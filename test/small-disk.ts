import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./memory-host.ts";

/** A disk that is full after a few KiB. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all the remaining room, and returns it. */
  fill(): void;
  empty(): void;
  /** Makes it larger. */
  grow(kib: number): void;
  remove(): void;
}

/** Why a test is skipped without one. */
export const noSmallDisk = "needs root and Linux, to mount a disk of a few KiB";

/** In memory; it is removed with the test at the latest. Undefined if none can be mounted. */
export function smallDisk(kib: number): SmallDisk | undefined {
  const folder = temporaryFolder();
  const mount = (...options: readonly string[]) => spawnSync("mount", [...options, folder]).status === 0;
  if (process.platform !== "linux" || !mount("-t", "tmpfs", "-o", `size=${kib}k`, "tmpfs")) return undefined;
  const remove = () => void spawnSync("umount", ["--lazy", folder]);
  onTestFinished(remove);
  const ballast = join(folder, "ballast");
  return {
    folder,
    remove,
    fill() {
      const file = openSync(ballast, "w");
      try {
        for (;;) writeSync(file, Buffer.alloc(4096));
      } catch {
        closeSync(file);
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    grow: (larger) => void mount("-o", `remount,size=${larger}k`),
  };
}
