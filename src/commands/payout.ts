import { namesByNumber } from "../app/accounts/nicknames.ts";
import { command } from "../app/command.ts";
import { lookAt } from "../app/look.ts";
import { checkFlags } from "../app/money/checks/check-flags.ts";
import { requireExtension } from "../app/money/extension.ts";
import { moneyFlags } from "../app/money/flags.ts";
import type { WalletRules } from "../app/money/order-wallets.ts";
import { answersFor, placeAsked } from "../app/money/place-asked.ts";
import { namesAndBalances } from "../app/money/preview.ts";
import { keepCurrencies } from "../app/seen/keep-currencies.ts";
import { waitFlags } from "../app/money/waits/wait-flags.ts";
import { callbackViolations, readCallbackOptions } from "../app/money/waits/wait-plan.ts";
import { checkedWallets } from "../app/money/wallet-look.ts";
import { movingEndsIn } from "../cli/endings.ts";
import { anyText, neededText, option, requiredOption } from "../cli/line/input.ts";
import { readCollectionCallback } from "../contract/callback.ts";
import { documentedServiceCodes } from "../contract/extensions/payout.ts";
import { listWallets } from "../contract/wallets.ts";
import { readPayoutChannel } from "../movements/kinds/channels.ts";
import type { WalletOrder } from "../movements/guards/wallet-checks.ts";
import { walletLine, walletSeen } from "../movements/guards/wallet-preview.ts";
import type { PayoutReceiver, TypedReceiver } from "../movements/kinds/payout.ts";
import { payoutCurrency, payoutOrder, payoutReceiver, payoutWarnings } from "../movements/kinds/payout.ts";
import { parseAccountNumber } from "../values/account-number.ts";
import { Failure } from "../values/failure.ts";
import { parseWholeAmount } from "../values/money/amount.ts";
import { formatMoney } from "../values/money/money.ts";
import { combined } from "../values/violation.ts";

export default command({
  summary: "Pay a mobile number or a bank account out of a wallet.",
  description:
    "The specification lacks it: turn it on with partner profile set NAME extensions=payout. Mobile money takes seconds, a bank up to two hours and longer on holidays, so pending isn't a failure. With --wait the command ends with the outcome. The same reference moves money once, however often the command is run.",
  examples: [
    'payout --from 9000112233 --to 255712345678 --name "Asha Juma" --amount 25000 --narration "Salary March"',
    'payout --from 9000112233 --to 0150000111222 --bank CORUTZTZ --name "Asha Juma" --amount 25000 --narration "Salary March" --reference SAL-2026-03-018 --yes',
    'payout --from 9000445566 --to 254712345678 --channel KE-SAFARICOM-B2C --name "Otieno" --amount 500 --narration Fare --yes --wait',
  ],
  args: {},
  flags: {
    from: requiredOption({ value: "ACCOUNT", summary: "The disbursement wallet that pays.", read: parseAccountNumber }),
    to: requiredOption({ value: "M", summary: "A mobile number; with --bank, the account there.", read: neededText }),
    name: requiredOption({ value: "NAME", summary: "The receiver's name.", read: neededText }),
    amount: requiredOption({ value: "N", summary: "A whole amount in the wallet's currency.", read: parseWholeAmount }),
    narration: requiredOption({ value: "TEXT", summary: "What the statement shows.", read: neededText }),
    channel: option({
      value: "C",
      summary: "The operator's channel (default: by the number).",
      read: (text, field) => readPayoutChannel(anyText(text, field), field),
    }),
    bank: option({ value: "CODE", summary: "The receiver's bank, such as CORUTZTZ.", read: anyText }),
    ...moneyFlags,
    ...checkFlags,
    ...waitFlags,
  },
  exits: [...movingEndsIn, "pending"],
  validate: async ({ flags, misread }, session) => {
    await requireExtension("payout", session);
    const { to, channel, bank } = flags;
    const receiver = to === undefined ? [] : payoutReceiver({ to, channel, bank });
    return [...receiverFailures(receiver), ...(await callbackViolations(flags, misread, session, "payout"))];
  },
  async askFor(missing, { flags }, session) {
    // A person who cannot pay should learn it before the questions, not after them.
    await requireExtension("payout", session);
    return answersFor({ questions: questionsFor(flags), wallets }, missing, flags, session);
  },
  run: ({ flags, asked }, session) =>
    placeAsked({ flags, asked, questions: questionsFor(flags), wallets }, session, async (known) => {
      const { from, to, name, amount, narration, channel, bank } = known;
      const receiver = payoutReceiver({ to, channel, bank });
      if (!("msisdn" in receiver)) throw combined(receiverFailures(receiver));
      const { msisdn, serviceCode, isByPrefix } = receiver;
      if (isByPrefix) await session.note(`Channel ${serviceCode}, by the number's prefix; --channel names another.`);
      const { callbackUrl, plan } = await readCallbackOptions(flags, session, readCollectionCallback, "payout");
      const order = payoutOrder({
        account: from,
        msisdn,
        serviceCode,
        name,
        amount,
        narration,
        reference: known.reference ?? session.newReference("P"),
        callbackUrl,
        callbackIsMade: plan?.listen !== undefined,
        nowMs: session.host.clock.now(),
      });
      const look = async () => {
        const listed = await lookAt(session, listWallets, {}, namesAndBalances);
        await keepCurrencies(listed, session);
        const names = await namesByNumber(session.host, session.profileFlag);
        const payer = walletSeen(listed, from);
        const currency = String(Reflect.get(order.input, "currencyCode"));
        const lines = [
          ["from", walletLine(payer, amount.negate(), names.get(from), true)],
          ["to", `${msisdn} ${name}`],
          ["channel", serviceCode],
          ["narration", narration],
        ] as const;
        const { violations, warnings } = checkedWallets(order, listed);
        const title = `Pay ${formatMoney(amount, currency)} ${currency} to ${name}`;
        return { title, lines, violations, warnings: [...payoutWarnings({ msisdn, serviceCode }), ...warnings] };
      };
      const line = [
        ["--from", from],
        ["--to", to],
        ["--name", name],
        ["--amount", amount.toString()],
        ["--narration", narration],
        ...(bank === undefined ? [["--channel", serviceCode] as const] : [["--bank", bank] as const]),
      ] as const;
      return { order, look, plan, line };
    }),
});

