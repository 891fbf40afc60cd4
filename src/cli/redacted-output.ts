import type { Output } from "../host/host.ts";
import { withoutSecrets } from "../values/text/without-secrets.ts";
import { alteredOutput } from "./altered-output.ts";

/**
 * An output that never shows a secret, wherever the text came from: the transcript, an error of the service that quotes
 * our own header, a library. Secrets are added to the set when they are first looked up.
 */
export function redacting(output: Output, secrets: ReadonlySet<string>): Output {
  return alteredOutput(output, (text) => withoutSecrets(text, secrets));
}
