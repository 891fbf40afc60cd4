/** The lowest protocol version and the ciphers that TLS may use. */
export interface TlsFloor {
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
  readonly ciphers: string;
}

/**
 * The lowest version and the ciphers that TLS accepts. Node reads its defaults from NODE_OPTIONS as well, which may
 * make them stricter here, but never weaker.
 */
export function tlsFloor(): TlsFloor {
  const { DEFAULT_MIN_VERSION: wanted, DEFAULT_CIPHERS: offered } = process.getBuiltinModule("node:tls");
  const { constants } = process.getBuiltinModule("node:crypto");
  const core = constants.defaultCoreCipherList.split(":");
  const kept = offered.split(":").filter((cipher) => core.includes(cipher));
  const never = core.filter((cipher) => cipher.startsWith("!"));
  const ciphers = kept.some((cipher) => !cipher.startsWith("!")) ? [...new Set([...kept, ...never])] : core;
  return { minVersion: wanted === "TLSv1.3" ? "TLSv1.3" : "TLSv1.2", ciphers: ciphers.join(":") };
}
