import { webhookMaxBytes } from "../../contract/webhooks/envelope.ts";
import type { WebhookKey } from "../../contract/webhooks/key.ts";
import { FileTooLarge } from "../../host/files/files.ts";
import { fileFailureOf } from "../../host/files/file-reason.ts";
import { Failure, interruption } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import type { Examination, Tolerance } from "../../webhooks/verify/examination.ts";
import { examineWebhook } from "../../webhooks/verify/examination.ts";
import type { ExaminedFile } from "../../webhooks/verify/verification-report.ts";
import type { Session } from "../session.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const wanted = "Name a file that holds the body of a webhook, or - for stdin: partner webhook verify body.json";

/** What webhooks are verified with. */
export interface Verifier {
  readonly keys: readonly WebhookKey[];
  readonly tolerance: Tolerance | undefined;
}

/**
 * The body in a file, `-` for stdin; undefined for one that is larger than any webhook.
 * @throws {Failure} usage when it cannot be read
 */
export async function readBody(path: string, { host }: Session): Promise<Uint8Array | undefined> {
  try {
    return await (path === "-" ? host.stdin.read(webhookMaxBytes) : host.files.read(path, webhookMaxBytes));
  } catch (cause) {
    if (cause instanceof FileTooLarge) return undefined;
    if (cause instanceof Failure) throw cause;
    const hint = "Name a file that exists and that you may read, or - for stdin.";
    throw new Failure("usage", `${fileName(path)} cannot be read: ${fileFailureOf(cause)}.`, { hint, cause });
  }
}

/**
 * The text of a payload, `-` for stdin, to the last byte: a byte order mark stays, too.
 * @throws {Failure} usage when it cannot be read
 */
export async function readPayload(path: string, session: Session): Promise<string> {
  const bytes = await readBody(path, session);
  try {
    if (bytes !== undefined) return utf8.decode(bytes);
  } catch {
    // Reported below.
  }
  const problem = bytes === undefined ? "it is larger than 1 MiB" : "it is not UTF-8";
  throw new Failure("usage", `${fileName(path)} cannot be sent: ${problem}.`, {
    hint: "Name a file that holds a payload: the JSON document that webhook verify prints.",
  });
}

/** The verdict on a body; undefined means a body that is too large. */
export function examineBody(body: Uint8Array | undefined, { keys, tolerance }: Verifier): Examination {
  return body === undefined ? tooLarge : examineWebhook(body, keys, tolerance);
}

/**
 * Reads and verifies files, one after the other: an unreadable one is reported and does not stop the others.
 * @throws {Failure} interrupted
 */
export async function* examineFiles(
  paths: readonly string[],
  session: Session,
  verifier: Verifier,
): AsyncGenerator<ExaminedFile> {
  for (const path of paths) {
    if (session.host.signal.aborted) throw interruption(session.host.signal);
    const body = await readBody(path, session).catch((error: unknown) => {
      if (error instanceof Failure && error.ending !== "interrupted") return error;
      throw error;
    });
    yield { name: fileName(path), outcome: body instanceof Failure ? body : examineBody(body, verifier) };
  }
}

/** The name of a file in a sentence. */
export function fileName(path: string): string {
  return path === "-" ? "stdin" : visible(path);
}

/** The failure for a command line that names no file, with nothing on stdin either. */
export function nothingToVerify(): Failure {
  return new Failure("usage", "There is nothing to verify.", { hint: wanted });
}

const tooLarge: Examination = {
  verdict: "bad body",
  why: "It is larger than 1 MiB; no webhook is that large.",
  hint: "Save the body of one request.",
};
