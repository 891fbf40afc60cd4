import { command } from "../cli/command.ts";
import { movingEndsIn } from "../cli/endings.ts";
import { moneyFlags } from "../cli/money-flags.ts";
import { placeOrder } from "../cli/ordering.ts";
import { completeDraft } from "../cli/remittance-draft.ts";
import { keepSender } from "../cli/remittance-files.ts";
import { draftOfFlags, remittanceFlags, senderFileFlags } from "../cli/remittance-flags.ts";
import { remittanceLine } from "../cli/remittance-line.ts";
import { flagsOfWaiting, waitFlags } from "../cli/wait-flags.ts";
import { readCallbackWish } from "../cli/wait-plan.ts";
import { readRemittanceCallback } from "../contract/callback.ts";
import { remit } from "../contract/remittance.ts";
import { bodyOf } from "../remittance/draft.ts";
import { remittancePreview } from "../remittance/preview.ts";

export default command({
  summary: "Send a remittance to a mobile wallet or a bank account in Tanzania (live only).",
  description:
    "Everything can be said by flags or in a file; on a terminal it asks for just what is missing or wrong. The service's answer is not specified: a success means that the remittance is under way (pending), and --wait listens for its outcome.",
  examples: [
    "remit",
    "remit --from-file draft.json --reference INV-42 --yes",
    "remit --sender-from zoe.json --save-sender zoe.json",
    "remit template > draft.json",
  ],
  args: {},
  flags: { ...senderFileFlags, ...moneyFlags, ...waitFlags, ...remittanceFlags },
  exits: [...movingEndsIn, "pending"],
  async run({ flags }, session) {
    const { fromFile, senderFrom, saveSender, dryRun } = flags;
    const listens = flags.wait || flagsOfWaiting(flags).length > 0;
    const wish = listens ? await readCallbackWish(flags, session, readRemittanceCallback) : undefined;
    const given = new Map(draftOfFlags(flags));
    if (wish !== undefined) given.set("callbackUrl", wish.callbackUrl);
    const completed = await completeDraft(session, { fromFile, senderFrom, saveSender, given, dryRun });
    const { draft, institutions, asked, made } = completed;
    const order = {
      kind: "remit" as const,
      endpoint: remit,
      reference: draft.get("partnerReference") ?? "",
      input: bodyOf(draft),
      volatile: made,
    };
    try {
      const preview = () => Promise.resolve(remittancePreview(draft, institutions));
      const report = await placeOrder(order, flags, session, preview, wish?.plan);
      if (saveSender !== undefined && !dryRun) await keepSender(saveSender, draft, session);
      return report;
    } finally {
      const line = remittanceLine(draft, { ...completed, ...flags, profile: session.profileFlag });
      if (asked) await session.note(`The same without questions: ${line}`);
    }
  },
});
