import { join } from "node:path";
import type { Host } from "../../../host/host.ts";
import { explained, explainTemporary } from "../../../report/write-failures.ts";
import { Failure } from "../../../values/failure.ts";

/** The purpose of a signature, so that a signature for another purpose never counts as an approval. */
export const signatureNamespace = "partner-approval";
const program = "ssh-keygen";
/** A person may have to touch a key, or type a passphrase. */
const signTimeoutMs = 5 * 60_000;
const verifyTimeoutMs = 30_000;
const outputMaxBytes = 64 * 1024;
const privateMode = 0o600;

type Signing = Pick<Host, "run" | "files" | "signal">;

/**
 * Signs a text with the key in a file. If the file has only the public half, an agent or a hardware key signs.
 * @throws {Failure} setup
 */
export async function signText(host: Signing, text: string, keyFile: string): Promise<string> {
  const args = ["-Y", "sign", "-n", signatureNamespace, "-f", keyFile];
  const { exit, stdout } = await run(host, args, text, signTimeoutMs);
  const signature = new TextDecoder().decode(stdout);
  if (exit === 0 && signature.startsWith("-----BEGIN SSH SIGNATURE-----")) return signature;
  throw new Failure("setup", `${program} did not sign; nothing was decided.`, {
    hint: "Check the key and its agent, or name another key of yours: --key FILE.",
    money: "not moved",
  });
}

/**
 * True where one of these keys signed exactly this text.
 * @param signers lines of an `allowed_signers` file
 * @param principal the signer's name in that file
 * @throws {Failure} setup where it cannot be checked
 */
export async function isSignedBy(
  host: Signing,
  { text, signature }: { readonly text: string; readonly signature: string },
  { signers, principal }: { readonly signers: string; readonly principal: string },
): Promise<boolean> {
  const folder = await explained(() => host.files.temporaryFolder(), explainTemporary);
  try {
    const [allowed, file] = [join(folder.path, "signers"), join(folder.path, "signature")];
    await write(host, allowed, signers);
    await write(host, file, signature);
    const args = ["-Y", "verify", "-n", signatureNamespace, "-I", principal, "-f", allowed, "-s", file];
    return (await run(host, args, text, verifyTimeoutMs, true)).exit === 0;
  } finally {
    await folder.remove();
  }
}

/**
 * Writes a file that only this user can read.
 * @param explain by default for a file in a temporary folder
 */
export async function write(
  { files }: Pick<Host, "files">,
  path: string,
  text: string,
  explain = explainTemporary,
): Promise<void> {
  await explained(async () => {
    const draft = await files.draft(path, privateMode);
    await draft.write(text);
    await draft.commit();
  }, explain);
}

async function run(host: Signing, args: readonly string[], input: string, timeoutMs: number, capturesErrors = false) {
  const limits = { timeoutMs, maxBytes: outputMaxBytes, signal: host.signal, capturesErrors };
  return host.run({ command: program, args, input, streams: "capture", ...limits }).catch((cause: unknown) => {
    throw new Failure("setup", `${program} cannot be run.`, {
      hint: "Signatures need OpenSSH 8.2 or later: install its client.",
      money: "not moved",
      cause,
    });
  });
}
