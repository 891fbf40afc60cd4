import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunningSimulator, SimulatorOptions } from "../../src/simulator/simulator.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import type { MemoryHost, World } from "../memory-host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";

/** Four wallets and a merchant account, small enough to know by heart: the text of a seed file. */
const seedText = String.raw`{
  "wallets": [
    {
      "accountNo": "1042", "accountName": "Zoë Mwangá", "type": "DEFAULT DISBURSEMENT", "currency": "TZS", "countryCode": "TZ",
      "opening": 1950000.00,
      "entries": [
        {"tranRefNo": "-X50jcLD-U", "valueDate": "2026-03-01 00:00:00", "txnDate": "2026-02-11 08:00:00", "narration": "=1+1, \"quoted\"", "debitOrCredit": "CR", "amountCredited": 282745.15, "amountDebited": ""},
        {"cbaRefNo": null, "meta": {}, "balance": 2232000.15, "tranRefNo": "AbCdEfGhIjKl", "valueDate": "2026-03-02 23:59:59", "txnDate": "2026-03-02 23:59:59", "narration": "rent", "debitOrCredit": "DR", "amountCredited": 0, "amountDebited": 745},
        {"tranRefNo": "AbCdEfGhIjKl-PAYOUT", "valueDate": "2026-03-03 00:00:00", "txnDate": "2026-03-03 00:00:00", "narration": "SERVICE FEE FOR REF:AbCdEfGhIjKl TXNID:1", "debitOrCredit": "DR", "amountCredited": 0, "amountDebited": 0.15}
      ]
    },
    {"accountNo": "0043", "accountName": "Salaries", "type": "DISBURSEMENT", "currency": "TZS", "countryCode": "TZ", "opening": 12345678901234567.10},
    {"accountNo": "1044", "accountName": "Nairobi", "type": "DISBURSEMENT", "currency": "KES", "countryCode": "KE", "opening": 700},
    {"accountNo": "2001", "accountName": "Collections", "type": "DEFAULT COLLECTION", "currency": "TZS", "countryCode": "TZ"}
  ],
  "accounts": [
    {
      "accountNo": "015A8XX787600", "accountName": "Business Account Ltd", "branchCode": "0015", "currency": "TZS",
      "opening": 100000,
      "entries": [
        {"transactionId": null, "reference": "TXN-REF-1", "paymentReference": null, "creditOrDebit": "CREDIT", "transactionDate": "2026-03-04T10:30:00+03:00", "valueDate": "2026-03-05T00:00:00+03:00", "narration": "Customer payment", "description": "Customer payment", "currency": "TZS", "amountCredit": 50000.00, "amountDebit": 0, "senderAccountNo": null, "senderAccountName": null, "senderBankIdentifier": null}
      ]
    }
  ]
}`;

export const smallWorld = join(temporaryFolder(), "small-world.json");
writeFileSync(smallWorld, seedText);

/** 2026-03-31 12:00:00 in Dar es Salaam, the fixed time of these tests. */
export const noon = Date.UTC(2026, 2, 31, 9);

/** A simulator of the small world; it is stopped after the test. */
export async function small(options: SimulatorOptions = {}, world: World = {}): Promise<RunningSimulator> {
  return (await started(memoryHost({ now: noon, ...world }), { seed: smallWorld, ...options })).simulator;
}

/** Any simulator with its host; it is stopped after the test. */
export async function started<H extends MemoryHost>(host: H, options: SimulatorOptions) {
  const simulator = await startSimulator(host, options);
  onTestFinished(() => simulator.stop());
  return { simulator, host };
}

/** The credentials of group A and a request id, as written in a request. */
export const groupA = `x-account-id: simulator
x-secret-key: c2ltdWxhdG9yL3NlY3JldCtrZXk/fi8rPj8+fn5+Pz8=
x-request-id: 6b1f0c9e-8f0d-4b7a-9a51-0d2f4c1b2a3e
content-type: application/json`;

export const groupB = `authorization: Bearer simulator-access-token-8f14e45fceea167a
x-request-id: 6b1f0c9e-8f0d-4b7a-9a51-0d2f4c1b2a3e
content-type: application/json`;

export interface Heard {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/**
 * Sends a request written by hand (head, empty line, body) over its own socket, and returns the answer. Only the host,
 * the body's length and the end of the connection are added.
 */
export function say({ accountBaseUrl }: RunningSimulator, request: string): Promise<Heard> {
  const [head = "", ...rest] = request.split("\n\n");
  const body = rest.join("\n\n");
  const length = body === "" ? "" : `content-length: ${Buffer.byteLength(body)}\n`;
  const text = `${head}\nhost: simulator.test\n${length}connection: close\n\n`.replaceAll("\n", "\r\n") + body;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(new URL(accountBaseUrl).port), "127.0.0.1", () => socket.write(text));
    socket.on("data", (part) => parts.push(part));
    socket.on("error", reject);
    socket.on("end", () => resolve(hear(Buffer.concat(parts).toString())));
  });
}

function hear(answer: string): Heard {
  const [head = "", ...rest] = answer.split("\r\n\r\n");
  const sent = rest.join("\r\n\r\n");
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]),
    type: /\r\ncontent-type: ([^\r]+)/i.exec(head)?.[1],
    body: /\r\ntransfer-encoding: chunked/i.test(head) ? dechunk(Buffer.from(sent)) : sent,
  };
}

function dechunk(bytes: Buffer): string {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const end = bytes.indexOf("\r\n", at);
    const length = Number.parseInt(bytes.subarray(at, end).toString(), 16);
    if (!(length > 0)) return Buffer.concat(parts).toString();
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 4 + length;
  }
}
