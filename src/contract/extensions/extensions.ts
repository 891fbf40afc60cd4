import { collectionBalance, collectionStatement, mainBalance, mainStatement, oneWallet } from "./main-wallets.ts";
import { bankPayout, payout } from "./payout.ts";
import { collectionStatus, paymentStatus } from "./status.ts";

/** Features of the service beyond its specification. Each is off until a profile turns it on. */
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
