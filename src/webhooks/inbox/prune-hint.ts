import { formatDuration } from "../../values/time/duration.ts";
import type { Inbox } from "./inbox.ts";

const dayMs = 24 * 60 * 60_000;
/** Auditors ask for a year; events that are a month older are rarely needed. */
const oldAfterMs = 400 * dayMs;
const largeBytes = 1024 * 1024 * 1024;
const mebibyte = 1024 * 1024;

/** What to do about an inbox that has become large or old; undefined while there is nothing to do. */
export async function pruneHint(inbox: Pick<Inbox, "size">, now: number): Promise<string | undefined> {
  const { bytes, oldestAt = now } = await inbox.size();
  const ageMs = now - oldestAt;
  if (bytes < largeBytes && ageMs <= oldAfterMs) return undefined;
  const days = formatDuration(Math.floor(ageMs / dayMs) * dayMs);
  return `The inbox takes ${Math.round(bytes / mebibyte)} MiB, and its oldest event is ${days} old. To remove old ones: partner webhook inbox prune --older-than 400d`;
}
