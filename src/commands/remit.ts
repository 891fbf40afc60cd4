import { command } from "../app/command.ts";
import { movingEndsIn } from "../cli/endings.ts";
import { EditAsked } from "../app/money/ask-order.ts";
import { moneyFlags } from "../app/money/flags.ts";
import { sayLineIfAborted } from "../app/money/place-asked.ts";
import { placeOrder } from "../app/money/place-order.ts";
import type { WaitFlags } from "../app/money/waits/wait-flags.ts";
import { flagsOfWaiting, waitFlags } from "../app/money/waits/wait-flags.ts";
import { readCallbackOptions, callbackViolations } from "../app/money/waits/wait-plan.ts";
import { changedByPerson, completeDraft, draftViolations } from "../app/remittance/draft.ts";
import { keepSender } from "../app/remittance/files.ts";
import { draftOfFlags, remittanceFlags, senderFileFlags } from "../app/remittance/flags.ts";
import { remittanceLine } from "../app/remittance/line.ts";
import { readRemittanceCallback } from "../contract/callback.ts";
import { remit } from "../contract/remittance.ts";
import type { RemittanceDraft } from "../remittance/draft.ts";
import { bodyOf } from "../remittance/draft.ts";
import { remittancePreview } from "../remittance/preview.ts";
import { combined } from "../values/violation.ts";

export default command({
  summary: "Send a remittance to a mobile wallet or a bank account in Tanzania (live only).",
  description:
    "Everything can be given by flags or in a file. On a terminal it asks only for what is missing or wrong. The specification does not describe the service's answer. Unless the answer ends the remittance, it is under way (pending), and --wait listens for its outcome.",
  examples: [
    "remit",
    "remit --from-file draft.json --reference INV-42 --yes",
    "remit --save-sender zoe.json",
    "remit --sender-from zoe.json",
    "remit template > draft.json",
  ],
  args: {},
  flags: { ...senderFileFlags, ...moneyFlags, ...waitFlags, ...remittanceFlags },
  exits: [...movingEndsIn, "pending"],
  async validate({ flags, misread }, session) {
    const { fromFile, senderFrom, dryRun = false } = flags;
    const sources = { fromFile, senderFrom, saveSender: undefined, given: draftOfFlags(flags), dryRun };
    const violations = listens(flags) ? await callbackViolations(flags, misread, session) : [];
    return [...violations, ...(await draftViolations(session, sources, misread))];
  },
  async run({ flags }, session) {
    const { fromFile, senderFrom, saveSender, dryRun } = flags;
    const typed = draftOfFlags(flags);
    const keep = (draft: RemittanceDraft, unsaid: RemittanceDraft) => {
      const line = remittanceLine(draft, { ...flags, unsaid, profile: session.profileFlag });
      return session.note(`Your answers so far, without personal data: ${line}`);
    };
    const sources = { fromFile, senderFrom, saveSender, given: typed, dryRun, keep };
    const misread = new Set<string>();
    const wrong = listens(flags) ? await callbackViolations(flags, misread, session) : [];
    if (wrong.length > 0) throw combined([...wrong, ...(await draftViolations(session, sources, misread))]);
    const callback = listens(flags) ? await readCallbackOptions(flags, session, readRemittanceCallback) : undefined;
    let given = callback === undefined ? typed : new Map([...typed, ["callbackUrl", callback.callbackUrl]]);
    for (let wasAsked = false; ; wasAsked = true) {
      const completed = await completeDraft(session, { ...sources, given });
      const { draft, institutions, made } = completed;
      const order = {
        kind: "remit" as const,
        endpoint: remit,
        reference: draft.get("partnerReference") ?? "",
        input: bodyOf(draft),
        volatile: made,
      };
      const sayWhole = () => {
        const line = remittanceLine(draft, { ...completed, ...flags, profile: session.profileFlag });
        return session.note(`The same without questions: ${line}`);
      };
      const sayLine = async () => {
        if (completed.asked || wasAsked) await sayWhole();
      };
      try {
        const called = callback?.callbackWords ?? draft.get("callbackUrl") ?? "";
        const preview = () => Promise.resolve(remittancePreview(draft, called, dryRun ? null : institutions));
        const report = await placeOrder(order, flags, session, preview, { plan: callback?.plan, isEditable: true });
        if (saveSender !== undefined && !dryRun) await keepSender(saveSender, draft, session);
        await sayLine();
        return report;
      } catch (error) {
        if (!(error instanceof EditAsked)) {
          await sayLine();
          throw error;
        }
        // The server for callbacks gets its address when the order is sent.
        const fixed = callback === undefined ? [] : ["callbackUrl"];
        given = await sayLineIfAborted(sayWhole, changedByPerson(given, completed, fixed, session));
      }
    }
  },
});

/** True with --wait, or with a flag that only makes sense with it. */
function listens(flags: Partial<WaitFlags>): boolean {
  return flags.wait === true || flagsOfWaiting(flags).length > 0;
}
