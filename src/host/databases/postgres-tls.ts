import type { SecureContext } from "node:tls";
import type { PostgresTls } from "./postgres.ts";
import { ownCodes, PostgresError } from "./postgres.ts";
import { tlsFloor } from "../http/trust/tls-floor.ts";
import { trustBesides, trustOfSystem } from "../http/trust/certificates.ts";

const strictly = { rejectUnauthorized: true } as const;

/** TLS for a connection to PostgreSQL. */
export type TlsOptions = ReturnType<typeof tlsOptions> | ReturnType<typeof tlsOfSystem>;

/**
 * The certificate and its name are always checked, despite NODE_TLS_REJECT_UNAUTHORIZED and NODE_OPTIONS.
 * @throws {PostgresError} where the extra certificates contain none, or a broken one
 */
export function tlsOptions({ extraCertificates, own }: PostgresTls) {
  if (extraCertificates === undefined) return { ...strictly, ...tlsFloor(), ...ownOptions(own) };
  return withTrust(own, () => trustBesides(extraCertificates, ownOptions(own)));
}

/**
 * With the system's certificates besides the given ones.
 * @throws {PostgresError} as `tlsOptions`
 */
export function tlsOfSystem({ extraCertificates, own }: PostgresTls) {
  return withTrust(own, () => trustOfSystem(extraCertificates, process.env, ownOptions(own)));
}

function withTrust(own: PostgresTls["own"], context: () => SecureContext) {
  try {
    return { ...strictly, ...tlsFloor(), ...ownOptions(own), secureContext: context() };
  } catch (error) {
    throw new PostgresError("refused", error instanceof Error ? error.message : "", ownCodes.noTrust, error);
  }
}

function ownOptions(own: PostgresTls["own"]): { readonly cert?: string; readonly key?: string } {
  return own === undefined ? {} : { cert: own.certificate, key: own.key };
}
