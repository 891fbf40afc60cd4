import type { Rows } from "../../contract/endpoint.ts";
import { textIn } from "../../statements/entry.ts";
import { Failure } from "../../values/failure.ts";
import type { LedgerAccount } from "../ledger.ts";
import { factsOf } from "../row-facts.ts";
import type { AccountService } from "./service.ts";

type Held = Pick<LedgerAccount, "accountNo" | "kind" | "currency">;

/**
 * The service as long as its rows are in the account's currency: amounts in another one would count in the account's
 * sums. Spec 2.3: rows of merchant accounts name theirs.
 * @throws {Failure} unavailable, from reading such a row
 */
export function inOneCurrency(service: AccountService, account: Held): AccountService {
  if (account.currency === "") return service;
  return {
    read: async (period) => {
      const rows = await service.read(period);
      return { [Symbol.asyncIterator]: () => checked(rows, account) };
    },
    stream: (period, use) => service.stream(period, (rows) => use(checked(rows, account))),
    balances: () => service.balances(),
  };
}

async function* checked(rows: Rows, { accountNo, kind, currency }: Held) {
  for await (const batch of rows) {
    for (const row of batch) {
      const said = textIn(row, "currency").trim();
      if (said === "" || said.toUpperCase() === currency.toUpperCase()) continue;
      const { reference } = factsOf(row, kind);
      throw new Failure(
        "unavailable",
        `Row ${reference} of ${accountNo} is in ${said}, and the account is in ${currency}.`,
        {
          hint: "Ask the service about that row: the amounts of two currencies have no sum. The other accounts are kept.",
        },
      );
    }
    yield batch;
  }
}
