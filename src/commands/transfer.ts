import { lookAt } from "../app/look.ts";
import { namesByNumber } from "../app/accounts/nicknames.ts";
import { command } from "../app/command.ts";
import { movingEndsIn } from "../cli/endings.ts";
import { neededText, requiredOption, toggle } from "../cli/line/input.ts";
import { checkFlags } from "../app/money/checks/check-flags.ts";
import { moneyFlags } from "../app/money/flags.ts";
import type { WalletRules } from "../app/money/order-wallets.ts";
import { answersFor, placeAsked } from "../app/money/place-asked.ts";
import { namesAndBalances } from "../app/money/preview.ts";
import { toggled } from "../app/money/same-line.ts";
import { listWallets } from "../contract/wallets.ts";
import { transferOrder } from "../movements/kinds/transfer.ts";
import { keepCurrencies } from "../app/seen/keep-currencies.ts";
import { checkedWallets } from "../app/money/wallet-look.ts";
import { sameWalletViolation, walletFailure } from "../movements/guards/wallet-checks.ts";
import { walletLine, walletMoney, walletSeen } from "../movements/guards/wallet-preview.ts";
import { parseAccountNumber } from "../values/account-number.ts";
import { parseWholeAmount } from "../values/money/amount.ts";
import type { Failure } from "../values/failure.ts";
import { combined } from "../values/violation.ts";

export default command({
  summary: "Move money from one wallet to another.",
  description:
    "The reference travels at the end of the description, and both statements show it. So a transfer whose answer was lost can be found. The same reference moves money once, however often the command is run.",
  examples: [
    'transfer --from 9000112233 --to 9000112244 --amount 250000 --description "Salaries, week 40"',
    "transfer --from 9000112233 --to 9000112244 --amount 250000 --description Salaries --reference SAL-2026-40 --yes --json",
  ],
  args: {},
  flags: {
    from: requiredOption({ value: "ACCOUNT", summary: "The disbursement wallet that pays.", read: parseAccountNumber }),
    to: requiredOption({
      value: "ACCOUNT",
      summary: "The disbursement wallet that receives.",
      read: parseAccountNumber,
    }),
    amount: requiredOption({ value: "N", summary: "A whole amount in the wallets' currency.", read: parseWholeAmount }),
    description: requiredOption({ value: "TEXT", summary: "What both statements show.", read: neededText }),
    noTag: toggle({ summary: "Leave the reference out of the description." }),
    ...moneyFlags,
    ...checkFlags,
  },
  exits: movingEndsIn,
  validate: async ({ flags: { from, to } }) => sameWallet(from, to),
  askFor: (missing, { flags }, session) => answersFor({ questions, wallets }, missing, flags, session),
  run: ({ flags, asked }, session) =>
    placeAsked(
      { flags, asked, questions, wallets },
      session,
      async ({ from, to, amount, description, noTag, reference }) => {
        const violations = sameWallet(from, to);
        if (violations.length > 0) throw combined(violations);
        const named = reference ?? session.newReference("T");
        const order = transferOrder({ from, to, amount, description, reference: named, tagged: !noTag });
        const look = async () => {
          const listed = await lookAt(session, listWallets, {}, namesAndBalances);
          await keepCurrencies(listed, session);
          const names = await namesByNumber(session.host, session.profileFlag);
          const [payer, receiver] = [walletSeen(listed, from), walletSeen(listed, to)];
          const lines = [
            ["from", walletLine(payer, amount.negate(), names.get(from))],
            ["to", walletLine(receiver, amount, names.get(to))],
            ["description", description],
          ] as const;
          const title = `Transfer ${walletMoney(payer, amount)}`;
          return { title, lines, ...checkedWallets(order, listed) };
        };
        const line = [
          ["--from", from],
          ["--to", to],
          ["--amount", amount.toString()],
          ["--description", description],
          ...toggled("--no-tag", noTag),
        ] as const;
        return { order, look, line };
      },
    ),
});

const questions = {
  from: { words: "From which wallet", called: "The wallet", asks: "wallet", read: parseAccountNumber },
  to: { words: "To which wallet", called: "The wallet", asks: "wallet", read: parseAccountNumber },
  amount: { words: "How much", form: "a whole amount", called: "The amount", asks: "amount", read: parseWholeAmount },
  description: { words: "What both statements show", called: "The description", asks: "text", read: neededText },
} as const;

const wallets: WalletRules = { payer: "from", orderOf: (known: object) => ({ kind: "transfer", input: known }) };

function sameWallet(from: string | undefined, to: string | undefined): Failure[] {
  const violation = sameWalletViolation(from, to);
  return violation === undefined ? [] : [walletFailure(["to", violation])];
}
