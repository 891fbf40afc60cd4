import { command } from "../../app/command.ts";
import { asOfFlag } from "../../app/ledger/as-of.ts";
import { askLedger } from "../../app/ledger/sql/asking.ts";
import { readQuestion } from "../../app/ledger/sql/question.ts";
import { allProfilesFlag } from "../../cli/common-flags.ts";
import { neededText, positional } from "../../cli/line/input.ts";
import type { SqlQuestion } from "../../app/ledger/sql/question.ts";
import type { Session } from "../../app/session.ts";
import { listFormats } from "../../report/file-format.ts";

export default command({
  summary: "Query the ledger with a SELECT of your own.",
  description:
    "It reads and cannot write. The views are accounts, rows, days, changes, acceptances, orders and events: see the guide to the ledger. Amounts are exact text; columns that end in _minor have them as whole numbers of the smallest unit. A query that runs longer than --timeout is stopped.",
  examples: [
    'ledger sql "SELECT account, closing FROM accounts"',
    'ledger sql "SELECT * FROM rows WHERE is_fee" --csv',
    'ledger sql "SELECT account, day, closing FROM days" --all-profiles',
  ],
  args: { query: positional({ summary: "One SELECT.", read: neededText }) },
  flags: { ...asOfFlag, ...allProfilesFlag },
  fileFormats: listFormats,
  exits: ["setup"],
  async run({ args, flags }, session) {
    const question = await readQuestion(session);
    if (question !== undefined) {
      const { answerQuestion } = await import("../../app/ledger/sql/answering.ts");
      await answerQuestion(session, question);
      return undefined;
    }
    const asked = { sql: args.query, asOf: flags.asOf };
    const { report, spools } = flags.allProfiles ? await askEvery(session, asked) : await askOne(session, asked);
    try {
      await session.say(report);
    } finally {
      for (const spool of spools) await spool.discard();
    }
    return undefined;
  },
});

async function askOne(session: Session, asked: SqlQuestion) {
  const { report, spool } = await askLedger(session, { ...asked, scope: await session.accountScope() });
  return { report, spools: [spool] };
}

async function askEvery(session: Session, asked: SqlQuestion) {
  const { askEveryLedger } = await import("../../app/ledger/sql/every-profile.ts");
  return askEveryLedger(session, asked);
}
