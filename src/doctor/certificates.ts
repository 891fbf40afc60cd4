import type { Probe } from "../client/probe.ts";
import type { Host } from "../host/host.ts";
import { fileFailureOf } from "../host/files/file-reason.ts";
import { namePath } from "../values/text/path-name.ts";
import type { Check } from "./check.ts";
import { explain, ok, problem } from "./check.ts";

const certificatesMaxBytes = 4 * 1_048_576;
/** Variables that name a file of additional certificates. */
const variables = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"] as const;

/** The check of the trusted certificates, and a probe that trusts them where they can be used. */
export interface Trusted {
  readonly check: Check;
  readonly probe: Probe | undefined;
}

/**
 * Tries both ways to add certificates, variables and `--ca-cert`. Node itself goes on without a file that it cannot
 * read.
 */
export async function checkCertificates(
  host: Host,
  open: () => Promise<Probe>,
  file: string | undefined,
): Promise<Trusted> {
  const check = "certificates";
  const named = variables.flatMap((variable) => {
    const path = host.environment[variable] ?? "";
    return path === "" ? [] : [{ variable, path }];
  });
  const reasons = await Promise.all(named.map((each) => reasonIn(host, each)));
  const reason = reasons.find((each) => each !== undefined);
  try {
    const probe = await open();
    if (reason !== undefined) return { check: problem(check, reason), probe };
    const added = [
      ...named.map(({ variable, path }) => `${namePath(path)} (${variable})`),
      ...(file === undefined ? [] : [`${namePath(file)} (--ca-cert)`]),
    ];
    return { check: ok(check, ["Node's own", "the system's", ...added].join(", ")), probe };
  } catch (error) {
    return { check: problem(check, explain(error)), probe: undefined };
  }
}

async function reasonIn(
  host: Host,
  { variable, path }: { readonly variable: string; readonly path: string },
): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await host.files.read(path, certificatesMaxBytes));
    return text.includes("-----BEGIN ") ? undefined : `${namePath(path)} of ${variable} holds no certificate.`;
  } catch (error) {
    return `${namePath(path)} of ${variable} cannot be read: ${fileFailureOf(error)}.`;
  }
}
