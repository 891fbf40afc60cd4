import type { EncodeStatement } from "./format.ts";

/** The files that a statement can be written as, besides the ways in which every result can be shown. */
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
export type FileFormat = (typeof fileFormats)[number];

/** What a format is and needs, and where its code is. */
export interface Encoder {
  /** True where the file isn't text: it never goes to a terminal. */
  readonly isBinary: boolean;
  /** `needed`: without it no file is written. `welcome`: asked for, and left out where nobody knows it. */
  readonly currency: "needed" | "welcome" | "unused";
  /** Whether a file says what the account held, where no row says it: has to, does if the service tells, or does not. */
  readonly balances: "needed" | "welcome" | "unused";
  /** True where the account's name is asked for, and left out where nobody tells it. */
  readonly namesAccount?: boolean;
  /** True where transfers between wallets of one profile go through an account of their own. */
  readonly separatesTransfers?: boolean;
  /** Beyond this many rows the programs that read such files may refuse them. */
  readonly rowsMax: number | undefined;
  load(): Promise<EncodeStatement>;
}

/** What Xero and QuickBooks take in one file. */
const importRowsMax = 1000;

const text = { isBinary: false, currency: "needed", balances: "needed", rowsMax: undefined } as const;

export const encoders: Readonly<Record<FileFormat, Encoder>> = {
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
    load: async () => (await import("./xlsx.ts")).encodeXlsx,
  },
  parquet: {
    ...text,
    isBinary: true,
    currency: "unused",
    balances: "unused",
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

/** What stands for them at the end of a file's name. An XML file of ours is always a CAMT.053. */
const endings: Readonly<Partial<Record<FileFormat, string>>> = {
  ofx: ".ofx",
  hledger: ".journal",
  beancount: ".beancount",
  camt053: ".xml",
  xlsx: ".xlsx",
  html: ".html",
  parquet: ".parquet",
};

/** Some of these formats, as a command offers them. */
export function describeFormats(names: readonly FileFormat[]) {
  return names.map((name) => ({ name, ending: endings[name], isBinary: encoders[name].isBinary }));
}

/** All of them. */
export const statementFormats = describeFormats(fileFormats);
