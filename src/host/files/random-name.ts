import { randomBytes } from "../process/random-bytes.ts";

/** A unique name that can't be guessed: 32 hexadecimal digits. */
export function randomName(): string {
  return randomBytes(16).toString("hex");
}
