import { randomBytes } from "../process/random-bytes.ts";

/** A name that is unique and can't be guessed. */
export function randomName(): string {
  return randomBytes(16).toString("hex");
}
