/** A name that nobody can guess and nobody else has. Loads the cryptography, which costs a start 5 ms, only now. */
export function randomName(): string {
  return process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex");
}
