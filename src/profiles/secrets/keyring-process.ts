/** A request to the keyring's process, as one JSON text on its stdin. */
export interface KeyringRequest {
  /** Where the package is installed. */
  readonly keyringPath: string;
  readonly service: string;
  readonly entry: string;
  /** Undefined to read the entry; null to remove it. */
  readonly secret?: string | null | undefined;
}

/** Its answer, as one JSON text on stdout. */
export interface KeyringAnswer {
  readonly secret?: string | null | undefined;
  readonly error?: string | undefined;
}

/**
 * The program that accesses the system's keyring, run by Node in a process of its own: a message bus that does not
 * answer blocks the calling thread for minutes, and a process with such a thread can't even exit. Only a separate
 * process can be killed after three seconds. On Linux, the secret-service store is chosen explicitly: the other one
 * loses everything at a restart of the machine.
 */
export const keyringProgram = `
const { stdin, stdout } = process;
const ask = ({ keyringPath, service, entry: name, secret }) => {
  const { Entry } = require(keyringPath);
  const entry = new Entry(service, name, { linux: { store: "secret-service" } });
  if (secret === undefined) {
    const bytes = entry.getSecret();
    return { secret: bytes === null ? null : Buffer.from(bytes).toString() };
  }
  if (secret === null) entry.deleteCredential();
  else entry.setSecret(Buffer.from(secret));
  return {};
};
let request = "";
stdin.setEncoding("utf8").on("data", (part) => (request += part)).on("end", () => {
  let answer;
  try {
    answer = ask(JSON.parse(request));
  } catch (error) {
    answer = { error: String(error.message) };
  }
  stdout.write(JSON.stringify(answer));
});
`;
