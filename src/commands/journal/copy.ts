import { command } from "../../app/command.ts";
import { option } from "../../cli/line/input.ts";
import { requireShared } from "../../app/journal/choice.ts";
import { copyToShared } from "../../app/journal/moving.ts";
import { checkOpenAddress } from "../../profiles/open-address.ts";
import { Failure } from "../../values/failure.ts";
import { Numeral } from "../../values/json.ts";
import { namePostgres } from "../../values/addresses/postgres-url.ts";

export default command({
  summary: "Move this machine's journal with its whole history into a shared one.",
  description:
    "The shared journal has to exist (journal migrate) and must not have any orders. The local one is closed to orders first and stays closed: it can still be read. Afterwards every row is compared. If it breaks off, run it again to continue. Do not run it while partner sends money from this machine.",
  examples: ["journal copy --to postgres://partner@db.example.com/partner", "journal copy"],
  args: {},
  flags: {
    to: option({
      value: "URL",
      summary: "The shared journal's database, without a password (default: PARTNER_JOURNAL_URL, or the profile's).",
      read: readTarget,
    }),
  },
  exits: ["setup", "mismatch"],
  async run({ flags }, session) {
    const choice = session.journalChoice;
    const environment =
      flags.to === undefined ? undefined : { PARTNER_JOURNAL_URL: flags.to, PARTNER_JOURNAL_URL_FILE: "" };
    const host = { ...choice.host, environment: { ...choice.host.environment, ...environment } };
    const shared = await requireShared({ ...choice, host });
    const { movements, events } = await copyToShared(choice, shared, (line) => session.note(line));
    const database = namePostgres(shared.url);
    await session.note(
      `The local journal takes no orders any more. Name the shared one where partner runs: partner profile set NAME journal=${database}, or PARTNER_JOURNAL_URL.`,
    );
    return {
      shape: "record",
      columns: [
        { name: "database", kind: "id" },
        { name: "orders", kind: "count" },
        { name: "lines", kind: "count", title: "lines of history" },
      ],
      record: { database, orders: Numeral.of(movements), lines: Numeral.of(events) },
    };
  },
});

function readTarget(text: string, name: string): string {
  const problem = checkOpenAddress(text);
  if (problem === undefined) return text;
  throw new Failure("usage", `${name} ${problem}.`, {
    hint: "For example: --to postgres://partner@db.example.com/partner",
  });
}
