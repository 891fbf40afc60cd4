import { command } from "../../app/command.ts";
import { acceptBreak } from "../../app/ledger/accept.ts";
import { accountArgument } from "../../app/statements/account-argument.ts";
import { neededText, requiredOption } from "../../cli/line/input.ts";

export default command({
  summary: "Record a break in the service's balances as known, on your word.",
  description:
    "A balance that does not follow from the row before keeps an account from being proved. Some breaks are the service's own. This records one as known, with your name and the time. It holds for this gap alone: another one at the same row is a break again.",
  examples: ['ledger accept 9000112233 --row SAL-2026-40 --evidence "ticket 4711: the bank corrected a fee"'],
  args: { account: accountArgument("The wallet's or merchant account's number.") },
  flags: {
    row: requiredOption({ value: "REF", summary: "The row in breaksAt of ledger status.", read: neededText }),
    evidence: requiredOption({ value: "TEXT", summary: "How you know it.", read: neededText }),
  },
  exits: ["setup"],
  run: ({ args, flags }, session) =>
    acceptBreak(session, { accountNo: args.account, reference: flags.row, evidence: flags.evidence }),
});
