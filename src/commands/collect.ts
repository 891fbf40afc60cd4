import { operatorCurrencies } from "../journal/requests/movement-request.ts";
import { command } from "../app/command.ts";
import { movingEndsIn } from "../cli/endings.ts";
import { anyText, neededText, option, requiredOption } from "../cli/line/input.ts";
import { askForCallback, asksPerson } from "../app/money/waits/callback-question.ts";
import { checkFlags } from "../app/money/checks/check-flags.ts";
import type { AskedOrNot } from "../app/money/confirmation.ts";
import { moneyFlags } from "../app/money/flags.ts";
import { answersFor, placeAsked, sayLineIfAborted } from "../app/money/place-asked.ts";
import { typedWords, waitingWords } from "../app/money/same-line.ts";
import type { Session } from "../app/session.ts";
import { waitFlags } from "../app/money/waits/wait-flags.ts";
import { readCallbackOptions, callbackViolations } from "../app/money/waits/wait-plan.ts";
import { readCollectionCallback } from "../contract/callback.ts";
import { documentedChannels, seenChannels } from "../contract/collection.ts";
import { channelOf, channelWarnings, countryOf, countryViolation, readChannel } from "../movements/kinds/channels.ts";
import { collectOrder } from "../movements/kinds/collect.ts";
import { parseWholeAmount } from "../values/money/amount.ts";
import { formatMoney } from "../values/money/money.ts";
import { Failure } from "../values/failure.ts";
import { parseMsisdn } from "../values/msisdn.ts";

/** Kenyan numbers have one known channel. */
const kenyanChannel = "KE-SAFARICOM-C2B";
const derivedChannels = [...documentedChannels, kenyanChannel] as const;

export default command({
  summary: "Ask a mobile money subscriber to pay, by a prompt on the phone.",
  description:
    "The service answers that the prompt is on its way and reports the outcome to the callback URL. With --wait the command listens there itself, at a secret address, and ends with the outcome. A callback is unsigned: with --confirm-statement it is believed once the statement shows the payment.",
  examples: [
    'collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 15000 --narration "Invoice 42" --wait',
    'collect --msisdn 0712345678 --channel TZ-TIGO-C2B --amount 15000 --narration "Invoice 42" --reference INV-42 --callback-url https://hooks.example/partner --yes',
    'collect --msisdn 0712345678 --channel TZ-TIGO-C2B --amount 15000 --narration Lunch --yes --wait --tunnel "cloudflared tunnel --url http://127.0.0.1:{port}"',
  ],
  args: {},
  flags: {
    msisdn: requiredOption({
      value: "M",
      summary: "The subscriber's number, such as 255712345678 or 0712345678.",
      read: parseMsisdn,
    }),
    channel: option({
      value: "C",
      summary: `The operator's channel: ${documentedChannels.join(", ")} (default: by the number).`,
      read: (text, field) => readChannel(anyText(text, field), field),
    }),
    amount: requiredOption({ value: "N", summary: "Whole shillings.", read: parseWholeAmount }),
    narration: requiredOption({
      value: "TEXT",
      summary: "What the subscriber and the statement see.",
      read: neededText,
    }),
    ...moneyFlags,
    ...checkFlags,
    ...waitFlags,
  },
  exits: [...movingEndsIn, "pending"],
  validate: ({ flags, misread }, session) => callbackViolations(flags, misread, session),
  askFor: (missing, { flags }, session) => answersFor({ questions }, missing, flags, session),
  async run({ flags: typed, asked }, session) {
    const { msisdn, amount, narration } = typed;
    let [flags, wasAsked] = [typed, asked];
    const sayAnswers = async () => {
      const words = [
        ["--msisdn", msisdn],
        ["--amount", amount.toString()],
        ["--narration", narration],
        ...waitingWords(flags),
      ] as const;
      if (wasAsked) await session.note(`Your answers so far: ${typedWords(words)}`);
    };
    const callbackUrl = await sayLineIfAborted(sayAnswers, askForCallback(typed, session));
    if (callbackUrl !== undefined) [flags, wasAsked] = [{ ...flags, callbackUrl }, true];
    const channel = await sayLineIfAborted(sayAnswers, askForChannel(typed, session));
    if (channel !== undefined) [flags, wasAsked] = [{ ...flags, channel }, true];
    return placeAsked({ flags, asked: wasAsked, questions }, session, async (known) => {
      const { msisdn, amount, narration } = known;
      const channel = known.channel ?? (await channelByPrefix(msisdn, session));
      const otherCountry = countryViolation(channel, msisdn);
      if (otherCountry !== undefined)
        throw new Failure("usage", `--channel ${otherCountry}.`, {
          hint: "Kenyan numbers take a channel that begins with KE-, all others one that begins with TZ-.",
          money: "not moved",
        });
      const currency = operatorCurrencies[countryOf(channel, msisdn)];
      const { callbackUrl, callbackWords, plan } = await readCallbackOptions(flags, session, readCollectionCallback);
      const order = collectOrder({
        msisdn,
        channel,
        amount,
        narration,
        reference: known.reference ?? session.newReference("C"),
        callbackUrl,
        callbackIsMade: plan?.listen !== undefined,
        nowMs: session.host.clock.now(),
      });
      const preview = {
        title: `Collect ${formatMoney(amount, currency)} ${currency} from ${msisdn}`,
        lines: [
          ["channel", channel],
          ["narration", narration],
          ["callback", callbackWords],
        ],
        violations: [],
        warnings: channelWarnings(channel, msisdn, documentedChannels),
      } as const;
      const line = [
        ["--msisdn", msisdn],
        ["--channel", channel],
        ["--amount", amount.toString()],
        ["--narration", narration],
      ] as const;
      return { order, look: async () => preview, plan, line };
    });
  },
});

