import type { EncodeStatement } from "./format.ts";

/** File formats of statements, in addition to the formats of every result. */
export const fileFormats = [
  "xlsx",
  "ofx",
  "camt053",
  "hledger",
  "beancount",
  "html",
  "xero",
  "quickbooks",
  "parquet",
] as const;
export type StatementFormat = (typeof fileFormats)[number];

/** The properties of a format, and how its code is loaded. */
export interface Encoder {
  /** True where the file isn't text: it never goes to a terminal. */
  readonly isBinary: boolean;
  /** `needed`: without it no file is written. `welcome`: written where it is known. */
  readonly currency: "needed" | "welcome" | "unused";
  /**
   * Opening and closing balance, where no row has them. `needed`: without them no file is written. `welcome`: written
   * where the service gives them.
   */
  readonly balances: "needed" | "welcome" | "unused";
  /** True to write the account's name, where it is known. */
  readonly namesAccount?: boolean;
  /** True to book transfers between wallets of one profile through a transit account. */
  readonly separatesTransfers?: boolean;
  /**
   * True where value dates are written as they were sent, even if they aren't days. Other formats need the day of each
   * row.
   */
  readonly showsAnyDay?: boolean;
  /** Programs that import such files may refuse more rows. */
  readonly rowsMax: number | undefined;
  load(): Promise<EncodeStatement>;
}

/** The limit of one import into Xero or QuickBooks. */
const importRowsMax = 1000;

const text = { isBinary: false, currency: "needed", balances: "needed", rowsMax: undefined } as const;

export const encoders: Readonly<Record<StatementFormat, Encoder>> = {
  ofx: { ...text, load: async () => (await import("./ofx.ts")).encodeOfx },
  camt053: { ...text, load: async () => (await import("./camt053.ts")).encodeCamt053 },
  hledger: { ...text, separatesTransfers: true, load: async () => (await import("./hledger.ts")).encodeHledger },
  beancount: { ...text, separatesTransfers: true, load: async () => (await import("./beancount.ts")).encodeBeancount },
  xero: {
    ...text,
    currency: "unused",
    balances: "unused",
    rowsMax: importRowsMax,
    load: async () => (await import("./import-csv.ts")).encodeXero,
  },
  quickbooks: {
    ...text,
    currency: "unused",
    balances: "unused",
    rowsMax: importRowsMax,
    load: async () => (await import("./import-csv.ts")).encodeQuickbooks,
  },
  xlsx: {
    ...text,
    isBinary: true,
    currency: "welcome",
    balances: "welcome",
    namesAccount: true,
    showsAnyDay: true,
    load: async () => (await import("./xlsx.ts")).encodeXlsx,
  },
  parquet: {
    ...text,
    isBinary: true,
    currency: "unused",
    balances: "unused",
    showsAnyDay: true,
    load: async () => (await import("./parquet.ts")).encodeParquet,
  },
  html: {
    ...text,
    currency: "welcome",
    balances: "welcome",
    namesAccount: true,
    load: async () => (await import("./html.ts")).encodeHtml,
  },
};

/** File name endings that imply the format. An XML file of ours is always a CAMT.053. */
const endings: Readonly<Partial<Record<StatementFormat, string>>> = {
  ofx: ".ofx",
  hledger: ".journal",
  beancount: ".beancount",
  camt053: ".xml",
  xlsx: ".xlsx",
  html: ".html",
  parquet: ".parquet",
};

/** Some of these formats, as a command offers them. */
export function describeFormats(names: readonly StatementFormat[]) {
  return names.map((name) => ({ name, ending: endings[name], isBinary: encoders[name].isBinary }));
}

/** All formats, as a command offers them. */
export const statementFormats = describeFormats(fileFormats);
