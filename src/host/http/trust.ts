import { X509Certificate } from "node:crypto";
import type { SecureContext } from "node:tls";
import { tlsFloor } from "./tls-floor.ts";

const begin = "-----BEGIN CERTIFICATE-----";
const end = "-----END CERTIFICATE-----";

/**
 * What TLS trusts: the system's certificates, those of NODE_EXTRA_CA_CERTS, and these.
 * @param own this client's certificate and key, where it has one
 * @throws {Error} where the text holds no certificate, or a broken one
 */
export function trustBesides(
  extraCertificates: string,
  own: { readonly cert?: string; readonly key?: string } = {},
): SecureContext {
  const tls = process.getBuiltinModule("node:tls");
  const ca = [...tls.getCACertificates("default"), ...splitPem(extraCertificates)];
  return tls.createSecureContext({ ca, ...tlsFloor(), ...own });
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
