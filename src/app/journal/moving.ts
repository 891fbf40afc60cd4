import type { Host } from "../../host/host.ts";
import type { Copied } from "../../journal/journal-copy.ts";
import { configFolder, stateFolder } from "../../profiles/folders.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";
import type { JournalChoice, SharedChoice } from "./choice.ts";

/** An outcome that is beside the journal would stay there, and its order would be unknown in the new one. */
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
    // What it lacks would be lacking in the copy.
    if (local.registration.refusal !== undefined) throw local.registration.refusal;
    const place = { ...folders, ...shared, use: "write", warn: () => undefined } as const;
    const { database, registration } = await openSharedParts(host, place);
    try {
      const parts = { host, local: local.database, path: local.paths.journal };
      const copied = await copyJournal({ ...parts, shared: database, target: namePostgres(shared.url) });
      await fillSharedKeys(database);
      await registration.take(local.registration.accounts);
      return copied;
    } finally {
      await database.close();
    }
  } finally {
    local.database.close();
  }
}