const questions = {
  msisdn: {
    words: "Whose number (such as 255712345678 or 0712345678)",
    called: "The number",
    asks: "text",
    read: parseMsisdn,
  },
  channel: { words: "The operator's channel", called: "The channel", asks: documentedChannels, read: readChannel },
  amount: { words: "How many shillings", called: "The amount", asks: "amount", read: parseWholeAmount },
  narration: {
    words: "What the subscriber and the statement see",
    called: "The narration",
    asks: "text",
    read: neededText,
  },
} as const;

/**
 * Asks for the channel where the number's prefix leads to none that the specification names; undefined where no question
 * is asked.
 */
async function askForChannel(
  { channel, msisdn, ...flags }: AskedOrNot & { readonly channel?: string | undefined; readonly msisdn: string },
  session: Session,
): Promise<string | undefined> {
  const isKnown = channel !== undefined || channelOf(msisdn, derivedChannels) !== undefined;
  if (isKnown || !asksPerson(flags, session)) return undefined;
  const prompts = await session.host.prompts();
  const own = channelOf(msisdn, seenChannels);
  const channels = own === undefined ? documentedChannels : [own, ...documentedChannels];
  const choices = channels.map((value) => ({
    value,
    name: value === own ? `${value}, by the number's prefix; the specification does not name it` : value,
  }));
  return prompts.choose(questions.channel.words, choices);
}

/**
 * The operator's channel by the number's prefix. It is printed, since a number can be ported to another operator.
 * @throws {Failure} usage where the prefix leads to no documented channel
 */
async function channelByPrefix(msisdn: string, session: Session): Promise<string> {
  const channel = channelOf(msisdn, derivedChannels);
  if (channel === undefined)
    throw new Failure("usage", "--channel is missing, and the number's prefix does not say which.", {
      hint: `The specification names two: ${documentedChannels.map((name) => `--channel ${name}`).join(" or ")}.`,
      money: "not moved",
    });
  await session.note(`Channel ${channel}, by the number's prefix; --channel names another.`);
  return channel;
}
