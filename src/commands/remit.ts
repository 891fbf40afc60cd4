import { command } from "../cli/command.ts";
import { movingEndsIn } from "../cli/endings.ts";
import { anyText, option } from "../cli/input.ts";
import { moneyFlags } from "../cli/money-flags.ts";
import { placeOrder } from "../cli/ordering.ts";
import { commandLineOf, draftOfFlags, remittanceFlags } from "../cli/remittance-flags.ts";
import { completeDraft } from "../cli/remittance-draft.ts";
import { remit } from "../contract/remittance.ts";
import { bodyOf } from "../remittance/draft.ts";
import { remittancePreview } from "../remittance/preview.ts";

export default command({
  summary: "Send a remittance to a mobile wallet or a bank account in Tanzania (live only).",
  description:
    "Everything can be said by flags or in a file; on a terminal it asks for just what is missing or wrong. The service's answer is not specified: a success means that the remittance is under way (pending).",
  examples: ["remit", "remit --from-file draft.json --reference INV-42 --yes", "remit template > draft.json"],
  args: {},
  flags: {
    fromFile: option({
      value: "FILE",
      summary: "The specification's body as JSON, - for stdin; flags win.",
      read: anyText,
    }),
    ...moneyFlags,
    ...remittanceFlags,
  },
  exits: movingEndsIn,
  async run({ flags }, session) {
    const { fromFile, reference } = flags;
    const { draft, institutions, asked, dateIsMade } = await completeDraft(session, {
      fromFile,
      reference,
      given: draftOfFlags(flags),
      dryRun: flags.dryRun,
    });
    const order = {
      kind: "remit" as const,
      endpoint: remit,
      reference: draft.get("partnerReference") ?? "",
      input: bodyOf(draft),
      volatile: dateIsMade ? ["paymentDate"] : [],
    };
    const report = await placeOrder(order, flags, session, () =>
      Promise.resolve(remittancePreview(draft, institutions)),
    );
    if (asked) await session.note(`Without questions: ${commandLineOf(draft)}`);
    return report;
  },
});
