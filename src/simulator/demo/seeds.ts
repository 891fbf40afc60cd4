import { decodeJson } from "../../contract/wire.ts";
import type { Files } from "../../host/files/files.ts";
import { Failure } from "../../values/failure.ts";
import { parseMoment } from "../../values/time/instant.ts";
import { demoSeed, emptySeed } from "./demo.ts";
import type { Seed } from "./seed.ts";
import { firstFault, seedSchema } from "./seed.ts";
import { startFailure } from "../start-failures.ts";

const seedMaxBytes = 64 * 1024 * 1024;

/**
 * The initial world, by name or from a file: `demo` is a business with more than a month of statements up to now,
 * `empty` has the same accounts without rows.
 * @throws {Failure} usage
 */
export async function loadSeed(files: Files, name: string, seedNumber: number, nowMs: number): Promise<Seed> {
  if (name === "demo") return demoSeed(seedNumber, nowMs);
  if (name === "empty") return emptySeed();
  const result = seedSchema.safeParse(await readDocument(files, name));
  if (result.success) return result.data;
  throw unusable(name, firstFault(result.error));
}

/**
 * The time of a seed's last row, in milliseconds since 1970 UTC. A clock must not start before it, or new rows would be
 * older than existing ones.
 */
export function lastMoment(seed: Seed): number {
  let last = Number.NEGATIVE_INFINITY;
  for (const { entries } of [...seed.wallets, ...seed.accounts]) {
    for (const { valueDate } of entries) {
      if (typeof valueDate === "string") last = Math.max(last, parseMoment(valueDate) ?? last);
    }
  }
  return last;
}

async function readDocument(files: Files, path: string): Promise<unknown> {
  try {
    return decodeJson(new TextDecoder("utf-8", { fatal: true }).decode(await files.read(path, seedMaxBytes)));
  } catch (error) {
    throw unusable(path, startFailure(error));
  }
}

function unusable(path: string, problem: string): Failure {
  return new Failure("usage", `The seed ${path} can't be used: ${problem}.`, {
    hint: "Use one that is built in: partner simulator start --seed demo (or empty).",
  });
}
