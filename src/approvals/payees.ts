import type { SharedDatabase } from "../storage/postgres/database.ts";
import { findMsisdn, spellingsOf } from "../values/msisdn.ts";

const walletsSql = `SELECT DISTINCT ON (account_no) account_no, name, currency FROM partner.wallets
  WHERE scope = ANY ($1::text[]) ORDER BY account_no, seen_at DESC`;
const keepSql = `INSERT INTO partner.wallets AS w (scope, account_no, name, currency)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) ON CONFLICT (scope, account_no)
  DO UPDATE SET name = excluded.name, currency = excluded.currency
    WHERE (w.name, w.currency) IS DISTINCT FROM (excluded.name, excluded.currency)`;
const paidSql = `SELECT DISTINCT account, institution, name FROM (
    SELECT coalesce(m.request::json ->> 'to', m.request::json ->> 'receiverAccount',
        regexp_replace(m.request::json ->> 'msisdn', '^[^:]+:', '')) AS account,
      coalesce(m.request::json ->> 'institutionCode', substring(m.request::json ->> 'msisdn' from '^([^:]+):'),
        m.request::json ->> 'serviceCode') AS institution,
      coalesce(m.request::json -> 'receiver' ->> 'fullName', m.request::json ->> 'recipientNames') AS name
    FROM partner.movements m WHERE m.scope = ANY ($1::text[]) AND m.kind IN ('transfer', 'remit', 'payout')
      AND m.state IN ('accepted', 'pending', 'reversed') AND m.batch IS DISTINCT FROM $4) AS paid
  WHERE account = ANY ($2::text[]) OR name = ANY ($3::text[])`;

/** A wallet, as the service showed it to a command that may ask. */
export interface SharedWallet {
  readonly scope: string;
  readonly accountNo: string;
  readonly name: string;
  readonly currency: string;
}

/** A payee of an earlier order. */
export interface PaidPayee {
  readonly account: string;
  readonly institution: string | undefined;
  readonly name: string | undefined;
}

/** Names and currencies of an account's wallets, by number. @param scopes all names of the account */
export async function sharedWallets(
  database: SharedDatabase,
  scopes: readonly string[],
): Promise<ReadonlyMap<string, Pick<SharedWallet, "name" | "currency">>> {
  const records = await database.read(walletsSql, [scopes]);
  return new Map(
    records.map(({ account_no: number, name, currency }) => [
      String(number),
      { name: String(name), currency: String(currency) },
    ]),
  );
}

/** Keeps them for those who may not ask the service. */
export function keepSharedWallets(database: SharedDatabase, wallets: readonly SharedWallet[]): Promise<void> {
  const columns = (["scope", "accountNo", "name", "currency"] as const).map((name) =>
    wallets.map((each) => each[name]),
  );
  return database.write(async (transaction) => void (await transaction.run({ text: keepSql, values: columns })));
}

/**
 * Which of these payees an order outside of the batch has paid before, under one of these accounts or names.
 * @param scopes all names of the account that pays
 */
export async function paidBefore(
  database: SharedDatabase,
  scopes: readonly string[],
  {
    batch,
    accounts,
    names,
  }: { readonly batch: string; readonly accounts: readonly string[]; readonly names: readonly string[] },
): Promise<readonly PaidPayee[]> {
  const spelled = accounts.flatMap((account) => {
    const number = findMsisdn(account);
    return number === undefined ? [account] : [account, ...spellingsOf(number)];
  });
  const records = await database.read(paidSql, [scopes, [...new Set(spelled)], names, batch]);
  return records.map(({ account, institution, name }) => ({
    account: String(account),
    institution: typeof institution === "string" ? institution : undefined,
    name: typeof name === "string" ? name : undefined,
  }));
}
