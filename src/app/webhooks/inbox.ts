import { forgetFindIndex } from "../../find/trails/open.ts";
import { stateFolder } from "../../profiles/folders.ts";
import type { Inbox } from "../../webhooks/inbox/inbox.ts";
import { sharedChoice } from "../journal/choice.ts";
import type { Session } from "../session.ts";

/**
 * Opens the inbox while `use` works with it. `read` creates no file.
 * @throws {Failure} setup | unavailable
 */
export async function withInbox<T>(
  session: Session,
  mode: "read" | "write",
  use: (inbox: Inbox) => Promise<T>,
): Promise<T> {
  const inbox = await openInbox(session, mode);
  try {
    return await use(inbox);
  } finally {
    await inbox.close();
  }
}

/**
 * Removes events that came before this time (milliseconds since 1970), and the index of `find`, which has their words.
 * @returns how many
 * @throws {Failure} setup | unavailable
 */
export async function pruneInbox(session: Session, before: number): Promise<number> {
  const removed = await withInbox(session, "write", (inbox) => inbox.prune(before));
  if (removed > 0) await forgetFindIndex(session.host, stateFolder(session.host));
  return removed;
}

/**
 * Reads the inbox piece by piece while it is open: for reports, which are read after the command has returned.
 * @throws {Failure} setup | unavailable
 */
export async function* fromInbox<T>(session: Session, read: (inbox: Inbox) => AsyncIterable<T>): AsyncGenerator<T> {
  const inbox = await openInbox(session, "read");
  try {
    yield* read(inbox);
  } finally {
    await inbox.close();
  }
}

/** Where the journal is shared, so is the inbox. The code of either is loaded only for a command that needs it. */
async function openInbox(session: Session, use: "read" | "write"): Promise<Inbox> {
  const shared = await sharedChoice(session.journalChoice);
  if (shared !== undefined)
    return (await import("../../webhooks/inbox/postgres-open.ts")).openSharedInbox(session.host, shared);
  const { openInbox: open } = await import("../../webhooks/inbox/inbox-file.ts");
  return open(session.host, { stateFolder: stateFolder(session.host), use, warn: (line) => session.note(line) });
}
