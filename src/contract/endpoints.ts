import { accountBalance, accountStatement } from "./accounts.ts";
import { collect } from "./collection.ts";
import { listInstitutions, remit } from "./remittance.ts";
import { listWallets, transfer, walletBalance, walletStatement, withdraw } from "./wallets.ts";

/** The whole service: all ten endpoints, in the order of the specification's section 4. */
export const endpoints = [
  remit,
  listInstitutions,
  accountBalance,
  accountStatement,
  collect,
  walletStatement,
  transfer,
  walletBalance,
  listWallets,
  withdraw,
] as const;
