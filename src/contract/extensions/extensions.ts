import { collectionBalance, collectionStatement, mainBalance, mainStatement, oneWallet } from "./main-wallets.ts";
import { bankPayout, payout } from "./payout.ts";
import { collectionStatus, paymentStatus } from "./status.ts";

/** What is known of the service beyond its specification. No profile has any of it before it is turned on. */
export const extensions = [
  payout,
  bankPayout,
  collectionStatus,
  paymentStatus,
  mainBalance,
  collectionBalance,
  mainStatement,
  collectionStatement,
  oneWallet,
] as const;
