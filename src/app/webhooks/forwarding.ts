import type { Destination } from "../../webhooks/listen/destination.ts";
import type { Session } from "../session.ts";

/**
 * Whoever takes events at that address, within the time that `--timeout` allows.
 * @throws {Failure} usage when the certificates cannot be used
 */
export async function forwardingTo(url: string, session: Session): Promise<Destination> {
  const { postingTo } = await import("../../webhooks/listen/destination.ts");
  const { host, timeoutMs } = session;
  return postingTo(url, { post: await session.openPost(), ids: host.ids, timeoutMs });
}
