import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileFormats } from "../../src/statements/formats/encoders.ts";
import type { Told } from "./told.ts";
import { bothKinds, exported, statementBody } from "./told.ts";

/** A collection with its fee, a payout, a repeated reference, and text that every format must escape. */
const rows: readonly Told[] = [
  {
    ref: "COL-1",
    at: "2026-02-02 00:00:01",
    narration: 'Rent; "Zoë & <Sons>"',
    sender: "Amina | Juma",
    amount: "150.5",
  },
  { ref: "COL-1-PAYIN", at: "2026-02-02 00:00:01", narration: "SERVICE FEE FOR REF:COL-1 TXNID:9", amount: "-4.00" },
  { ref: "-X50jc(U)", at: "2026-02-27 23:59:59", narration: "=SUM(A1)\u001b[31m\r\nline two", amount: "-100" },
  { ref: "COL-1", at: "2026-02-27 23:59:59", narration: "", amount: "0.01" },
];
const endings: Readonly<Record<string, string>> = {
  camt053: "xml",
  hledger: "journal",
  xero: "csv",
  quickbooks: "csv",
};
const textFormats = fileFormats.filter((format) => !["xlsx", "html", "parquet"].includes(format));

test.each(textFormats.flatMap((format) => bothKinds.map((kind) => ({ format, kind }))))(
  "$format of a $kind account matches the stored file byte for byte",
  async ({ format, kind }) => {
    const { stdout, summary, exit } = await exported(format, kind, statementBody(kind, rows));
    const path = join(import.meta.dirname, "files", `${format}-${kind}.${endings[format] ?? format}`);
    expect(stdout).toBe(readFileSync(path, "utf8"));
    expect(summary).toBe("4 rows, +150.51 −104.00, closing 1,046.51, adds up");
    expect(exit).toBe(0);
  },
);
