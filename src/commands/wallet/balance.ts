import { command } from "../../app/command.ts";
import { readingEndsIn } from "../../cli/endings.ts";
import { optionalPositional, toggle } from "../../cli/line/input.ts";
import { balanceReport, balancesColumns, balancesReport, minimumBalanceFlags } from "../../app/statements/balance.ts";
import { rowFilter, whereFlag } from "../../app/where.ts";
import { listWallets, walletBalance, walletBalanceFields } from "../../contract/wallets.ts";
import { textIn } from "../../statements/entry.ts";
import { parseAccountNumber } from "../../values/account-number.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "Show what a wallet holds, or several of them.",
  description: "Several wallets are a list, in JSON an array. With --fail-below each of them has to hold that much.",
  examples: [
    "wallet balance 9000112233",
    "wallet balance 9000112233 --fail-below 500000 --quiet",
    "wallet balance --all --csv",
  ],
  args: {
    account: optionalPositional({
      summary: "The wallet's number, as `wallets list` shows it.",
      unless: "all",
      read: parseAccountNumber,
    }),
  },
  rest: "[ACCOUNT...]",
  flags: { ...minimumBalanceFlags, all: toggle({ summary: "Every wallet." }), ...whereFlag },
  exits: [...readingEndsIn, "mismatch"],
  async run({ args: { account: first }, flags, rest }, { service }) {
    const others = rest.map((text) => parseAccountNumber(text, "ACCOUNT"));
    if (flags.all && first !== undefined)
      throw new Failure("usage", "--all means every wallet, but one is named as well.", {
        hint: "Leave one of them out.",
      });
    if (flags.where !== undefined && first !== undefined && others.length === 0) {
      throw new Failure("usage", "--where chooses among several wallets, and one is named.", {
        hint: "Leave --where out, or use --all.",
      });
    }
    const filter = await rowFilter(flags.where, balancesColumns(walletBalanceFields));
    if (first !== undefined && others.length === 0) {
      const record = await service.read(walletBalance, { accountNo: first });
      return balanceReport({ accountNo: first, record, columns: walletBalanceFields }, flags);
    }
    const listed = first === undefined ? await service.read(listWallets, {}) : [];
    const named = first === undefined ? listed.map((wallet) => textIn(wallet, "accountNo")) : [first, ...others];
    const balances = [];
    // Sequentially: each balance is fresh, and the service gets one request at a time.
    for (const accountNo of new Set(named.filter((number) => number !== "")))
      balances.push({ accountNo, record: await service.read(walletBalance, { accountNo }) });
    const report = balancesReport(balances, walletBalanceFields, flags);
    return filter?.chosen(report) ?? report;
  },
});
