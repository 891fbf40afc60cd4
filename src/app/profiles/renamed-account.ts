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
 * Adds a note where a changed profile names an account without orders, and the same id has some under another label and
 * another address: it may be the sandbox's account and the live one, or one account under a new name.
 * @throws {Failure} setup
 */
export async function notingRename(session: Session, outcome: EditOutcome): Promise<EditOutcome> {
  const { environment, baseUrl, accountId } = findProfile(await readSettings(session.host), outcome.name).profile;
  if (accountId === undefined) return outcome;
  const scope = accountScope({ environment, baseUrl: plainUrl(baseUrl), accountId });
  const ordered = await unlessFailing(orderedFrom(session.host));
  const isNew = (known: readonly string[]) => !known.includes(scope) && namesOfAccount(scope, known).length === 1;
  const former = ordered.find((other) => accountIn(other)?.accountId === accountId);
  if (former === undefined || !isNew(ordered)) return outcome;
  // A name that no order left under is in the journal alone.
  if (!isNew([...ordered, ...(await unlessFailing(inJournal(session)))])) return outcome;
  const words = `To the journal this is another account than ${quote(former)}, which has orders: a reference that was used there can be used here again.`;
  const way =
    "If it is the same account, set environment or baseUrl back, run partner journal resolve --all, and change it again.";
  return { ...outcome, notes: [...outcome.notes, `${words} ${way}`] };
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
