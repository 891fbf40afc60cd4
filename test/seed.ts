import * as fc from "fast-check";

/** The seed of the properties' cases: the same in each run, so that a failure is caused by the change. */
const usualSeed = "20261129";

// The long run has other seeds: it looks for cases beyond this one.
fc.configureGlobal({ seed: Number(process.env["PARTNER_SEED"] ?? usualSeed) });
