/** Protocol and ciphers below which nothing is agreed. */
export interface TlsFloor {
  readonly minVersion: "TLSv1.2" | "TLSv1.3";
  readonly ciphers: string;
}

/**
 * What TLS agrees to at least. Node takes both from its own options, and those from the environment (NODE_OPTIONS), which
 * may ask for more here, and never for less.
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
