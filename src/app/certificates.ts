import type { Host } from "../host/host.ts";
import { fileFailureOf } from "../host/files/file-reason.ts";
import { Failure } from "../values/failure.ts";
import { quote } from "../values/text/text.ts";

const certificatesMaxBytes = 4 * 1_048_576;

/**
 * The certificates of `--ca-cert FILE`, trusted in addition to the system's own.
 * @throws {Failure} usage when the file cannot be read or holds none
 */
export async function readCertificates(path: string | undefined, host: Host): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await host.files.read(path, certificatesMaxBytes).then(
    (bytes) => new TextDecoder().decode(bytes),
    (cause: unknown) => {
      throw new Failure("usage", `The file of --ca-cert ${quote(path)} cannot be read: ${fileFailureOf(cause)}.`, {
        hint: "Give it the path of a PEM file.",
        cause,
      });
    },
  );
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new Failure("usage", `The file of --ca-cert ${quote(path)} holds no certificate.`, {
    hint: "It should be PEM text with -----BEGIN CERTIFICATE----- in it.",
  });
}

/** The failure for a file in which a certificate is broken. */
export function unusableCertificates(path: string, cause: unknown): Failure {
  const why = cause instanceof Error ? `: ${cause.message}` : "";
  return new Failure("usage", `The file of --ca-cert ${quote(path)} cannot be used${why}.`, {
    hint: "Get the certificates again, or leave the broken one out.",
    cause,
  });
}
