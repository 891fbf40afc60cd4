/**
 * The version of what a program must know to write history; each line is written with it. A migration after which
 * earlier programs must not write raises it, as their runs can go on during the upgrade.
 */
export const writerVersion = 1;

/** Why a journal accepts nothing from such a run, in words that follow a colon. */
export const upgradedMeanwhile = "it was upgraded while this run of an earlier version went on";
