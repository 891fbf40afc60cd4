import { createHmac } from "node:crypto";
import type { Socket } from "node:net";
import { connect } from "node:net";

/** The key that floods are signed with, as base64. */
export const floodKey = "cGFydG5lci10ZXN0LWhhc2gta2V5LTAxMjM0NTY3ODk=";
const keyBytes = Buffer.from(floodKey, "base64");

/** The documented payload with an id of its own. */
export function payloadOf(id: string): string {
  return `{"event":"transaction.created","account":{"accountNo":"1234567890","accountName":"Business Account Ltd","bankId":"uuid-of-bank"},"transaction":{"id":${JSON.stringify(id)},"transactionId":"bank-transaction-id-or-null","reference":"TXN-REF-123456","paymentReference":"PAY-REF-789","transactionDate":"2025-09-15T10:30:00+03:00","creditOrDebit":"CREDIT","currency":"TZS","amountCredit":50000.00,"amountDebit":0,"availableBalance":150000.00,"currentBalance":150000.00,"description":"Customer payment received"},"counterparty":null}`;
}

/** The body of a webhook over that text, signed by hand. Default time: now. */
export function signed(payload: string, timestamp = new Date().toISOString()): string {
  const signature = createHmac("sha256", keyBytes).update(`${timestamp}${payload}`).digest("base64");
  return JSON.stringify({ timestamp, signature, payload });
}

export interface Flood {
  /** Of the events that were answered with 200. */
  readonly acknowledged: readonly string[];
  /** How often each other status was returned. */
  readonly others: ReadonlyMap<number, number>;
  readonly ms: number;
}

/**
 * Sends one event after the other on each of so many connections, over bare sockets, which cost the sender less than
 * the receiver. It ends when all were answered, or when the receiver is gone. `onAcknowledged` gets each 200.
 */
export async function flood(
  url: string,
  ids: readonly string[],
  connections: number,
  onAcknowledged: (count: number) => void = () => undefined,
): Promise<Flood> {
  const { hostname, port, pathname } = new URL(url);
  const requests = ids.map((id) => {
    const body = Buffer.from(signed(payloadOf(id)));
    const head = `POST ${pathname} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\nx-request-id: ${id}\r\ncontent-length: ${body.length}\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), body]);
  });
  const acknowledged: string[] = [];
  const others = new Map<number, number>();
  let next = 0;
  const work = async (): Promise<void> => {
    const socket = connect(Number(port), hostname);
    socket.setNoDelay(true);
    const statuses = statusesOf(socket);
    for (let index = next++; index < requests.length; index = next++) {
      socket.write(requests[index] ?? "");
      const { value: status } = await statuses.next();
      if (status === undefined) break;
      if (status === 200) onAcknowledged(acknowledged.push(ids[index] ?? ""));
      else others.set(status, (others.get(status) ?? 0) + 1);
    }
    socket.destroy();
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  return { acknowledged, others, ms: performance.now() - started };
}

/** The status of each answer; ends with the connection. */
async function* statusesOf(socket: Socket): AsyncGenerator<number, undefined> {
  let text = "";
  try {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      text += bytes.toString("latin1");
      for (let end = endOfAnswer(text); end !== undefined; end = endOfAnswer(text)) {
        yield Number(text.slice(9, 12));
        text = text.slice(end);
      }
    }
  } catch {
    // The receiver was killed.
  }
  return undefined;
}

/** The end of the first answer; undefined while a part of it is missing. */
function endOfAnswer(text: string): number | undefined {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) return undefined;
  const length = /content-length: (\d+)/i.exec(text.slice(0, head))?.[1];
  const end = head + 4 + Number(length ?? 0);
  return text.length < end ? undefined : end;
}
