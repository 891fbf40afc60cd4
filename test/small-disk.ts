import { spawnSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./memory-host.ts";

/** A disk that is full after a few KiB. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all the room that is left, and gives it back. */
  fill(): void;
  empty(): void;
  /** Makes it a larger one. */
  grow(kib: number): void;
  remove(): void;
}

/** Why a test is left out where there is none. */
export const noSmallDisk = "needs root and Linux, to mount a disk of a few KiB";

/** In memory; it goes with the test at the latest. Undefined where none can be mounted. */
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
