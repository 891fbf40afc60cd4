import type { RegisteredJournal } from "../../journal/age/registration.ts";
import type { Purpose } from "../../journal/age/purpose.ts";
import { configFolder, stateFolder } from "../../profiles/folders.ts";
import { namePath } from "../../values/text/path-name.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";
import type { Session } from "../session.ts";
import { sharedChoice } from "./choice.ts";

/** A journal that becomes the known one, and where it is, in words for a person. */
export interface TakenJournal extends RegisteredJournal {
  readonly place: string;
}

/**
 * Opens the journal that the environment or the profile names, or that of this user, to make it the known one.
 * @param account whose orders are to go to it, as `accountScope` names it
 * @param willChange true for a caller that opens it again to change it
 * @throws {Failure} usage | setup | unavailable
 */
export async function openToTake(
  session: Session,
  use: Exclude<Purpose, "read" | "write">,
  account: string | undefined,
  willChange = false,
): Promise<TakenJournal> {
  const { host, journalChoice: choice } = session;
  const folders = { stateFolder: stateFolder(host), configFolder: configFolder(host), version: choice.version };
  const place = { ...folders, use, account, warn: (line: string) => session.note(line) };
  const shared = await sharedChoice(choice);
  if (shared !== undefined) {
    const { openSharedRegistered } = await import("../../journal/postgres/open.ts");
    return {
      ...(await openSharedRegistered(host, { ...place, ...shared, willChange })),
      place: namePostgres(shared.url),
    };
  }
  const { openRegistered } = await import("../../journal/sqlite/open.ts");
  return { ...(await openRegistered(host, place)), place: namePath(`${place.stateFolder}/journal.db`) };
}
