/** Both halves of the room in which V8 makes new objects. */
const youngMaxBytes = 16 * 1024 * 1024;

/** Longer data comes from a run that allocates all the time. */
export const longBytes = 1024 * 1024;

let isHeld = false;

/**
 * Keeps V8 from giving new objects more room than they need. It goes up to 128 MB for a run that reads a million rows,
 * which makes no measured difference to its time; what each piece of an answer leaves behind fits into an eighth.
 * Asked while long things are read and written; the one flag that is set says by how much the room grows, and is read
 * whenever it would.
 */
export function limitYoungGeneration(): void {
  if (isHeld) return;
  const { getHeapSpaceStatistics, setFlagsFromString } = process.getBuiltinModule("node:v8");
  const room = getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space");
  if (room === undefined || room.space_size < youngMaxBytes) return;
  isHeld = true;
  setFlagsFromString("--semi-space-growth-factor=1");
}
