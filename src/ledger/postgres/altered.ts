import type { SharedDatabase } from "../../storage/postgres/database.ts";
import { accountEntryShape, walletEntryShape } from "../../statements/entry.ts";
import type { AccountKind, AlteredRow, LedgerAccount } from "../ledger.ts";
import { Columns } from "../records.ts";
import { factsOf } from "../row-facts.ts";
import { storable } from "./entry-batch.ts";

const pageRows = 2_000;
const amountForm = "^-?[0-9]+([.][0-9]+)?([eE][-+]?[0-9]+)?$";

/** An amount in a row's text; null where the server cannot read it. */
function amount(name: string, whenEmpty: string): string {
  const text = `coalesce(nullif(e.raw::json ->> '${name}', ''), ${whenEmpty})`;
  return `CASE WHEN ${text} ~ '${amountForm}' THEN (${text})::numeric END`;
}

/**
 * Rows whose columns may differ from their text. PostgreSQL can't read every escape, so the few rows with escapes are
 * included.
 */
function doubtful(kind: AccountKind): string {
  const { credit, debit, balance, reference } = kind === "wallet" ? walletEntryShape : accountEntryShape;
  return `SELECT e.number, e.day, e.reference, e.side, e.change::text AS change, e.balance::text AS balance, e.is_fee, e.raw
    FROM partner.ledger_entries AS e WHERE e.account = $1 AND e.number > $2 AND e.gone_at IS NULL
      AND CASE WHEN strpos(e.raw, '\\u') > 0 THEN true ELSE (
        e.day <> '' AND left(e.raw::json ->> 'valueDate', 10) = e.day AND e.raw::json ->> '${reference}' = e.reference
        AND ${amount(credit, "'0'")} - ${amount(debit, "'0'")} = e.change AND ${amount(balance, "''")} = e.balance
        AND sign(e.change) = e.side AND e.change <> 0
        AND e.is_fee = (e.reference ~ '-(PAYIN|PAYOUT)$' OR e.raw::json ->> 'narration' ~* '^SERVICE FEE FOR REF:')
      ) IS NOT TRUE END
    ORDER BY e.number LIMIT ${pageRows}`;
}

/** The first row of an account whose columns differ from its text. */
export async function alteredRow(database: SharedDatabase, account: LedgerAccount): Promise<AlteredRow | undefined> {
  const sql = doubtful(account.kind);
  for (let after = 0, count = pageRows; count === pageRows;) {
    const records = await database.read(sql, [account.number, after]);
    count = records.length;
    for (const record of records) {
      const columns = new Columns(record);
      after = columns.number("number");
      if (isAltered(columns, record, account)) return { reference: columns.text("reference") };
    }
  }
  return undefined;
}

function isAltered(columns: Columns, record: object, { kind }: LedgerAccount): boolean {
  const { day, reference, side, change, balance, isFee } = factsOf(columns.row("raw"), kind);
  const isSame = (name: string, said: typeof change) => {
    const kept = columns.amountOrNull(name);
    return kept === null || said === undefined ? kept === null && said === undefined : kept.equals(said);
  };
  return (
    columns.text("day") !== day ||
    columns.text("reference") !== storable(reference) ||
    columns.number("side") !== (side === "credit" ? 1 : side === "debit" ? -1 : 0) ||
    !isSame("change", change) ||
    !isSame("balance", balance) ||
    Reflect.get(record, "is_fee") !== isFee
  );
}
