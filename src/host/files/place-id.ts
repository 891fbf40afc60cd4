/** What identifies a file or folder on one machine. Times are nanoseconds since 1970 UTC. */
export interface PlaceStats {
  readonly ino: bigint;
  readonly birthtimeNs: bigint;
  /** When it was last changed. */
  readonly ctimeNs: bigint;
}

/**
 * `INODE MADE`, or `INODE 0 CHANGED` where the two times are equal: a file system without creation times gives the time
 * of the last change instead, and a coarse clock can give both to a new file that has its whole content.
 */
export function placeIdOf({ ino, birthtimeNs, ctimeNs }: PlaceStats): string {
  return birthtimeNs === ctimeNs ? `${ino} 0 ${ctimeNs}` : `${ino} ${birthtimeNs}`;
}

/**
 * True for the ids of two places. The number of a removed file is used again, so the creation time decides: it is that
 * of the last change for a place that has not changed since. Nothing is said by two ids without one, or by `INODE 0`,
 * the form of earlier versions.
 */
export function isOtherPlace(one: string, other: string): boolean {
  const [oneNumber, oneMade, oneChanged] = one.split(" ");
  const [otherNumber, otherMade, otherChanged] = other.split(" ");
  if (oneNumber !== otherNumber) return true;
  if (oneMade === "0" && otherMade === "0") return false;
  const [oneTime, otherTime] = [oneMade === "0" ? oneChanged : oneMade, otherMade === "0" ? otherChanged : otherMade];
  return oneTime !== undefined && otherTime !== undefined && oneTime !== otherTime;
}
