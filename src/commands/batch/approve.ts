import { compareWithCopy } from "../../app/approvals/against.ts";
import {
  askAbout,
  checkExpectation,
  lookedText,
  refuseFutile,
  refuseUndecided,
  withTotal,
} from "../../app/approvals/decision.ts";
import { refuseUnsigned, signApproval, signFlags } from "../../app/approvals/signing/sign.ts";
import { wordsOfRepeats } from "../../app/approvals/look-words.ts";
import { review } from "../../app/approvals/review.ts";
import { submittedReport } from "../../app/approvals/submitted-report.ts";
import { findSubmitted, withApprovals } from "../../app/approvals/submitted.ts";
import { batchFormFlags } from "../../app/batch/flags.ts";
import { batchIdArgument } from "../../app/batch/id-argument.ts";
import { totalsOf } from "../../app/batch/words.ts";
import { command } from "../../app/command.ts";
import { wordsOfMissing } from "../../approvals/standing.ts";
import { anyText, option, toggle } from "../../cli/line/input.ts";

const { expectCount, expectTotal } = batchFormFlags;

export default command({
  summary: "Approve a batch of another person (as its checker).",
  description:
    "It is fetched from the shared journal, added up and compared with its digest; what is approved is exactly that. You see totals and the largest rows, receivers never paid before, and likely repeats. Changes since the maker's last batch are listed. The database refuses its maker, whatever role they take on. It sends nothing: batch run --approved does that.",
  examples: [
    "batch approve 0f3a9c52d41b7e86",
    "batch approve 0f3a9c52d41b7e86 --yes --expect-count 120 --expect-total 45000000",
    "batch approve 0f3a9c52d41b7e86 --against my-copy.csv --sign",
  ],
  args: { id: batchIdArgument },
  flags: {
    expectCount: { ...expectCount, summary: "Approve it only if it has this many rows." },
    expectTotal: { ...expectTotal, summary: "Approve it only if its amounts add up to this." },
    against: option({
      value: "FILE",
      summary: "Approve it only if your own copy of the file asks for the same orders (exit 9 if not).",
      read: anyText,
    }),
    ...signFlags,
    yes: toggle({ char: "y", summary: "Approve it without asking." }),
  },
  exits: ["setup", "refused", "mismatch"],
  run: ({ args, flags: { expectCount, expectTotal = [], against: path, sign, key, yes } }, session) =>
    withApprovals(session, async (approvals) => {
      refuseUndecided(yes, session);
      const found = await findSubmitted(approvals, args.id);
      await refuseFutile(found, approvals, "approved");
      if (!sign) await refuseUnsigned(found, approvals, key);
      const look = await review(approvals, found, session);
      const expectation = { count: expectCount, totals: expectTotal };
      checkExpectation(expectation, look);
      const { submitted } = look;
      const against = path === undefined ? undefined : await compareWithCopy(path, submitted, look.kept, session);
      const { state, standing } = submitted;
      const isNew = state !== "approved" && state !== "running" && state !== "done" && standing?.hasMine !== true;
      if (isNew) {
        if (yes) for (const line of wordsOfRepeats(look.repeats)) await session.note(line);
        else
          await askAbout(look, { question: withTotal("Approve this batch", look), no: "Nothing was decided" }, session);
        const grounds = { expectation, against, answer: yes ? "--yes" : "yes" } as const;
        const signature = sign ? await signApproval(submitted, approvals, key, session) : undefined;
        await approvals.decide(submitted, "approved", { looked: lookedText(look, grounds), signature });
      }
      const now = await findSubmitted(approvals, submitted.id);
      const missing = now.standing === undefined ? undefined : wordsOfMissing(now.standing);
      const said =
        now.state === "submitted" || now.state === "expired"
          ? `${isNew ? "Approved" : "Your approval, or that of a deputy, counts already"}; ${missing ?? "more is missing"}.`
          : isNew
            ? "Approved. It is sent by: partner batch run --approved"
            : "It was approved before.";
      return submittedReport(now, said, totalsOf(look.look.tally, session.format));
    }),
});
