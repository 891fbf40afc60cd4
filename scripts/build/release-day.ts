/** When nothing says when a version came out: the moment that npm, too, gives to every file of a package. */
export const noMoment = new Date("1985-10-26T08:15:00Z");

/**
 * The day of a version as the changelog has it, `## [1.2.0] - 2026-11-30`; undefined for one that is not released.
 * Packages take their dates from it, never from the clock, so that the same sources give the same bytes.
 */
export function releaseDay(version: string, changelog: string): string | undefined {
  const heading = changelog.split("\n").find((line) => line.startsWith(`## [${version}]`));
  return /\d{4}-\d\d-\d\d$/.exec(heading ?? "")?.[0];
}
