// Kills and disk errors at every call by which a run of each kind changes the journal or talks to the service.
process.env["PARTNER_LONG"] = "1";

await import("../../movements/kills.test.ts");
await import("../../movements/batch-kills.test.ts");
await import("../../movements/io-errors.test.ts");
