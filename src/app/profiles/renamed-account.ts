import type { Host } from "../../host/host.ts";
import { accountIn, accountScope, namesOfAccount } from "../../journal/account-name.ts";
import { accountsOf } from "../../journal/age/known-accounts.ts";
import { knownPath, recallJournals } from "../../journal/age/known-journals.ts";
import { plainUrl } from "../../profiles/base-url.ts";
import { findProfile } from "../../profiles/chosen-profile.ts";
import type { EditOutcome } from "../../profiles/edit.ts";
import { configFolder } from "../../profiles/folders.ts";
import { readSettings } from "../../profiles/settings/settings.ts";
import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import type { Session } from "../session.ts";

/**
 * Adds a note where a changed profile has a name that is new to the journal, and the same id has orders under others: it
 * may be the sandbox's account and the live one, or one account under a new name.
 * @throws {Failure} setup
 */
export async function notingRename(session: Session, outcome: EditOutcome): Promise<EditOutcome> {
  const { environment, baseUrl, accountId } = findProfile(
    session.host,
    await readSettings(session.host),
    outcome.name,
  ).profile;
  const ordered = await unlessFailing(orderedFrom(session.host));
  const alike = (names: readonly string[]) => names.filter((name) => accountIn(name)?.accountId === accountId);
  if (accountId === undefined || alike(ordered).length === 0) return outcome;
  const scope = accountScope({ environment, baseUrl: plainUrl(baseUrl), accountId });
  if (ordered.includes(scope)) return outcome;
  // A name under which nothing was sent is known only to the journal.
  const known = alike([...ordered, ...(await unlessFailing(inJournal(session)))]);
  const note = known.includes(scope) ? undefined : noteOn(scope, known, outcome.name);
  return note === undefined ? outcome : { ...outcome, notes: [...outcome.notes, note] };
}

/** What a new name means for the accounts that are known; undefined where it is another name of one of them. */
function noteOn(scope: string, known: readonly string[], profile: string): string | undefined {
  const [, one, ...others] = namesOfAccount(scope, known);
  if (one === undefined)
    return `To the journal this is another account than ${quote(known[0] ?? "")}, which has orders: a reference that was used there can be used here again. If it is the same account, set environment or baseUrl back, run partner -p ${profile} journal resolve --all, and change it again.`;
  const apart = others.find((other) => !namesOfAccount(one, known).includes(other));
  if (apart === undefined) return undefined;
  return `To the journal this makes one account of ${quote(one)} and ${quote(apart)}: an order that was made with one counts as made with the other. If they are two, change environment and baseUrl in one command before anything else.`;
}

/** The names of accounts that ordered from this machine. */
async function orderedFrom(host: Host): Promise<readonly string[]> {
  const paths = { journal: "", known: knownPath(configFolder(host)), money: "none" } as const;
  return (await recallJournals(host, paths, async () => [])).flatMap(accountsOf);
}

async function inJournal(session: Session): Promise<readonly string[]> {
  return (await session.journal("read")).accounts();
}

/** Nothing where it can't be read: the next order says so. */
async function unlessFailing(read: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof Failure) return [];
    throw error;
  }
}
