import type { MerchantAccountName } from "../books/merchant-account.ts";
import type { WalletName } from "../books/wallet.ts";

/** An account of the demo, and its balance before its first row. */
type Opened<Name> = Name & { readonly opening: string };

/** The demo's account numbers, by their purpose, with leading zeros and letters like the service's. */
export const demoNumbers = {
  payouts: "9000112233",
  salaries: "9000112244",
  collections: "0560066551200",
  shop: "015A8XX787600",
  nairobi: "9000445566",
  mombasa: "9000445577",
  nairobiCollections: "0720011223344",
  savings: "9000999001",
  merchant: "0150387654321",
} as const;

const tanzania = { currency: "TZS", countryCode: "TZ" };
const kenya = { currency: "KES", countryCode: "KE" };

/** In the order in which they are listed. The savings have more digits than a double. */
export const demoWallets: readonly Opened<WalletName>[] = [
  {
    accountNo: demoNumbers.payouts,
    accountName: "Zoë Mwangá Payouts",
    type: "DEFAULT DISBURSEMENT",
    ...tanzania,
    opening: "45000000.00",
  },
  {
    accountNo: demoNumbers.salaries,
    accountName: "Mishahara (salaries)",
    type: "DISBURSEMENT",
    ...tanzania,
    opening: "3000000",
  },
  {
    accountNo: demoNumbers.collections,
    accountName: "Zoë Mwangá Collections",
    type: "DEFAULT COLLECTION",
    ...tanzania,
    opening: "8000000",
  },
  { accountNo: demoNumbers.shop, accountName: "Duka la Posta, Mwanza", type: "COLLECTION", ...tanzania, opening: "0" },
  {
    accountNo: demoNumbers.nairobi,
    accountName: "Nairobi Payouts",
    type: "DEFAULT DISBURSEMENT",
    ...kenya,
    opening: "950000.00",
  },
  {
    accountNo: demoNumbers.mombasa,
    accountName: "Mombasa Payouts",
    type: "DISBURSEMENT",
    ...kenya,
    opening: "40000.50",
  },
  {
    accountNo: demoNumbers.nairobiCollections,
    accountName: "Nairobi Collections",
    type: "DEFAULT COLLECTION",
    ...kenya,
    opening: "0",
  },
  {
    accountNo: demoNumbers.savings,
    accountName: "Akiba Kubwa",
    type: "COLLECTION",
    currency: "CDF",
    countryCode: "CD",
    opening: "12345678901230000.10",
  },
];

export const demoAccounts: readonly Opened<MerchantAccountName>[] = [
  {
    accountNo: demoNumbers.merchant,
    accountName: "Zoë Mwangá & Sons Ltd",
    branchCode: "0015",
    currency: "TZS",
    status: "ACTIVE",
    opening: "6000000.00",
  },
];
