// Twenty seeds of rows and of what is looked for.
process.env["PARTNER_LONG"] = "1";

await import("../../commands/find-index.test.ts");
