import type { EventDestination } from "../../webhooks/listen/destination.ts";
import type { Session } from "../session.ts";

/**
 * A destination for events at this address, with the time limit of `--timeout`.
 * @throws {Failure} usage when the certificates cannot be used
 */
export async function forwardingTo(url: string, session: Session): Promise<EventDestination> {
  const { postDestination } = await import("../../webhooks/listen/destination.ts");
  const { host, timeoutMs } = session;
  return postDestination(url, { post: await session.openPost(), ids: host.ids, timeoutMs });
}
