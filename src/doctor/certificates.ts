import type { Host } from "../host/host.ts";
import type { Transport } from "../host/http/transport.ts";
import { fileFailureOf } from "../profiles/settings/file-failures.ts";
import { namePath } from "../values/text/path-name.ts";
import type { Check } from "./check.ts";
import { explain, ok, problem } from "./check.ts";

const certificatesMaxBytes = 4 * 1_048_576;
const variable = "NODE_EXTRA_CA_CERTS";

/** Whose certificates are believed besides the usual ones, and the wire, if it can be opened with them. */
export interface Trusted {
  readonly check: Check;
  readonly wire: Transport | undefined;
}

/** Tries both ways to add certificates. Node itself would go on without the ones that it cannot read. */
export async function checkCertificates(
  host: Host,
  open: () => Promise<Transport>,
  file: string | undefined,
): Promise<Trusted> {
  const check = "certificates";
  const extra = host.environment[variable] ?? "";
  const trouble = extra === "" ? undefined : await troubleIn(host, extra);
  try {
    const wire = await open();
    if (trouble !== undefined) return { check: problem(check, trouble), wire };
    const added = [
      ...(extra === "" ? [] : [`${namePath(extra)} (${variable})`]),
      ...(file === undefined ? [] : [`${namePath(file)} (--ca-cert)`]),
    ];
    return { check: ok(check, ["the ones that Node knows", ...added].join(", ")), wire };
  } catch (error) {
    return { check: problem(check, explain(error)), wire: undefined };
  }
}

async function troubleIn(host: Host, path: string): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await host.files.read(path, certificatesMaxBytes));
    return text.includes("-----BEGIN ") ? undefined : `${namePath(path)} of ${variable} holds no certificate.`;
  } catch (error) {
    return `${namePath(path)} of ${variable} cannot be read: ${fileFailureOf(error)}.`;
  }
}
