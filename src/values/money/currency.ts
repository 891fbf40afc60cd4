/** Digits after the decimal point, by currency; all others have two. */
const unusualDigits: readonly (readonly [digits: number, codes: string])[] = [
  [0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"],
  [3, "BHD IQD JOD KWD LYD OMR TND"],
  [4, "CLF UYW"],
];
const twoDigits =
  "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP " +
  "COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR " +
  "JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN " +
  "NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL " +
  "THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XAD XCD XCG YER ZAR ZMW ZWG";
const usualDigits = 2;

const digitsByCode = new Map(
  [...unusualDigits, [usualDigits, twoDigits] as const].flatMap(([digits, codes]) =>
    codes.split(" ").map((code) => [code, digits] as const),
  ),
);

/**
 * True for the codes of ISO 4217 that money can be paid in, in upper case. Metals, test codes and units of account have
 * no minor unit and are excluded. A table of our own, since Intl's digits differ from the standard's.
 */
export function isCurrency(code: string): boolean {
  return digitsByCode.has(code);
}

/** Digits after the decimal point: TZS 2, JPY 0, KWD 3. An unknown code has the usual two. */
export function minorDigits(code: string | undefined): number {
  return digitsByCode.get(code ?? "") ?? usualDigits;
}
