// The tests of the money path in their large sizes: every byte and every bit for the command, every moment of a kill,
// 20,000 orders over connections that invite reuse, every answer of the table over every way, every zone, every
// sentence of an answer, 10,000 stories of callbacks.
process.env["PARTNER_LONG"] = "1";

await import("../../movements/answer-sentences.test.ts");
await import("../../movements/bit-flips.test.ts");
await import("../../movements/broken-answers.test.ts");
await import("../../movements/classification.test.ts");
await import("../../movements/clocks.test.ts");
await import("../../movements/collect-callbacks.test.ts");
await import("../../movements/evidence-orders.test.ts");
await import("../../movements/many-requests.test.ts");
await import("../../movements/processes.test.ts");
await import("../../movements/unsent.test.ts");
