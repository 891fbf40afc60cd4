import { rolesFlags, rolesOptions } from "../../app/approvals/roles-flags.ts";
import { command } from "../../app/command.ts";
import { toggle } from "../../cli/line/input.ts";
import { requireShared } from "../../app/journal/choice.ts";
import { Numeral } from "../../values/json.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";
import { ledgerLayout } from "../../ledger/postgres/schema.ts";
import { roleInSql } from "../../values/text/sql-name.ts";
import { inboxLayout } from "../../webhooks/inbox/postgres-schema.ts";

export default command({
  summary: "Create the shared journal, inbox and ledger in their database, or upgrade them to this version.",
  description:
    "Run it once, and again when a later version of partner asks for it. The database user has to be allowed to create tables. If everything is up to date, it changes nothing. The database is that of PARTNER_JOURNAL_URL or of the profile's journal. All of it happens in one transaction.",
  examples: ["journal migrate", "journal migrate --dry-run", "journal migrate --roles --require-approval"],
  args: {},
  flags: {
    dryRun: toggle({ char: "n", summary: "Print the SQL and change nothing." }),
    ...rolesFlags,
  },
  exits: ["setup"],
  async run({ flags }, session) {
    const roles = rolesOptions(flags);
    const shared = await requireShared(session.journalChoice);
    const { migrateShared } = await import("../../journal/postgres/migration.ts");
    const { migrations, also, groups } = await migrateShared(
      session.host,
      { ...shared, version: session.journalChoice.version },
      !flags.dryRun,
      roles,
      [inboxLayout, ledgerLayout],
    );
    if (flags.dryRun) {
      const text = [...migrations.flatMap(({ sql }) => (sql === "" ? [] : [sql])), ...also].join("\n\n");
      return { shape: "text", text: text === "" ? "-- There is nothing to do.\n" : `BEGIN;\n${text}\nCOMMIT;\n` };
    }
    const database = namePostgres(shared.url);
    if (groups !== undefined)
      await session.note(
        `Groups of this database, for GRANT … TO …: ${Object.values(groups).map(roleInSql).join(", ")}`,
      );
    return {
      shape: "rows",
      columns: [
        { name: "database", kind: "id", role: "detail" },
        { name: "part", kind: "id", role: "what" },
        { name: "from", kind: "count", role: "detail" },
        { name: "to", kind: "count", role: "state" },
      ],
      rows: migrations.map(({ part, from, to }) => ({ database, part, from: Numeral.of(from), to: Numeral.of(to) })),
      whenEmpty: "There is nothing to do.",
    };
  },
});
