import type { Host } from "../../host/host.ts";
import type { Journal } from "../../journal/journal.ts";
import { configFolder, stateFolder } from "../../profiles/folders.ts";
import { resolveJournal } from "../../profiles/journal-address.ts";
import { Failure } from "../../values/failure.ts";
import type { PostgresUrl } from "../../values/addresses/postgres-url.ts";
import { readCertificates } from "../certificates.ts";

/** What decides where the journal is. */
export interface JournalChoice {
  readonly host: Host;
  /** Of this program. */
  readonly version: string;
  /** `--profile`. */
  readonly profile: string | undefined;
  /** The path of `--ca-cert`. */
  readonly certificates: string | undefined;
  /** Masks a secret in all output from now on. */
  readonly hide: (secret: string) => void;
}

export interface JournalUse {
  /** `read` creates no journal. */
  readonly use: "read" | "write";
  /** The account whose orders are to leave, as `accountScope` names it. */
  readonly account?: string | undefined;
  /** True to warn, too, about what would keep a shared journal from being used for money. */
  readonly examines?: boolean | undefined;
  /** True for a caller that checks `refusal` itself, and needs no note of it. */
  readonly looksAtRefusal?: boolean | undefined;
  readonly warn: (line: string) => Promise<void> | void;
}

/** The database of a shared journal, and what its TLS trusts. */
export interface SharedChoice {
  readonly url: PostgresUrl;
  readonly certificates: string | undefined;
}

/**
 * Opens the journal that the environment or the profile names, else the one of this user on this machine, with the
 * outcomes that earlier runs could not enter. Its code, and with it the cryptography, is loaded only for a command that
 * needs it.
 * @throws {Failure} usage | setup | unavailable
 */
export async function openChosenJournal(choice: JournalChoice, use: JournalUse): Promise<Journal> {
  const { host } = choice;
  const [journal, { withSlips }] = await Promise.all([
    openPlainJournal(choice, use),
    import("../../journal/slips/slip-journal.ts"),
  ]);
  try {
    return await withSlips(journal, { host, folder: stateFolder(host), use: use.use, warn: use.warn });
  } catch (error) {
    await journal.close();
    throw error;
  }
}

async function openPlainJournal(choice: JournalChoice, options: JournalUse): Promise<Journal> {
  const { host, version } = choice;
  const shared = await sharedChoice(choice);
  if (shared !== undefined) {
    const { openSharedJournal } = await import("../../journal/postgres/open.ts");
    return openSharedJournal(host, { ...shared, configFolder: configFolder(host), version, ...options });
  }
  const { openJournal } = await import("../../journal/sqlite/open.ts");
  return openJournal(host, {
    stateFolder: stateFolder(host),
    configFolder: configFolder(host),
    version,
    ...options,
  });
}

/**
 * The shared database, where one is chosen.
 * @throws {Failure} usage | setup
 */
export async function sharedChoice({
  host,
  profile,
  certificates,
  hide,
}: Omit<JournalChoice, "version">): Promise<SharedChoice | undefined> {
  const address = await resolveJournal(host, profile);
  if (address === undefined) return undefined;
  for (const secret of [address.text, address.url.password, host.environment["PGPASSWORD"]])
    if (secret !== undefined && secret !== "") hide(secret);
  return { url: address.url, certificates: await readCertificates(certificates, host) };
}

/**
 * The same for a command that needs one.
 * @param message what is said where none is named
 * @param further advice after how to name one
 * @throws {Failure} usage | setup
 */
export async function requireShared(
  choice: Omit<JournalChoice, "version">,
  message = "No shared journal is named.",
  further?: string,
): Promise<SharedChoice> {
  const shared = await sharedChoice(choice);
  if (shared !== undefined) return shared;
  const hint =
    "Name one: PARTNER_JOURNAL_URL=postgres://HOST/DATABASE, or partner profile set NAME journal=postgres://USER@HOST/DATABASE";
  throw new Failure("usage", message, { hint: further === undefined ? hint : `${hint}. ${further}` });
}
