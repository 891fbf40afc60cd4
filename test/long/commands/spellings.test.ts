// Each flag without a value is given each of the values that it does not take.
process.env["PARTNER_LONG"] = "1";

await import("../../commands/spellings.test.ts");
