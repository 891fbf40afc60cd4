import type { WebhookKey } from "../../contract/webhooks/key.ts";
import { readWebhookKeys } from "../../contract/webhooks/key.ts";
import { fileFailureOf } from "../../host/files/file-reason.ts";
import { resolveWebhookKeys } from "../../profiles/resolve.ts";
import { Failure } from "../../values/failure.ts";
import { anyText, repeatedOption } from "../../cli/line/input.ts";
import type { Session } from "../session.ts";

const keyFileMaxBytes = 64 * 1024;

/** The flags of every command that signs or verifies webhooks. */
export const webhookKeyFlags = {
  keyFile: repeatedOption({
    value: "FILE",
    summary: "Take the webhook key from FILE, not from the profile; repeat it while keys are exchanged.",
    read: anyText,
  }),
} as const;

/**
 * The keys of webhook signatures: those of `--key-file`, else of the environment, else of the profile. There is at
 * least one.
 * @throws {Failure} setup when there is none, or one is invalid (with the reason `bad key`)
 */
export async function webhookKeys(
  session: Session,
  keyFiles: readonly string[] | undefined,
): Promise<readonly WebhookKey[]> {
  const texts = keyFiles === undefined ? await keysOfProfile(session) : await keysOfFiles(session, keyFiles);
  for (const text of texts) session.hide(text);
  return texts.flatMap((text) => readWebhookKeys(text));
}

async function keysOfProfile(session: Session): Promise<readonly string[]> {
  await session.noteSetAside();
  const variable = session.profileFlag === undefined ? "PARTNER_WEBHOOK_KEY or " : "";
  try {
    const { keys } = await resolveWebhookKeys(session.host, { profile: session.profileFlag });
    return keys.map((key) => key.reveal());
  } catch (error) {
    if (!(error instanceof Failure) || error.reason === "bad key") throw error;
    const { ending, message, hint = "" } = error;
    throw new Failure(ending, message, {
      hint: `The webhook key can come from ${variable}--key-file FILE, too. ${hint}`,
      cause: error,
    });
  }
}

function keysOfFiles({ host }: Session, paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    paths.map(async (path) => {
      // The path is not repeated: by mistake, it may be the key itself.
      const bytes = await host.files.read(path, keyFileMaxBytes).catch((error: unknown) => {
        throw new Failure("setup", `The file that --key-file names cannot be read: ${fileFailureOf(error)}.`, {
          hint: "Write the key into a file and name that file: --key-file webhook.key",
        });
      });
      return new TextDecoder().decode(bytes).replace(/\r?\n$/, "");
    }),
  );
}
