import { paidIdIn } from "../contract/fee-row.ts";
import { syncedAccounts } from "../ledger/closure.ts";
import type { FoundRow, Ledger, LedgerAccount } from "../ledger/ledger.ts";
import { factsOf } from "../ledger/row-facts.ts";
import { findableIn } from "../ledger/terms/row-terms.ts";
import { counted } from "../values/text/counted.ts";
import { amountsOf } from "./journal-traces.ts";
import type { Trace, TraceSource } from "./trace.ts";

/** The rows of these accounts that may match, oldest first. */
export function ledgerTraces(ledger: Ledger, accounts: readonly LedgerAccount[]): TraceSource {
  return {
    of: "ledger",
    name: placeOf(accounts),
    async *traces(sought, isKnown) {
      for (const account of accounts)
        for await (const batch of ledger.rowsWith(account, sought, (number) => isKnown(String(number))))
          for (const row of batch) yield rowTrace(row, account);
    },
  };
}

/**
 * `the ledger (3 accounts, from 2026-10-01 up to 2026-10-31)`, with the days that all accounts have, apart from closed
 * ones, which no sync reads any more: `; 9000112244 is closed, up to 2026-10-06`.
 */
function placeOf(accounts: readonly LedgerAccount[]): string {
  const current = syncedAccounts(accounts);
  const first = latestBeginning(current);
  const last = daysRead(current).toSorted().at(0);
  if (first === undefined || last === undefined) return "the ledger, which is empty";
  const days = first > last ? " that share no day" : `, from ${first} up to ${last}`;
  const closed = accounts.flatMap(({ closure, accountNo, lastDay }) =>
    closure === null || lastDay === null ? [] : `; ${accountNo} is closed, up to ${lastDay}`,
  );
  return `the ledger (${counted(daysRead(accounts).length, "account")}${days}${closed.join("")})`;
}

function daysRead(accounts: readonly LedgerAccount[]): readonly string[] {
  return accounts.flatMap(({ lastDay }) => lastDay ?? []);
}

/** The first day that the ledger has of every account, `YYYY-MM-DD`; undefined where it is empty. */
export function latestBeginning(accounts: readonly LedgerAccount[]): string | undefined {
  return accounts
    .flatMap(({ firstDay, lastDay }) => (firstDay === null || lastDay === null ? [] : firstDay))
    .toSorted()
    .at(-1);
}

function rowTrace({ number, row }: FoundRow, { kind, accountNo, currency }: LedgerAccount): Trace {
  const facts = factsOf(row, kind);
  const { reference, narration, change, isFee, time } = facts;
  const { ids, aliases, words, parties } = findableIn(row, facts);
  const paid = isFee ? (paidIdIn(reference, narration) ?? "") : "";
  return {
    source: "ledger",
    key: String(number),
    ids: [...ids, paid].filter((id) => id !== ""),
    aliases: aliases.filter((alias) => alias !== ""),
    words: words.join("\n"),
    parties: [...parties, accountNo].filter((party) => party !== ""),
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
    place: number,
    isFee,
  };
}
