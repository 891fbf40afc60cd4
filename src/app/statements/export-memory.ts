import { createHash } from "node:crypto";
import { join } from "node:path";
import { readOwnFile } from "../../host/files/own-file.ts";
import { unlessGone } from "../../host/files/gone.ts";
import { accountIn, accountScope, namesOfAccount } from "../../journal/account-name.ts";
import { stateFolder } from "../../profiles/folders.ts";
import { environments } from "../../profiles/profile.ts";
import { explained, explainState } from "../../report/write-failures.ts";
import { Failure } from "../../values/failure.ts";
import { addressesOf } from "../../values/addresses/service-address.ts";
import type { Session } from "../session.ts";
import type { AccountStatements } from "./account-statements.ts";

/** Names of the accounts with exports, a line each: addresses and ids, no secrets. */
const namesFile = "accounts";
const namesMaxBytes = 1024 * 1024;
const fileMode = 0o600;

/**
 * The path of an export's state: under the account's name, or under another name of the same account, so that a
 * corrected label or host does not start the export over.
 * @throws {Failure} usage | setup
 */
export async function exportMemory(account: AccountStatements, session: Session): Promise<string> {
  const scope = await session.accountScope();
  const pathOf = async (name: string) => join(folderOf(session), `${await exportName(account, session, name)}.ndjson`);
  const own = await pathOf(scope);
  const isThere = async (path: string) => (await session.host.files.facts(path)) !== undefined;
  const names = await namesKept(session);
  if (!names.includes(scope)) await keepNames([...names, scope], session);
  if (await isThere(own)) return own;
  for (const other of namesOfAccount(scope, [...names, ...respellings(scope), ...(await namesOrdered(session))])) {
    const path = await pathOf(other);
    if (await isThere(path)) return path;
  }
  return own;
}

function folderOf({ host }: Session): string {
  return join(stateFolder(host), "exports");
}

/** Another profile, account or form of line is another export. */
async function exportName(
  { accountKind, accountNo }: AccountStatements,
  session: Session,
  scope: string,
): Promise<string> {
  const { columns, delimiter, excel, raw, header } = session.result;
  const { name } = await session.account();
  const form = session.format === "csv" ? [delimiter, excel, raw, header] : [];
  const identity = [name ?? null, scope, accountKind, accountNo, columns ?? null, session.format, ...form];
  return createHash("sha256").update(JSON.stringify(identity)).digest("hex").slice(0, 32);
}

async function namesKept(session: Session): Promise<readonly string[]> {
  const { files } = session.host;
  const path = join(folderOf(session), namesFile);
  const read = () => unlessGone(files, path, () => readOwnFile(files, path, namesMaxBytes));
  const bytes = await explained(read, explainState(path));
  return new TextDecoder()
    .decode(bytes)
    .split("\n")
    .filter((line) => line !== "");
}

/** @throws {Failure} setup where they cannot be written */
function keepNames(names: readonly string[], session: Session): Promise<void> {
  const path = join(folderOf(session), namesFile);
  return explained(async () => {
    const draft = await session.host.files.draft(path, fileMode);
    try {
      await draft.write(names.map((name) => `${name}\n`).join(""));
      await draft.commit();
    } finally {
      await draft.abandon();
    }
  }, explainState(path));
}

/** Version 0.1.0 stored no names: every label, and every spelling of the address, is tried. */
function respellings(scope: string): string[] {
  const own = accountIn(scope);
  if (own === undefined) return [];
  const { baseUrl, accountId } = own;
  const addresses = addressesOf(baseUrl);
  return environments.flatMap((environment) =>
    addresses.map((address) => accountScope({ environment, baseUrl: address, accountId })),
  );
}

/** The names of accounts in the journal. An export needs no journal: one that can't be read gives none. */
async function namesOrdered(session: Session): Promise<readonly string[]> {
  try {
    return await (await session.journal("read")).accounts();
  } catch (error) {
    if (error instanceof Failure && error.ending !== "interrupted") return [];
    throw error;
  }
}
