// A million changed webhooks, or PARTNER_MUTATIONS of them.
process.env["PARTNER_LONG"] = "1";

await import("../../webhooks/forgeries.test.ts");
