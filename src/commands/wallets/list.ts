import { command } from "../../app/command.ts";
import { allProfilesFlag } from "../../cli/common-flags.ts";
import { profileField } from "../../values/field.ts";
import type { Session } from "../../app/session.ts";
import { rowFilter, whereFlag } from "../../app/where.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { anyText, option } from "../../cli/line/input.ts";
import { listWallets, walletFields } from "../../contract/wallets.ts";
import { counted } from "../../values/text/counted.ts";
import type { RowsReport } from "../../report/report.ts";
import { textIn } from "../../statements/entry.ts";
import { totalsOf } from "../../statements/totals.ts";
import type { JsonObject } from "../../values/json.ts";
import { listFormats } from "../../report/file-format.ts";

export default command({
  summary: "List the wallets, with a total for each currency.",
  examples: [
    "wallets list",
    "wallets list --currency TZS --output csv",
    'wallets list --type "DEFAULT COLLECTION" --json',
    "wallets list --all-profiles",
  ],
  args: {},
  flags: {
    currency: option({ value: "CODE", summary: "Only wallets of this currency.", read: anyText }),
    type: option({ value: "TYPE", summary: "Only wallets of this type, such as COLLECTION.", read: anyText }),
    ...allProfilesFlag,
    ...whereFlag,
  },
  fileFormats: listFormats,
  exits: readingEndsIn,
  async run({ flags }, session) {
    const columns = flags.allProfiles ? [profileField, ...walletFields] : walletFields;
    const filter = await rowFilter(flags.where, columns);
    const { wallets, failure, totals } = flags.allProfiles
      ? await (await import("../../app/profiles/wallets-of-all.ts")).walletsOfAll(session, readWallets)
      : { wallets: await readWallets(session), failure: undefined, totals: totalsOf };
    const rows = wallets
      .filter((wallet) => is(wallet, "currency", flags.currency) && is(wallet, "type", flags.type))
      .filter((wallet) => filter?.keeps(wallet) ?? true);
    const report: RowsReport = {
      shape: "rows",
      columns,
      rows,
      whenEmpty:
        wallets.length === 0
          ? "The account has no wallets."
          : `The account has ${counted(wallets.length, "wallet")}, and none of them matches.`,
      footer: () => totals(rows),
      findings: () => ({ notes: [], carried: failure }),
    };
    return filter?.withMatchCount(report) ?? report;
  },
});

async function readWallets(session: Session): Promise<readonly JsonObject[]> {
  const wallets = await session.service.read(listWallets, {});
  if (session.host.stdout.isTerminal) {
    const { keepCurrencies } = await import("../../app/seen/keep-currencies.ts");
    await keepCurrencies(wallets, session);
  } else {
    const { keepWalletsShared } = await import("../../app/approvals/keep-wallets.ts");
    await keepWalletsShared(wallets, session);
  }
  return wallets;
}

function is(wallet: JsonObject, field: string, wanted: string | undefined): boolean {
  return wanted === undefined || textIn(wallet, field).toUpperCase() === wanted.toUpperCase();
}
