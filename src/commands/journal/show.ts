import { command } from "../../app/command.ts";
import { seenCurrencies } from "../../app/seen/wallets.ts";
import { neededText, positional } from "../../cli/line/input.ts";
import { walletEntryFields } from "../../contract/wallets.ts";
import { keptRow } from "../../journal/requests/movement-request.ts";
import { eventFields, eventRow, exportedFields, exportedRow } from "../../movements/journal-report.ts";
import { theMovement } from "../../movements/movement-search.ts";
import { orderForPerson } from "../../movements/order-for-person.ts";

export default command({
  summary: "Show one order with its whole history.",
  examples: ["journal show SAL-2026-40", "journal show 9b2e6c1e-52e5-4c6c-8c6f-6b8f1f7f2f10 --json"],
  args: { key: positional({ summary: "The order's reference, its id, or how the id begins.", read: neededText }) },
  flags: {},
  exits: ["setup", "refused"],
  async run({ args }, session) {
    const journal = await session.journal("read");
    const movement = await theMovement(journal, args.key);
    const [history, proofs] = [await journal.events(movement.id), await journal.proofsOf(movement.id)];
    const proved = proofs.length === 0 ? {} : { proofs: proofs.map(keptRow) };
    const { columns, record, currency } = session.showsPerson
      ? orderForPerson(movement, await seenCurrencies(session.host))
      : { columns: exportedFields, record: exportedRow(movement), currency: undefined };
    return {
      shape: "record",
      isRead: true,
      columns: [...columns, { name: "history", kind: "text" }, ...(proofs.length === 0 ? [] : [proofsColumn])],
      lists: { history: eventFields, proofs: walletEntryFields },
      currency,
      record: { ...record, history: history.map(eventRow), ...proved },
    };
  },
});

/** Rows of statements that prove the order, as the service sent them. */
const proofsColumn = { name: "proofs", kind: "text" } as const;
