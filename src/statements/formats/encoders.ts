import type { EncodeStatement } from "./format.ts";

/** The files that a statement can be written as, besides the ways in which every result can be shown. */
export const fileFormats = ["xlsx", "ofx", "camt053", "hledger", "beancount", "html", "xero", "quickbooks"] as const;
export type FileFormat = (typeof fileFormats)[number];

/** What a format is and needs, and where its code is. */
export interface Encoder {
  /** True where the file is no text: it never goes to a terminal. */
  readonly isBinary: boolean;
  /** `needed`: without it no file is written. `welcome`: asked for, and left out where nobody knows it. */
  readonly currency: "needed" | "welcome" | "unused";
  /** True where a file has to say what the account held, whether or not a row says it. */
  readonly needsBalances: boolean;
  /** Beyond this many rows the programs that read such files may refuse them. */
  readonly rowsMax: number | undefined;
  load(): Promise<EncodeStatement>;
}

/** What Xero and QuickBooks take in one file. */
const importRowsMax = 1000;

const text = { isBinary: false, currency: "needed", needsBalances: false, rowsMax: undefined } as const;

export const encoders: Readonly<Record<FileFormat, Encoder>> = {
  ofx: { ...text, needsBalances: true, load: async () => (await import("./ofx.ts")).encodeOfx },
  camt053: { ...text, needsBalances: true, load: async () => (await import("./camt053.ts")).encodeCamt053 },
  hledger: { ...text, load: async () => (await import("./hledger.ts")).encodeHledger },
  beancount: { ...text, load: async () => (await import("./beancount.ts")).encodeBeancount },
  xero: {
    ...text,
    currency: "unused",
    rowsMax: importRowsMax,
    load: async () => (await import("./import-csv.ts")).encodeXero,
  },
  quickbooks: {
    ...text,
    currency: "unused",
    rowsMax: importRowsMax,
    load: async () => (await import("./import-csv.ts")).encodeQuickbooks,
  },
  xlsx: {
    ...text,
    isBinary: true,
    currency: "welcome",
    load: async () => (await import("./xlsx.ts")).encodeXlsx,
  },
  html: { ...text, currency: "welcome", load: async () => (await import("./html.ts")).encodeHtml },
};

/** What stands for them at the end of a file's name. An XML file of ours is always a CAMT.053. */
const endings: Readonly<Partial<Record<FileFormat, string>>> = {
  ofx: ".ofx",
  hledger: ".journal",
  beancount: ".beancount",
  camt053: ".xml",
  xlsx: ".xlsx",
  html: ".html",
};

/** Some of these formats, as a command offers them. */
export function describeFormats(names: readonly FileFormat[]) {
  return names.map((name) => ({ name, ending: endings[name], isBinary: encoders[name].isBinary }));
}

/** All of them. */
export const statementFormats = describeFormats(fileFormats);
