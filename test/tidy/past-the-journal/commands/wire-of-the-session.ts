import type { Session } from "../app/session.ts";

/** A wire in every place where a session could have one. */
export async function wires(session: Session): Promise<unknown[]> {
  const connection = await session.connection();
  return [
    await session.openWire(),
    await session.serviceLine(),
    await session.host.transport({}),
    connection.transport,
    connection.send,
    session.network,
  ];
}
