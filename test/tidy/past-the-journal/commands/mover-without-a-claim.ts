import type { Session } from "../app/session.ts";
import { Mover } from "../client/mover.ts";
import { transfer } from "../contract/wallets.ts";

/** A mover of its own, without a record: the callback is empty. */
export async function send(session: Session): Promise<unknown> {
  const connection = await session.connection();
  const { signal, giveUp, ids } = session.host;
  const credentials = await connection.service.credentials("A");
  return new Mover(connection, session.moneyTimeoutMs).send({
    endpoint: transfer,
    encoded: { target: transfer.path, body: `{"amount":1,"from":"1001","to":"1002"}` },
    credentials,
    requestId: ids.uuid(),
    signal,
    giveUp,
    onSending: () => undefined,
  });
}
