import type { Host } from "../../host/host.ts";
import type { Choice, Prompts } from "../../host/process/prompts.ts";
import { PromptAborted } from "../../host/process/prompts.ts";
import { findProfile } from "../../profiles/chosen-profile.ts";
import { setProfile } from "../../profiles/change.ts";
import type { EditOutcome } from "../../profiles/edit.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { ProfileKey } from "../../profiles/profile-values.ts";
import { checkProfileValue, profileKeys } from "../../profiles/profile-values.ts";
import { secretStoreOf } from "../../profiles/secrets/secret-store.ts";
import type { SecretKind } from "../../profiles/secrets/secrets.ts";
import { checkSecret, secretKinds, secretWords } from "../../profiles/secrets/secrets.ts";
import { readSettings } from "../../profiles/settings/settings.ts";
import { Failure, interruption } from "../../values/failure.ts";
import { Secret } from "../../values/secret.ts";
import { visible } from "../../values/text/text.ts";
import type { Session } from "../session.ts";
import { checkGroups } from "./group-check.ts";

const done = "done";
type Changed = ProfileKey | SecretKind | typeof done;

/** What was changed by answers, each saved at once. */
export interface AnsweredChanges {
  readonly outcome: EditOutcome;
  /** How the run ends where a question was left, such as by Ctrl-C. */
  readonly left: Failure | undefined;
}

/**
 * Asks what to change about a profile, one thing after the other, until a person is done. Secrets are typed without
 * echo.
 * @returns undefined where nothing was changed
 * @throws {Failure} usage | setup
 * @throws {PromptAborted} where a question was left before anything was changed
 */
export async function changeByQuestions(name: string, session: Session): Promise<AnsweredChanges | undefined> {
  const saved: Saved = { outcome: undefined, names: new Set() };
  try {
    await askForChanges(name, session, saved);
  } catch (error) {
    if (!(error instanceof PromptAborted) || saved.outcome === undefined) throw error;
    const message = `The question was not answered. Saved before it: ${[...saved.names].join(", ")}.`;
    const { signal } = interruption(session.host.signal);
    const hint = `See what it has now: partner profile show ${name}`;
    return { outcome: saved.outcome, left: new Failure("interrupted", message, { signal, hint }) };
  }
  return saved.outcome && { outcome: saved.outcome, left: undefined };
}

interface Saved {
  outcome: EditOutcome | undefined;
  /** What was changed, in words. */
  readonly names: Set<string>;
}

async function askForChanges(name: string, session: Session, saved: Saved): Promise<void> {
  const { host } = session;
  const prompts = await host.prompts();
  for (;;) {
    const { profile } = findProfile(host, await readSettings(host), name);
    const valueOf = (key: ProfileKey) => profile[key] ?? "";
    const stateOf = await secretStates(name, profile, host);
    const changed = await prompts.choose<Changed>(`What should change about ${name}?`, choicesFor(valueOf, stateOf));
    if (changed === done) return;
    const isKey = profileKeys.find((key) => key === changed);
    try {
      saved.outcome = await setProfile(
        host,
        isKey === undefined
          ? { name, changes: [], secrets: await askSecret(changed, prompts) }
          : { name, changes: [`${isKey}=${await askValue(isKey, valueOf(isKey), prompts)}`] },
      );
      const kind = secretKinds.find((one) => one === changed);
      saved.names.add(kind === undefined ? changed : secretWords[kind]);
      for (const note of saved.outcome.notes) await session.note(note);
    } catch (error) {
      if (!(error instanceof Failure) || error.ending !== "usage") throw error;
      await session.note(error.message);
    }
  }
}

/** A list shows its first choices until a person goes down: the account and its secrets come first. */
const ofTheAccount: readonly ProfileKey[] = ["environment", "baseUrl", "accountBaseUrl", "accountId", "callbackUrl"];

function choicesFor(valueOf: (key: ProfileKey) => string, stateOf: (kind: SecretKind) => string): Choice<Changed>[] {
  const choice = (key: ProfileKey) => ({ value: key, name: visible(`${key}: ${valueOf(key) || "not set"}`) });
  const others = profileKeys.filter((key) => key !== "secretStore" && !ofTheAccount.includes(key));
  return [
    { value: done, name: "nothing more" },
    ...ofTheAccount.map(choice),
    ...secretKinds.map((kind) => ({ value: kind, name: `${secretWords[kind]}: ${stateOf(kind)}` })),
    ...others.map(choice),
  ];
}

/**
 * What a choice says of a secret, which is never shown itself.
 * @throws {Failure} setup where the store cannot be read
 */
async function secretStates(name: string, profile: Profile, host: Host): Promise<(kind: SecretKind) => string> {
  if (profile.secretStore === "command") return () => "from credentialCommand";
  const kept = await secretStoreOf(host, name, profile).read();
  return (kind) => (kept[kind] === undefined ? "not set" : "********");
}

/** A dash clears an optional value; Enter alone keeps it. */
async function askValue(key: ProfileKey, initial: string, prompts: Prompts): Promise<string> {
  const check = (text: string) => {
    const typed = text.trim();
    const problem = typed === "-" || typed === "" ? undefined : checkProfileValue(key, typed);
    return problem === undefined ? true : `It ${problem}.`;
  };
  const typed = (await prompts.text({ message: `${key} (- removes it)`, initial, check })).trim();
  return typed === "-" ? "" : typed;
}

async function askSecret(kind: string, prompts: Prompts) {
  const known = secretKinds.find((one) => one === kind);
  if (known === undefined) throw new Error(`There is no secret ${kind}.`);
  const check = (typed: string) => {
    const problem = checkSecret(known, typed.trim());
    return problem === undefined ? true : `It ${problem}.`;
  };
  return { [known]: new Secret((await prompts.secret({ message: `The ${secretWords[known]}`, check })).trim()) };
}

/**
 * Offers to try a new profile, and reports the result. The profile is added in any case.
 * @returns notes with the next step; none where everything was accepted
 */
export async function offerCheck(name: string, session: Session): Promise<readonly string[]> {
  const check = `partner profile check ${name}`;
  if (!(await wantsCheck(session))) return [`It was not checked. Check it before you need it: ${check}`];
  session.useProfile(name);
  const again = `Correct it with partner profile set ${name}, and check it again: ${check}`;
  try {
    const results = await checkGroups(session);
    for (const { credentials, result } of results)
      await session.note(`${credentials}: ${result instanceof Failure ? result.message : result}`);
    return results.some(({ result }) => result instanceof Failure) ? [again] : [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    await session.note(`It could not be checked: ${error.message}`);
    return [again];
  }
}

async function wantsCheck(session: Session): Promise<boolean> {
  const prompts = await session.host.prompts();
  try {
    return await prompts.confirm("Check it now? One harmless read for each credential.");
  } catch (error) {
    if (error instanceof PromptAborted) return false;
    throw error;
  }
}

/**
 * Asks a person before a profile is removed; a script is not asked.
 * @throws {Failure} interrupted by a no
 */
export async function confirmRemoval(name: string, session: Session): Promise<void> {
  const prompts = await session.host.prompts();
  if (await prompts.confirm(`Remove the profile ${name} and its secrets?`)) return;
  throw new Failure("interrupted", "Nothing was removed.", { isDeclined: true });
}
