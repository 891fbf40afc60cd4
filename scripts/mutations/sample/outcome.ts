/** What became of a slip: a test or the types noticed it, nothing did, or nobody has looked. */
export type Outcome = "noticed" | "survived" | "left";

/** A slip at a place of a source, as it ended. */
export interface Ended {
  readonly source: string;
  readonly outcome: Outcome;
}

/** Money hangs on these folders: nothing in them goes unnoticed. */
const wholeFolders = ["src/movements", "src/journal", "src/profiles"];
/** The share that is noticed elsewhere. */
const leastShare = 0.95;

/** How each folder of the sources fared, a line each, and how all of them did. */
export function figures(ended: readonly Ended[]): string[] {
  const folders = [...Map.groupBy(ended, ({ source }) => folderOf(source))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [...folders, ["all", ended] as const].map(([folder, its]) => {
    const [noticed, survived, left] = (["noticed", "survived", "left"] as const).map((outcome) => count(its, outcome));
    return `${folder}: ${noticed} noticed, ${survived} survived, ${left} not looked into`;
  });
}

/** Why a sample is not good enough, a sentence each; one that was not looked into counts as unnoticed. */
export function shortfalls(ended: readonly Ended[]): string[] {
  const share = count(ended, "noticed") / ended.length;
  const whole = wholeFolders.map((folder) => ended.filter(({ source }) => folderOf(source) === folder));
  return [
    ...(share >= leastShare ? [] : [`${(100 * share).toFixed(1)} % are noticed, less than ${100 * leastShare} %.`]),
    ...whole.flatMap((its, index) => {
      const unnoticed = its.length - count(its, "noticed");
      return unnoticed === 0 ? [] : [`${unnoticed} of ${its.length} in ${wholeFolders[index]} are not noticed.`];
    }),
  ];
}

function count(ended: readonly Ended[], wanted: Outcome): number {
  return ended.filter(({ outcome }) => outcome === wanted).length;
}

function folderOf(source: string): string {
  return source.split("/").slice(0, 2).join("/");
}
