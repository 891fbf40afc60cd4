import { refuseProtected } from "../protected-folders.ts";
import { FileTooLarge } from "../../host/files/files.ts";
import { fileFailureOf } from "../../host/files/file-reason.ts";
import { senderText } from "../../remittance/draft-file.ts";
import type { RemittanceDraft } from "../../remittance/draft.ts";
import { Failure } from "../../values/failure.ts";
import { quote, visible } from "../../values/text/text.ts";
import { refuseOwnFile } from "../output-guard.ts";
import type { Session } from "../session.ts";

const draftMaxBytes = 1_048_576;
/** A sender's name, address and date of birth are private: only the owner can read the file. */
const senderFileMode = 0o600;

/**
 * The text of a draft's or a sender's file, `-` for stdin.
 * @throws {Failure} usage; repeats none of its content
 */
export async function readText(path: string, flag: "--from-file" | "--sender-from", session: Session): Promise<string> {
  const { host } = session;
  await refuseOwnFile("--save", session.result.save, { path, is: `the file of ${flag}`, money: "not moved" }, session);
  try {
    const bytes = await (path === "-" ? host.stdin.read(draftMaxBytes) : host.files.read(path, draftMaxBytes));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure("usage", `${flag} ${quote(path)} cannot be read: ${unreadable(cause)}.`, {
      hint:
        flag === "--sender-from"
          ? "Name a file that --save-sender wrote."
          : "Name a file of JSON text, such as the one of: partner remit template > draft.json",
      money: "not moved",
      cause,
    });
  }
}

/**
 * Checks before the first question whether the sender can be saved there.
 * @throws {Failure} usage
 */
export async function checkSenderFile(path: string, { host }: Session): Promise<void> {
  await refuseProtected(path, "--save-sender", host);
  try {
    const facts = await host.files.facts(path);
    // Opening and closing a pipe would end it for its reader.
    if (facts?.kind === "other") return;
    const file = await host.files.draft(path, senderFileMode);
    await file.abandon();
  } catch (cause) {
    throw new Failure("usage", `--save-sender ${quote(path)} cannot be written: ${fileFailureOf(cause)}.`, {
      hint: "Name a file in a folder that exists and that you may write to.",
      money: "not moved",
      cause,
    });
  }
}

/** Saves the sender. The remittance has been sent by now: a failure here is only noted. */
export async function keepSender(path: string, draft: RemittanceDraft, { host }: Session): Promise<void> {
  try {
    const file = await host.files.draft(path, senderFileMode);
    try {
      await file.write(senderText(draft));
      await file.commit();
    } finally {
      await file.abandon();
    }
  } catch (error) {
    await host.stderr.write(`The sender was not saved in ${visible(path)}: ${fileFailureOf(error)}.\n`);
  }
}

/** Why a text could not be read. */
function unreadable(error: unknown): string {
  if (error instanceof FileTooLarge) return "it is larger than 1 MiB";
  return error instanceof TypeError ? "it isn't UTF-8 text" : fileFailureOf(error);
}
