import { command } from "../app/command.ts";
import { runFind } from "../app/find/run.ts";
import { allProfilesFlag } from "../cli/common-flags.ts";
import { readingEndsIn } from "../cli/endings.ts";
import { neededText, positional, toggle } from "../cli/line/input.ts";
import { listFormats } from "../report/file-format.ts";

export default command({
  summary: "Find a payment, and show everything that happened to it.",
  description:
    "WHAT is a reference, an id, a phone number, an amount, or words of a narration. Order, answer, callback, rows, fee, webhook and reversal of a payment are one timeline. It looks through the journal with its batches, the webhook inbox and the ledger. What is new in the accounts is read first.",
  examples: ["find INV-7", "find '0712 345 678' --json", "find 'TZS 50,000' --all-profiles"],
  args: { what: positional({ summary: "What you know of the payment.", read: neededText }) },
  flags: {
    offline: toggle({ summary: "Look through what is kept here, and ask the service nothing." }),
    ...allProfilesFlag,
  },
  fileFormats: listFormats,
  exits: readingEndsIn,
  run: ({ args, flags }, session) => runFind(session, args.what, flags),
});
