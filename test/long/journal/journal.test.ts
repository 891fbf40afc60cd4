// The journal's random and destructive tests in their large sizes: 2,000 power losses, 8 × 1,000 references (once in
// files, once with a server), 6,000 damaged files, 150 full disks, 200,000 orders, 3,000 random plays.
process.env["PARTNER_LONG"] = "1";

await import("../../journal/at-most-once.test.ts");
await import("../../journal/damage.test.ts");
await import("../../journal/disk-full.test.ts");
await import("../../journal/growth.test.ts");
await import("../../journal/power-loss.test.ts");
await import("../../journal/race.test.ts");
await import("../../journal/shared-race.test.ts");
