import type { Reader } from "../../client/reader.ts";
import { accountBalance, accountEntryFields, accountStatement } from "../../contract/accounts.ts";
import type { Endpoint, RowsEndpoint } from "../../contract/endpoint.ts";
import { listWallets, walletBalance, walletEntryFields, walletStatement } from "../../contract/wallets.ts";
import type { EntryShape } from "../../statements/entry.ts";
import { accountEntryShape, textIn, walletEntryShape } from "../../statements/entry.ts";
import type { AccountFacts } from "../../statements/statement-file.ts";
import { amountOf } from "../../values/money/amount.ts";
import type { Field } from "../../values/field.ts";
import type { JsonObject } from "../../values/json.ts";

type Service = Pick<Reader, "read">;

/** Where the statements of a kind of account come from, and what their rows are like. */
export interface StatementSource {
  readonly accountKind: "wallet" | "merchant";
  readonly columns: readonly Field[];
  readonly shape: EntryShape;
  readonly statement: RowsEndpoint<StatementInput>;
  readonly balance: Endpoint<"reads", { readonly accountNo: string }, JsonObject>;
  /** Facts about the account that its rows do not have. */
  account(service: Service, accountNo: string): Promise<AccountFacts>;
}

/** Spec 4.4 and 4.6: whose statement, and of which days, both included. */
interface StatementInput {
  readonly accountNo: string;
  readonly startDate: string;
  readonly endDate: string;
}

export const walletSource: StatementSource = {
  accountKind: "wallet",
  columns: walletEntryFields,
  shape: walletEntryShape,
  statement: walletStatement,
  balance: walletBalance,
  async account(service, accountNo) {
    const balance = await service.read(walletBalance, { accountNo });
    // Spec 2.5: the older form of a balance names no currency; the list of wallets does.
    if (textIn(balance, "currencyCode") !== "") return factsOf(balance, "currencyCode");
    const wallets = await service.read(listWallets, {});
    const listed = wallets.find((wallet) => textIn(wallet, "accountNo") === accountNo);
    return { ...factsOf(balance, "currencyCode"), currency: listed && textIn(listed, "currency") };
  },
};

export const merchantSource: StatementSource = {
  accountKind: "merchant",
  columns: accountEntryFields,
  shape: accountEntryShape,
  statement: accountStatement,
  balance: accountBalance,
  account: async (service, accountNo) => factsOf(await service.read(accountBalance, { accountNo }), "currency"),
};

function factsOf(balance: JsonObject, currency: string): AccountFacts {
  return {
    name: textIn(balance, "accountName") || undefined,
    currency: textIn(balance, currency) || undefined,
    balance: amountOf(balance["availableBalance"]) ?? undefined,
  };
}
