import { command } from "../../app/command.ts";
import { openToTake } from "../../app/journal/taking.ts";
import { Failure } from "../../values/failure.ts";

export default command({
  summary: "Put this journal in the place of the known one.",
  description:
    "For a copied or cloned journal, or one begun in another folder, that now replaces the known one. It is the journal in the state folder, or that of PARTNER_JOURNAL_URL or the profile. A journal that lacks orders is refused: partner journal recover. For a day, the statement is asked before an order leaves.",
  examples: ["journal move", "journal move --profile shop"],
  args: {},
  flags: {},
  exits: ["setup"],
  async run(_, session) {
    const account = await accountOf(() => session.accountScope());
    const { journal, registration, place } = await openToTake(session, "move", account);
    try {
      const { refusal } = registration;
      if (account !== undefined) await journal.keepNames(registration.namesOf(account));
      if (refusal !== undefined) await registration.take(account === undefined ? [] : [account]);
      return {
        shape: "record",
        columns: [
          { name: "journal", kind: "id" },
          { name: "moved", kind: "text" },
        ],
        record: { journal: place, moved: refusal !== undefined },
        findings: () => ({ notes: [refusal === undefined ? "It is the known one already." : takenNote] }),
      };
    } finally {
      await journal.close();
    }
  },
});

const takenNote = "Orders go to this journal from now on. For a day, the statement is asked before one leaves.";

/** The account's id, or undefined without one: a copy or a clone is adopted for all of its accounts. */
async function accountOf(scope: () => Promise<string>): Promise<string | undefined> {
  try {
    return await scope();
  } catch (error) {
    if (error instanceof Failure && error.ending === "setup") return undefined;
    throw error;
  }
}
