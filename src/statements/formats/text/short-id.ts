import { createHash } from "node:crypto";

/** Hexadecimal digits that distinguish ids with the same beginning. */
const markChars = 8;

/**
 * An id that fits into a field: unchanged, or where it is too long its start and a hash of all of it. So two long ids
 * stay different, and each is the same on every run.
 */
export function shortId(id: string, maxChars: number): string {
  if (id.length <= maxChars) return id;
  const mark = createHash("sha256").update(id).digest("hex").slice(0, markChars);
  const start = Array.from(id).slice(0, maxChars - markChars - 1);
  return `${start.join("")}~${mark}`;
}
