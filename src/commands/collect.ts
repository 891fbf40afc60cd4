import { command } from "../app/command.ts";
import { movingEndsIn } from "../cli/endings.ts";
import { anyText, requiredOption } from "../cli/line/input.ts";
import { checkFlags } from "../app/money/check-flags.ts";
import { moneyFlags } from "../app/money/flags.ts";
import { placeOrder } from "../app/money/place-order.ts";
import { waitFlags } from "../app/money/wait-flags.ts";
import { readCallbackOptions, callbackViolations } from "../app/money/wait-plan.ts";
import { readCollectionCallback } from "../contract/callback.ts";
import { documentedChannels } from "../contract/collection.ts";
import { channelWarnings, collectOrder } from "../movements/collect.ts";
import { parseWholeAmount } from "../values/money/amount.ts";
import { formatMoney } from "../values/money/money.ts";
import { parseMsisdn } from "../values/msisdn.ts";

const currency = "TZS";

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
    channel: requiredOption({
      value: "C",
      summary: `The operator's channel: ${documentedChannels.join(", ")}.`,
      read: anyText,
    }),
    amount: requiredOption({ value: "N", summary: "Whole shillings.", read: parseWholeAmount }),
    narration: requiredOption({ value: "TEXT", summary: "What the subscriber and the statement see.", read: anyText }),
    ...moneyFlags,
    ...checkFlags,
    ...waitFlags,
  },
  exits: [...movingEndsIn, "pending"],
  besides: ({ flags, misread }, session) => callbackViolations(flags, misread, session),
  async run({ flags }, session) {
    const { msisdn, channel, amount, narration } = flags;
    const { callbackUrl, plan } = await readCallbackOptions(flags, session, readCollectionCallback);
    const order = collectOrder({
      msisdn,
      channel,
      amount,
      narration,
      reference: flags.reference ?? session.newReference("C"),
      callbackUrl,
      callbackIsMade: plan !== undefined,
      nowMs: session.host.clock.now(),
    });
    const preview = {
      title: `Collect ${formatMoney(amount, currency)} ${currency} from ${msisdn}`,
      lines: [
        ["channel", channel],
        ["narration", narration],
        ["callback", callbackUrl],
      ],
      violations: [],
      warnings: channelWarnings(channel, msisdn, documentedChannels),
    } as const;
    return placeOrder(order, flags, session, async () => preview, plan);
  },
});
