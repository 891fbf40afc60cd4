import type { Host } from "../../host/host.ts";
import { checkUrl } from "../../profiles/base-url.ts";
import type { ProfileValues } from "../../profiles/profile-values.ts";
import { secretsFromEnvironment } from "../../profiles/secrets/secret-input.ts";
import type { Addresses } from "../../profiles/secrets/secret-scope.ts";
import { addressFor } from "../../profiles/secrets/secret-scope.ts";
import type { SecretKind, Secrets } from "../../profiles/secrets/secrets.ts";
import { secretKinds } from "../../profiles/secrets/secrets.ts";
import { readVariable, variableFor, variables } from "../../profiles/variables.ts";
import { variablesSetAside } from "../../profiles/whole-account.ts";
import type { Session } from "../session.ts";

/**
 * The secrets in variables, for a new profile. A script gets all of them. A person's shell may have those of another
 * account, as that of a simulator has: what belongs to another address is asked for, and a note names it and what was
 * taken.
 * @throws {Failure} setup
 */
export async function secretsInVariables(values: ProfileValues, asks: boolean, session: Session): Promise<Secrets> {
  const { host } = session;
  const found = await secretsFromEnvironment(host);
  if (!asks) return found;
  const theirs = await addressesInVariables(host);
  const kinds = secretKinds.filter((kind) => found[kind] !== undefined);
  const foreign = kinds.filter((kind) => !belongs(kind, theirs, values));
  const own = kinds.filter((kind) => !foreign.includes(kind));
  const names = (some: readonly SecretKind[]) => some.map((kind) => variableFor(host, kind)).join(", ");
  if (foreign.length > 0)
    await session.note(`Not taken, because the variables name another address: ${names(foreign)}`);
  if (own.length > 0) await session.note(`Taken from variables, so not asked for: ${names(own)}`);
  return Object.fromEntries(own.map((kind) => [kind, found[kind]]));
}

async function addressesInVariables(host: Host): Promise<Addresses | undefined> {
  const [baseUrl, accountBaseUrl] = [await readVariable(host, "baseUrl"), await readVariable(host, "accountBaseUrl")];
  return baseUrl && { baseUrl: baseUrl.value, accountBaseUrl: accountBaseUrl?.value };
}

/** An address that is missing or invalid is refused elsewhere. */
function belongs(kind: SecretKind, theirs: Addresses | undefined, { baseUrl, accountBaseUrl }: ProfileValues): boolean {
  if (theirs === undefined || baseUrl === undefined) return true;
  const ours = { baseUrl, accountBaseUrl };
  const all = [theirs.baseUrl, theirs.accountBaseUrl, baseUrl, accountBaseUrl];
  if (all.some((url) => url !== undefined && checkUrl(url) !== undefined)) return true;
  return addressFor(kind, theirs) === addressFor(kind, ours);
}

/** Tells a person which variables of this shell count before the profile, so that it isn't used unless it is named. */
export async function noteVariablesBefore(name: string, session: Session): Promise<void> {
  const { environment } = session.host;
  const other = environment[variables.profile] ?? "";
  const names = [
    ...variablesSetAside(session.host, name),
    ...(other === "" || other === name ? [] : [variables.profile]),
  ];
  if (!session.canAsk || names.length === 0) return;
  await session.note(
    `In this shell variables count before profiles: ${names.join(", ")}. To use ${name}: --profile ${name}`,
  );
}
