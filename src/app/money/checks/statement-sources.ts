import type { Sources } from "../../../evidence/inquiry.ts";
import type { StatusSource } from "../../../movements/resolve/order-status.ts";
import type { Session } from "../../session.ts";
import { inStatusTurn } from "../waits/status-turns.ts";

/**
 * What an inquiry into the statements of the session's account needs.
 * @throws {Failure} usage | setup | unavailable
 */
export async function statementSources(session: Session): Promise<Sources> {
  return {
    service: session.service,
    journal: await session.journal("write"),
    scope: await session.accountScope(),
    nowMs: session.host.clock.now(),
    clock: session.clockWatch.watch(),
  };
}

/**
 * Everything needed to ask for the status of the account's orders.
 * @throws {Failure} usage | setup
 */
export async function statusSource(session: Session): Promise<StatusSource> {
  const { host, service } = session;
  const { extensions } = await session.account();
  const inTurn: StatusSource["inTurn"] = (order, ask) => inStatusTurn(host, order, ask);
  return { service, extensions, clock: host.clock, signal: host.signal, inTurn };
}
