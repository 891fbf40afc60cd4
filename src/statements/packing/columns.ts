/** How many rows there is room for initially. */
export const startRows = 1024;

type Numbers = Int32Array | Float64Array | Uint8Array | Uint16Array;

/**
 * A larger copy of the same numbers, one for each row of a side: a million of them take a few megabytes, where objects
 * take hundreds.
 */
export function roomFor<N extends Numbers>(length: number, numbers: N, Kind: new (length: number) => N): N {
  const larger = new Kind(length);
  larger.set(numbers);
  return larger;
}
