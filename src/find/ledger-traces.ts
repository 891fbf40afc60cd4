import { tagIn } from "../evidence/references.ts";
import type { Ledger, LedgerAccount, LedgerRow } from "../ledger/ledger.ts";
import { factsOf } from "../ledger/row-facts.ts";
import { textIn } from "../statements/entry.ts";
import { amountsOf } from "./journal-traces.ts";
import type { Trace, TraceSource } from "./trace.ts";

/** What a row can say of who paid, by field. Spec 2.3. */
const partyFields = ["senderAccountNo", "senderAccountName"];

/** The rows of these accounts, the oldest first. */
export function ledgerTraces(ledger: Ledger, accounts: readonly LedgerAccount[]): TraceSource {
  return {
    name: placeOf(accounts),
    async *traces() {
      for (const account of accounts)
        for await (const batch of ledger.rows(account)) for (const row of batch) yield rowTrace(row, account);
    },
  };
}

/** `the ledger (3 accounts, up to 2026-10-31)`. */
function placeOf(accounts: readonly LedgerAccount[]): string {
  const days = accounts.flatMap(({ lastDay }) => lastDay ?? []).toSorted();
  const last = days.at(0);
  if (last === undefined) return "the ledger, which is empty";
  return `the ledger (${accounts.length === 1 ? "1 account" : `${accounts.length} accounts`}, up to ${last})`;
}

function rowTrace({ number, row }: LedgerRow, { kind, accountNo, currency }: LedgerAccount): Trace {
  const { reference, narration, paymentReference, change, isFee, feeOf, time } = factsOf(row, kind);
  const own = isFee ? feeOf || reference : reference;
  const transactionId = textIn(row, "transactionId");
  return {
    source: "ledger",
    key: String(number),
    ids: [own, tagIn({ narration }), transactionId].filter((id) => id !== ""),
    aliases: [reference, paymentReference].filter((id) => id !== ""),
    words: [narration, textIn(row, "description"), paymentReference].join("\n"),
    parties: [...partyFields.map((name) => textIn(row, name)), accountNo].filter((party) => party !== ""),
    amounts: amountsOf(change),
    events: [
      {
        at: time,
        what: isFee ? "fee" : "row",
        account: accountNo,
        amount: change ?? null,
        currency,
        reference,
        text: narration,
      },
    ],
    change,
    isFee,
  };
}
