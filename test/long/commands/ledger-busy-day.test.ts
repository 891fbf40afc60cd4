// Thousands of late rows in a shared ledger, too.
process.env["PARTNER_LONG"] = "1";

await import("../../commands/ledger-busy-day.test.ts");
