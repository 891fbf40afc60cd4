import { randomBytes } from "../process/random-bytes.ts";

/** A name that nobody can guess and nobody else has. */
export function randomName(): string {
  return randomBytes(16).toString("hex");
}
