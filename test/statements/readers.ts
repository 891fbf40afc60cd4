import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";

/** Time zones in which a day stored as a moment would become another day. */
export const zones = ["Pacific/Auckland", "America/Los_Angeles", "Africa/Dar_es_Salaam"];

/** Undefined if the program is installed; otherwise the reason to skip the test. */
export function lacks(program: string, ...trial: readonly string[]): string | undefined {
  const { error, status } = spawnSync(program, trial);
  return error !== undefined || (trial.length > 0 && status !== 0) ? `needs ${program}` : undefined;
}

export interface Heard {
  readonly exit: number | null;
  readonly said: string;
}

/** Runs a program on a file with this text; `FILE` among its words is replaced by the file's path. */
export function readWith(command: readonly string[], text: string, ending: string, zone = "UTC"): Heard {
  const path = join(temporaryFolder(), `statement.${ending}`);
  writeFileSync(path, text);
  const [program = "", ...words] = command.map((word) => (word === "FILE" ? path : word));
  const options = { encoding: "utf8", env: { PATH: process.env["PATH"], TZ: zone, LC_ALL: "C.UTF-8" } } as const;
  const { status, stdout, stderr } = spawnSync(program, words, options);
  return { exit: status, said: `${stdout}${stderr}` };
}
