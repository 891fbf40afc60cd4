import type { Host } from "../../host/host.ts";
import type { Copied } from "../../journal/journal-copy.ts";
import { configFolder, stateFolder } from "../../profiles/folders.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";
import type { JournalChoice, SharedChoice } from "./choice.ts";

/** Refuses while the outcome of an order is in a slip: the copy would lack it, and the order would be unknown there. */
async function refuseWaiting(host: Host, journal: string, folder: string): Promise<void> {
  const { SlipFolder } = await import("../../journal/slips/folder.ts");
  const found = await new SlipFolder(host, folder).find();
  const ours = found.find(({ slip }) => slip?.journal === journal);
  if (ours === undefined) return;
  throw new Failure(
    "unavailable",
    `The outcome of an order is in ${namePath(ours.path)}, and not in the journal yet.`,
    {
      hint: "The next command that writes enters it: partner journal resolve --all. Then copy the journal.",
    },
  );
}

/**
 * The hash of a line depends on its number and on all lines before it, so a history that is appended to another loses
 * its heads.
 */
const headsChange =
  "The shared journal had decisions before, which come first in its history: heads that were noted of the local journal are not in its chain. Keep an export of the local one, which still has them: partner journal export --events. To keep the heads, copy into a new database first, then partner journal migrate --roles.";

/**
 * Moves the journal of this user on this machine into a shared one.
 * @throws {Failure} usage | setup | unavailable | mismatch
 */
export async function copyToShared(
  { host, version }: JournalChoice,
  shared: SharedChoice,
  warn: (line: string) => Promise<void>,
): Promise<Copied> {
  const [{ openLocal }, { openSharedParts }, { copyJournal }, { fillSharedKeys }] = await Promise.all([
    import("../../journal/sqlite/open.ts"),
    import("../../journal/postgres/open.ts"),
    import("../../journal/journal-copy.ts"),
    import("../../journal/postgres/keys.ts"),
  ]);
  const folders = { stateFolder: stateFolder(host), configFolder: configFolder(host), version };
  const local = await openLocal(host, { ...folders, use: "read", warn });
  try {
    if ((await host.files.facts(local.paths.journal)) === undefined)
      throw new Failure("usage", `There is no journal ${namePath(local.paths.journal)} to copy.`, {
        hint: "A shared journal that begins empty needs no copy.",
      });
    await refuseWaiting(host, local.id, folders.stateFolder);
    // Missing orders would be missing in the copy, too.
    if (local.registration.refusal !== undefined) throw local.registration.refusal;
    const place = { ...folders, ...shared, use: "write", warn: () => undefined } as const;
    const { database, registration } = await openSharedParts(host, place);
    try {
      const parts = { host, local: local.database, path: local.paths.journal };
      const copied = await copyJournal({ ...parts, shared: database, target: namePostgres(shared.url) });
      await fillSharedKeys(database);
      await registration.take(local.registration.accounts);
      const [row] = await database.read("SELECT to_regclass('partner.facts') IS NOT NULL AS is_there");
      const [first] = row?.["is_there"] === true ? await database.read("SELECT 1 FROM partner.facts LIMIT 1") : [];
      if (first !== undefined) await warn(headsChange);
      return copied;
    } finally {
      await database.close();
    }
  } finally {
    local.database.close();
  }
}
