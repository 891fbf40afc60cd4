import { command } from "../../app/command.ts";
import { acceptBreak } from "../../app/ledger/accept.ts";
import { acceptClosure } from "../../app/ledger/account-closure.ts";
import { accountArgument } from "../../app/statements/account-argument.ts";
import { Failure } from "../../values/failure.ts";
import { neededText, option, requiredOption, toggle } from "../../cli/line/input.ts";

export default command({
  summary: "Record a break in the service's balances, or a closed account, on your word.",
  description:
    "A balance that does not follow from the row before keeps an account from being proved. Some breaks are the service's own. This records one as known, with your name and the time. It holds for this gap alone: another one at the same row is a break again. --account-closed records that the service no longer has the account. Syncs and closes then go on without it.",
  examples: [
    'ledger accept 9000112233 --row SAL-2026-40 --evidence "ticket 4711: the bank corrected a fee"',
    'ledger accept 9000112244 --account-closed --evidence "the bank\'s letter of 6 October"',
  ],
  args: { account: accountArgument("The wallet's or merchant account's number.") },
  flags: {
    row: option({
      value: "REF",
      summary: "The row in breaksAt of ledger status.",
      unless: "accountClosed",
      read: neededText,
    }),
    accountClosed: toggle({ summary: "The service no longer has the account." }),
    evidence: requiredOption({ value: "TEXT", summary: "How you know it.", read: neededText }),
  },
  exits: ["setup"],
  run({ args, flags }, session) {
    const { row: reference, accountClosed, evidence } = flags;
    const asked = { accountNo: args.account, evidence };
    if (reference === undefined) return acceptClosure(session, asked);
    if (!accountClosed) return acceptBreak(session, { ...asked, reference });
    throw new Failure("usage", "--row and --account-closed record different things.", {
      hint: "Give one of the two, and then the other.",
    });
  },
});
