import type { Session } from "../app/session.ts";
import { transfer } from "../contract/wallets.ts";

const limits = {
  connectTimeoutMs: 1000,
  headersTimeoutMs: 1000,
  bodyTimeoutMs: 1000,
  deadlineMs: 1000,
  responseMaxBytes: 1000,
};

/** The two remaining ways out, made to carry an order. */
export async function send(session: Session): Promise<void> {
  const { service } = await session.connection();
  const credentials = await service.credentials("A");
  const url = service.address("A", transfer.path);
  const post = await session.openPost();
  const { signal } = session.host;
  await post({ url, body: "{}", requestId: "1", limits, signal, headers: { ...credentials } });
  const probe = await session.openProbe();
  await probe(url, { credentials, timeoutMs: 1000, method: "POST", body: "{}" });
}
