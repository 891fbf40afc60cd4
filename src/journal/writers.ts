/**
 * What a program has to know that writes history: it says so with each line. Raised by a migration after which earlier
 * programs must write nothing more. Their runs can go on while the journal is upgraded.
 */
export const writerVersion = 1;

/** Why a journal takes nothing from such a run, in words that follow a colon. */
export const upgradedMeanwhile = "it was upgraded while this run of an earlier version went on";
