import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { SecureContext } from "node:tls";
import { tlsFloor } from "./tls-floor.ts";

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";
const fileMaxBytes = 4 * 1_048_576;

/** The variable that names a file of certificates, as for OpenSSL and programs built on it. */
const fileVariable = "SSL_CERT_FILE";

/** What a client shows of itself, where it has to. */
interface OwnCertificate {
  readonly cert?: string;
  readonly key?: string;
}

/**
 * What TLS trusts: Node's own certificates, those of NODE_EXTRA_CA_CERTS, and these.
 * @param own this client's certificate and key, where it has one
 * @throws {Error} where the text holds no certificate, or a broken one
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

/** A context that trusts so many takes milliseconds to make, and is the same for each connection. */
let latest: { readonly text: string; readonly context: SecureContext } | undefined;

/**
 * The same, and the certificates of the system: its store, and the file of SSL_CERT_FILE. They are looked up where a
 * server can't be proved without them, since that takes longer than a request.
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

/** A store that can't be read vouches for no server, and the connection fails as it would have. */
function storeOfSystem(): string[] {
  try {
    return process.getBuiltinModule("node:tls").getCACertificates("system");
  } catch {
    return [];
  }
}

/** As for OpenSSL, a file that can't be read and a block that is damaged add nothing. */
function certificatesIn(path: string): string[] {
  if (path === "") return [];
  try {
    const { size } = statSync(path);
    return size > fileMaxBytes ? [] : blocksIn(readFileSync(path, "latin1"));
  } catch {
    return [];
  }
}

/** TLS itself would silently ignore a block that it cannot read. */
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
/** From the first word of each to its last. */
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
