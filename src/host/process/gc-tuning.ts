/** The size from which V8's young generation, both halves, is kept from growing. */
const youngMaxBytes = 16 * 1024 * 1024;

/** Data beyond this size means a run that allocates all the time. */
export const longBytes = 1024 * 1024;

let isHeld = false;

/**
 * Keeps V8's young generation small. It would grow to 128 MB in a run that reads a million rows, without making it
 * faster; the garbage of each piece of an answer fits into an eighth of that. Called repeatedly while long data is read
 * or written: the flag sets the growth factor, which V8 reads whenever the young generation would grow.
 */
export function limitYoungGeneration(): void {
  if (isHeld) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule("node:v8");
  const room = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  if (room === undefined || room.space_size < youngMaxBytes) return;
  isHeld = true;
  setFlagsFromString("--semi-space-growth-factor=1");
}
