import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../memory-host.ts";

/** Zones in which a day that is kept as a moment would become another day. */
export const zones = ["Pacific/Auckland", "America/Los_Angeles", "Africa/Dar_es_Salaam"];

/** Undefined where the program is here; else why a test that needs it is skipped. */
export function lacks(program: string, ...trial: readonly string[]): string | undefined {
  const { error, status } = spawnSync(program, trial);
  return error !== undefined || (trial.length > 0 && status !== 0) ? `needs ${program}` : undefined;
}

export interface Heard {
  readonly exit: number | null;
  readonly said: string;
}

/** Has a program read a file that holds this text; `FILE` among its words stands for the file. */
export function readWith(command: readonly string[], text: string, ending: string, zone = "UTC"): Heard {
  const path = join(temporaryFolder(), `statement.${ending}`);
  writeFileSync(path, text);
  const [program = "", ...words] = command.map((word) => (word === "FILE" ? path : word));
  const options = { encoding: "utf8", env: { PATH: process.env["PATH"], TZ: zone, LC_ALL: "C.UTF-8" } } as const;
  const { status, stdout, stderr } = spawnSync(program, words, options);
  return { exit: status, said: `${stdout}${stderr}` };
}
