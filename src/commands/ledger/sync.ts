import { command } from "../../app/command.ts";
import { allProfilesFlag } from "../../cli/common-flags.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { option, optionalPositional } from "../../cli/line/input.ts";
import { syncEveryLedger, syncLedger } from "../../app/ledger/sync.ts";
import { refuseSave } from "../../app/output-guard.ts";
import { parseAccountNumber } from "../../values/account-number.ts";
import { counted } from "../../values/text/counted.ts";
import { parseDay } from "../../values/time/day.ts";

export default command({
  summary: "Read what is new of every account into the ledger.",
  description:
    "It reads every wallet, and every merchant account that the ledger holds or that has a nickname. It continues from three days before the last row. If balances do not follow from each other, it reads further back. The first time it begins on the first day of this month. The ledger is ledger.db on this machine; where the journal is shared, its database has it for all hosts.",
  examples: [
    "ledger sync",
    "ledger sync --start-date 2026-01-01",
    "ledger sync --all-profiles",
    "ledger sync 9000112233 0150387654321",
  ],
  args: {
    account: optionalPositional({
      summary: "Only this wallet or merchant account (default: all).",
      read: parseAccountNumber,
    }),
  },
  rest: "[ACCOUNT...]",
  flags: {
    startDate: option({ value: "YYYY-MM-DD", summary: "Read again from this day on.", read: parseDay }),
    ...allProfilesFlag,
  },
  exits: readingEndsIn,
  async run({ args, flags, rest }, session) {
    refuseSave(
      session,
      "ledger sync prints no rows",
      "Leave it out. The accounts with what the ledger has of each: partner ledger status --save FILE",
    );
    const others = rest.map((text) => parseAccountNumber(text, "ACCOUNT"));
    const named = args.account === undefined ? [] : [args.account, ...others];
    const sync = flags.allProfiles ? syncEveryLedger : syncLedger;
    const count = await sync(session, { named, startDate: flags.startDate });
    const status = `partner ledger status${flags.allProfiles ? " --all-profiles" : ""}`;
    const words = `Synced ${counted(count, "account")}. See whether ${count === 1 ? "it is" : "they are"} proved: ${status}`;
    if (count > 0 && session.host.stderr.isTerminal) await session.note(words);
    return undefined;
  },
});
