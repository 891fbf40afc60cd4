// Twenty seeds of rows and searches.
process.env["PARTNER_LONG"] = "1";

await import("../../commands/find-index.test.ts");
