// The simulation in its large size: 10,000 seeds (or PARTNER_SEEDS), and some with killed processes.
process.env["PARTNER_LONG"] = "1";

await import("../simulation/simulation.test.ts");