/** What flags may say about the receiver before the questions. */
type ReceiverFlags = Partial<Pick<TypedReceiver, "channel" | "bank">>;

const wallets: WalletRules = { payer: "from", orderOf: walletOrder };

/** The part of the order that limits its wallet: the channel's currency, once the receiver is known. */
function walletOrder(known: object): WalletOrder {
  const textOf = (key: string) => {
    const value: unknown = Reflect.get(known, key);
    return typeof value === "string" ? value : undefined;
  };
  const [to, channel, bank] = ["to", "channel", "bank"].map(textOf);
  const receiver = to === undefined ? [] : payoutReceiver({ to, channel, bank });
  const accountNo = Reflect.get(known, "from");
  return {
    kind: "payout",
    input: isReceiver(receiver) ? { accountNo, currencyCode: payoutCurrency(receiver) } : { accountNo },
  };
}

const questionsFor = ({ channel, bank }: ReceiverFlags) =>
  ({
    from: { words: "From which wallet", called: "The wallet", asks: "wallet", read: parseAccountNumber },
    to: {
      words: "To which mobile number, or CODE:ACCOUNT of a bank",
      called: "The receiver",
      asks: "text",
      read: receiverFor({ channel, bank }),
    },
    name: { words: "The receiver's name", called: "The name", asks: "text", read: neededText },
    amount: { words: "How much", form: "a whole amount", called: "The amount", asks: "amount", read: parseWholeAmount },
    narration: { words: "What the statement shows", called: "The narration", asks: "text", read: neededText },
  }) as const;

/** Checks a typed receiver as the order will. */
function receiverFor({ channel, bank }: ReceiverFlags): (text: string, called: string) => string {
  return (text, called) => {
    const to = neededText(text, called);
    const failures = receiverFailures(payoutReceiver({ to, channel, bank }));
    if (failures.length > 0) throw combined(failures);
    return to;
  };
}

/** Violations about a receiver, by flag. */
function receiverFailures(receiver: ReturnType<typeof payoutReceiver>): Failure[] {
  if (isReceiver(receiver)) return [];
  return receiver.map(([name, problem]) => {
    const message = `--${name} ${problem}.`;
    const hint =
      name === "channel"
        ? `Name one: --channel ${documentedServiceCodes.join("|")}`
        : "Write it like --to 255712345678, or --to 0150000111222 --bank CORUTZTZ.";
    return new Failure("usage", message, { hint, money: "not moved", details: { [`--${name}`]: message } });
  });
}

function isReceiver(receiver: ReturnType<typeof payoutReceiver>): receiver is PayoutReceiver {
  return "msisdn" in receiver;
}
