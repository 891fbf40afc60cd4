/** An institution that a remittance can be paid to. Spec is silent on its fields and codes: these are invented. */
export interface Institution {
  readonly institutionCode: string;
  readonly name: string;
  readonly channel: "MOBILE" | "BANK";
}

export const institutions: readonly Institution[] = [
  { institutionCode: "TZ-VODACOM-B2C", name: "Vodacom M-Pesa", channel: "MOBILE" },
  { institutionCode: "TZ-TIGO-B2C", name: "Tigo Pesa", channel: "MOBILE" },
  { institutionCode: "TZ-AIRTEL-B2C", name: "Airtel Money", channel: "MOBILE" },
  { institutionCode: "TZ-HALOTEL-B2C", name: "Halotel HaloPesa", channel: "MOBILE" },
  { institutionCode: "CORUTZTZ", name: "CRDB Bank", channel: "BANK" },
  { institutionCode: "NMIBTZTZ", name: "NMB Bank", channel: "BANK" },
  { institutionCode: "NLCBTZTX", name: "National Bank of Commerce", channel: "BANK" },
  { institutionCode: "SBICTZTX", name: "Stanbic Bank Tanzania", channel: "BANK" },
  { institutionCode: "EXTNTZTZ", name: "Exim Bank Tanzania", channel: "BANK" },
  { institutionCode: "EQBLTZTZ", name: "Equity Bank Tanzania", channel: "BANK" },
];
