import { lookAt } from "../app/look.ts";
import { namesByNumber } from "../app/accounts/nicknames.ts";
import { command } from "../app/command.ts";
import { movingEndsIn } from "../cli/endings.ts";
import { neededText, option, requiredOption } from "../cli/line/input.ts";
import { checkFlags } from "../app/money/checks/check-flags.ts";
import { moneyFlags } from "../app/money/flags.ts";
import type { WalletRules } from "../app/money/order-wallets.ts";
import { answersFor, placeAsked } from "../app/money/place-asked.ts";
import { namesAndBalances } from "../app/money/preview.ts";
import { keepCurrencies } from "../app/seen/keep-currencies.ts";
import { checkedWallets } from "../app/money/wallet-look.ts";
import { listWallets } from "../contract/wallets.ts";
import { walletLine, walletMoney, walletSeen } from "../movements/guards/wallet-preview.ts";
import { withdrawOrder } from "../movements/kinds/withdraw.ts";
import { parseAccountNumber } from "../values/account-number.ts";
import { parseAmount } from "../values/money/amount.ts";
import { parseDay } from "../values/time/day.ts";

export default command({
  summary: "Move money from a wallet to the partner's main account.",
  examples: ['withdraw --account 9000112233 --amount 1500000.50 --narration "October payout"'],
  args: {},
  flags: {
    account: requiredOption({ value: "ACCOUNT", summary: "The wallet that pays.", read: parseAccountNumber }),
    amount: requiredOption({ value: "N", summary: "The amount in the wallet's currency.", read: parseAmount }),
    narration: requiredOption({ value: "TEXT", summary: "What the statement shows.", read: neededText }),
    date: option({ value: "YYYY-MM-DD", summary: "The transaction's day (default: today).", read: parseDay }),
    ...moneyFlags,
    ...checkFlags,
  },
  exits: movingEndsIn,
  askFor: (missing, { flags }, session) => answersFor({ questions, wallets }, missing, flags, session),
  run: ({ flags, asked }, session) =>
    placeAsked(
      { flags, asked, questions, wallets },
      session,
      async ({ account, amount, narration, date, reference }) => {
        const named = reference ?? session.newReference("W");
        const order = withdrawOrder({ account, amount, narration, reference: named, date, today: session.today() });
        const look = async () => {
          const listed = await lookAt(session, listWallets, {}, namesAndBalances);
          await keepCurrencies(listed, session);
          const names = await namesByNumber(session.host, session.profileFlag);
          const wallet = walletSeen(listed, account);
          const lines = [
            ["from", walletLine(wallet, amount.negate(), names.get(account))],
            ["narration", narration],
            ...(date === undefined ? [] : [["date", date.toString()] as const]),
          ] as const;
          const title = `Withdraw ${walletMoney(wallet, amount)} to the main account`;
          return { title, lines, ...checkedWallets(order, listed) };
        };
        const line = [
          ["--account", account],
          ["--amount", amount.toString()],
          ["--narration", narration],
          ...(date === undefined ? [] : [["--date", date.toString()] as const]),
        ] as const;
        return { order, look, line };
      },
    ),
});

const questions = {
  account: { words: "From which wallet", called: "The wallet", asks: "wallet", read: parseAccountNumber },
  amount: { words: "How much", called: "The amount", asks: "amount", read: parseAmount },
  narration: { words: "What the statement shows", called: "The narration", asks: "text", read: neededText },
} as const;

const wallets: WalletRules = {
  payer: "account",
  orderOf: (known: object) => ({ kind: "withdraw", input: { accountNo: Reflect.get(known, "account") } }),
};
