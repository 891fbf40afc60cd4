import { command } from "../../app/command.ts";
import { asOfFlag } from "../../app/ledger/as-of.ts";
import { askLedger } from "../../app/ledger/sql/asking.ts";
import { readQuestion } from "../../app/ledger/sql/question-in.ts";
import { anyText, positional } from "../../cli/line/input.ts";
import { listFormats } from "../../report/file-format.ts";

export default command({
  summary: "Ask the ledger with a SELECT of your own.",
  description:
    "It reads and cannot write. The views are accounts, rows, days, changes, orders and events: see the guide to the ledger. Amounts are exact text, and whole smallest units in columns that end in _minor. A statement that runs longer than --timeout is ended.",
  examples: [
    'ledger sql "SELECT account, closing FROM accounts"',
    'ledger sql "SELECT * FROM rows WHERE is_fee" --csv',
  ],
  args: { statement: positional({ summary: "One SELECT.", read: anyText }) },
  flags: { ...asOfFlag },
  fileFormats: listFormats,
  exits: ["setup"],
  async run({ args, flags }, session) {
    const question = await readQuestion(session);
    if (question !== undefined) {
      const { answerQuestion } = await import("../../app/ledger/sql/answering.ts");
      await answerQuestion(session, question);
      return undefined;
    }
    const scope = await session.accountScope();
    const { report, spool } = await askLedger(session, { sql: args.statement, scope, asOf: flags.asOf });
    try {
      await session.say(report);
    } finally {
      await spool.discard();
    }
    return undefined;
  },
});
