import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { SecureContext } from "node:tls";
import { tlsFloor } from "./tls-floor.ts";

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";
const fileMaxBytes = 4 * 1_048_576;

/** The variable that names a file of certificates, as for OpenSSL and programs built on it. */
const fileVariable = "SSL_CERT_FILE";

/** The client's own certificate and key, where a server requires them. */
interface OwnCertificate {
  readonly cert?: string;
  readonly key?: string;
}

/**
 * What TLS trusts: Node's own certificates, those of NODE_EXTRA_CA_CERTS, and these.
 * @param own this client's certificate and key, where it has one
 * @throws {Error} where the text has no certificate, or a broken one
 */
export function trustBesides(extraCertificates: string, own: OwnCertificate = {}): SecureContext {
  const tls = process.getBuiltinModule("node:tls");
  const ca = [...tls.getCACertificates("default"), ...splitPem(extraCertificates)];
  const trusted = { ca, ...tlsFloor() };
  if (own.cert !== undefined || own.key !== undefined) return tls.createSecureContext({ ...trusted, ...own });
  const text = JSON.stringify(trusted);
  if (latest?.text !== text) latest = { text, context: tls.createSecureContext(trusted) };
  return latest.context;
}

/**
 * The last context: with so many certificates it takes milliseconds to create, and it is the same for each connection.
 */
let latest: { readonly text: string; readonly context: SecureContext } | undefined;

/**
 * The same plus the system's certificates: its store, and the file of SSL_CERT_FILE. They are loaded only where a
 * server can't be verified without them, since loading takes longer than a request.
 */
export function trustOfSystem(
  extraCertificates: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
  own: OwnCertificate = {},
): SecureContext {
  const tls = process.getBuiltinModule("node:tls");
  const ca = [
    ...tls.getCACertificates("default"),
    ...storeOfSystem(),
    ...certificatesIn(environment[fileVariable] ?? ""),
    ...(extraCertificates === undefined ? [] : splitPem(extraCertificates)),
  ];
  return tls.createSecureContext({ ca, ...tlsFloor(), ...own });
}

/** A store that can't be read adds nothing, and the connection fails as before. */
function storeOfSystem(): string[] {
  try {
    return process.getBuiltinModule("node:tls").getCACertificates("system");
  } catch {
    return [];
  }
}

/** As with OpenSSL, a file that can't be read adds nothing, nor does a damaged block. */
function certificatesIn(path: string): string[] {
  if (path === "") return [];
  try {
    const { size } = statSync(path);
    return size > fileMaxBytes ? [] : blocksIn(readFileSync(path, "latin1"));
  } catch {
    return [];
  }
}

/** Checks each block: TLS itself would silently ignore one that it can't read. */
function splitPem(text: string): string[] {
  const blocks = blocksIn(text);
  if (blocks.length === 0)
    throw new Error("There is no certificate in it: a line -----BEGIN CERTIFICATE----- is missing");
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block).toString();
    } catch (cause) {
      throw new Error(`Certificate ${index + 1} of ${blocks.length} in it is damaged`, { cause });
    }
  });
}
/** Every PEM block, from its BEGIN to its END line. */
function blocksIn(text: string): string[] {
  const blocks: string[] = [];
  for (let from = text.indexOf(begin); from >= 0; from = text.indexOf(begin, from)) {
    const last = text.indexOf(end, from);
    if (last < 0) break;
    blocks.push(text.slice(from, last + end.length));
    from = last + end.length;
  }
  return blocks;
}
