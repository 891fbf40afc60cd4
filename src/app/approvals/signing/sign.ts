import { isAbsolute, join, resolve } from "node:path";
import type { Approvals } from "../../../approvals/approvals.ts";
import type { SubmittedBatch } from "../../../approvals/submitted-batch.ts";
import type { SigningKey } from "../../../approvals/signing/key-store.ts";
import { anyText, option, toggle } from "../../../cli/line/input.ts";
import { configFolder, makeFolder } from "../../../profiles/folders.ts";
import { fileFailure } from "../../../profiles/settings/file-failures.ts";
import { explained, explainTemporary } from "../../../report/write-failures.ts";
import { Failure } from "../../../values/failure.ts";
import type { Session } from "../../session.ts";
import { isDemanded } from "./signed-decisions.ts";
import { isSignedBy, signText, write } from "./ssh-keygen.ts";
import { principal, signersOf } from "./signers.ts";

const pathMaxBytes = 16 * 1024;

/** How a checker signs an approval. */
export const signFlags = {
  sign: toggle({ summary: "Sign the approval with your SSH key, also one in hardware.", group: "four eyes" }),
  key: option({
    value: "FILE",
    summary: "The key to sign with (default: the file that approvals key add was given).",
    group: "four eyes",
    read: anyText,
  }),
} as const;

/**
 * The signature of a batch's digest, by a registered key of the person who decides.
 * @throws {Failure} setup | usage
 */
export async function signApproval(
  { digest }: SubmittedBatch,
  approvals: Approvals,
  keyFile: string | undefined,
  session: Session,
): Promise<string> {
  const own = (await approvals.keys.list()).filter(({ isMine, removed }) => isMine && removed === undefined);
  if (own.length === 0) throw notRegistered();
  const signature = await signedWith(digest, own, keyFile ?? (await rememberedKey(session)), session);
  if (await isSignedBy(session.host, { text: digest, signature }, { signers: signersOf(own), principal }))
    return signature;
  throw notRegistered();
}

/**
 * @param key of `--key`
 * @throws {Failure} usage where an approval without --sign has to be signed, or has a --key
 */
export async function refuseUnsigned(
  submitted: SubmittedBatch,
  approvals: Approvals,
  key: string | undefined,
): Promise<void> {
  const isNeeded = await isDemanded(approvals, submitted);
  if (!isNeeded && key === undefined) return;
  const why = isNeeded ? "The rules ask for signed approvals" : "--key works only with --sign";
  throw new Failure("usage", `${why}; nothing was decided.`, { hint: "Add --sign.", money: "not moved" });
}

/**
 * Stores the path of a person's key, so that it need not be named each time.
 * @throws {Failure} setup
 */
export async function rememberKey(path: string, session: Session): Promise<void> {
  const folder = configFolder(session.host);
  await makeFolder(session.host, folder);
  const own = join(folder, fileName);
  await write(session.host, own, `${resolve(path)}\n`, (error) => fileFailure("write", own, error));
}

const fileName = "approval-key";

async function rememberedKey({ host }: Session): Promise<string | undefined> {
  const path = join(configFolder(host), fileName);
  if ((await host.files.facts(path))?.kind !== "file") return undefined;
  const remembered = new TextDecoder().decode(await host.files.read(path, pathMaxBytes)).trim();
  return isAbsolute(remembered) && (await host.files.facts(remembered)) !== undefined ? remembered : undefined;
}

/** Without a file, an agent is asked for the key that was registered last. */
async function signedWith(
  digest: string,
  own: readonly SigningKey[],
  keyFile: string | undefined,
  { host }: Session,
): Promise<string> {
  if (keyFile !== undefined) return signText(host, digest, keyFile);
  const folder = await explained(() => host.files.temporaryFolder(), explainTemporary);
  try {
    const path = join(folder.path, "key.pub");
    await write(host, path, `${own.at(-1)?.text ?? ""}\n`);
    return await signText(host, digest, path);
  } finally {
    await folder.remove();
  }
}

function notRegistered(): Failure {
  return new Failure("setup", "No registered key of this database role signed it; nothing was decided.", {
    hint: "Register your key first: partner approvals key add FILE.pub",
    money: "not moved",
  });
}
