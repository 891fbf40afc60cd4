import type { Recipient } from "../../webhooks/recipient.ts";
import type { Session } from "../session.ts";

/** Whoever takes events at that address, within the time that `--timeout` allows. */
export async function forwardingTo(url: string, { host, surroundings }: Session): Promise<Recipient> {
  const { postingTo } = await import("../../webhooks/recipient.ts");
  const { openWire, timeoutMs } = surroundings;
  return postingTo(url, { transport: await openWire(), ids: host.ids, timeoutMs });
}
