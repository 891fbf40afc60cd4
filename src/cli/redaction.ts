import type { Output } from "../host/host.ts";
import { alteredOutput } from "./altered-output.ts";

/** Shorter ones would hide half of every text; a secret that short is refused where it is stored. */
const redactedMinChars = 4;

/**
 * An output that never shows a secret, wherever the text came from: the transcript, an error of the service that quotes
 * our own header, a library. Secrets join the set when they are first looked up.
 */
export function redacting(output: Output, secrets: ReadonlySet<string>): Output {
  return alteredOutput(output, (text) => redact(text, secrets));
}

function redact(text: string, secrets: ReadonlySet<string>): string {
  let clean = text;
  for (const secret of secrets)
    for (const form of formsOf(secret)) if (clean.includes(form)) clean = clean.replaceAll(form, "[secret]");
  return clean;
}

/** A secret as it is, and as it looks inside of a JSON text, which may escape slashes, or a URL. */
function formsOf(secret: string): readonly string[] {
  if (secret.length < redactedMinChars) return [];
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, inJson.replaceAll("/", String.raw`\/`), encodeURIComponent(secret)])];
}
