import { rmSync } from "node:fs";
import type { Transport } from "../../src/host/http/transport.ts";
import { startSimulator } from "../../src/simulator/simulator.ts";
import { unplugged } from "../fuzz/unplugged.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { Places, Reader } from "./reader.ts";
import { nothing, settled } from "./reader.ts";

const answers: Places = {
  "": (run) => run,
  ": an id": (run) => JSON.stringify({ transactionRef: "T", transactionId: run, statusCode: "SUCCESS" }),
  ": a word": (run) => JSON.stringify({ transactionId: "T", statusCode: run }),
  ": a field": (run) => JSON.stringify({ statusCode: 400, reason: "BAD_REQUEST", details: { amount: run } }),
};

const lines: Readonly<Record<string, string>> = {
  transfer: "transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference R-1 --yes",
  collect: "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference R-1 --yes",
};

/** The answers to orders, which are kept, shown and looked for in a statement, and the requests to a simulator. */
export const orderReaders: readonly Reader[] = [
  ...Object.entries(lines).flatMap(([kind, line]) =>
    Object.entries(answers).map(([place, text]): Reader => ({
      name: `the answer to a ${kind}${place}`,
      takes: "files",
      read: (hostile) => ordered(line, text(hostile), "rent"),
    })),
  ),
  {
    name: "the statement in which an order is looked for",
    takes: "files",
    read: (hostile) => ordered(lines["transfer"] ?? "", "{}", `${hostile} [R-1]`),
  },
  {
    name: "an answer that api shows on a terminal",
    takes: "files",
    read: (hostile) =>
      run(words("api GET /wallet"), { ...unplugged({ status: 200, body: hostile }), terminal: { stdout: true } }),
  },
  {
    name: "the body that api sends",
    takes: "files",
    read: (hostile) =>
      run(words("api POST /wallet/balance --body @-"), { ...unplugged({ status: 200, body: "{}" }), stdin: hostile }),
  },
  {
    name: "the path that api is given",
    takes: "words",
    read: (hostile) => run(["api", "GET", hostile], unplugged({ status: 200, body: "{}" })),
  },
  {
    name: "a transcript",
    takes: "files",
    read: (hostile) => run(words("wallets list --debug"), unplugged({ status: 200, body: hostile })),
  },
  { name: "what a simulator is asked", takes: "words", read: (hostile) => settled(() => asked(hostile)) },
];

/** An order in a world of its own: sent, sent again, shown, and looked for. */
async function ordered(line: string, answer: string, narration: string): Promise<void> {
  const folder = temporaryFolder();
  const row = { tranRefNo: "T", valueDate: "2026-03-31", narration, amountCredited: 0, amountDebited: 5, balance: 1 };
  const { environment } = unplugged({ status: 200, body: "" });
  const transport: Transport = async (request) => {
    request.onSending?.();
    const body = request.url.includes("statement") ? JSON.stringify([row]) : request.body === undefined ? "[]" : answer;
    return { status: 200, headers: {}, body: piecesOf(Buffer.from(body)), leave: () => undefined };
  };
  const world = {
    host: { transport: () => Promise.resolve(transport) },
    environment: { ...environment, PARTNER_CONFIG_DIR: folder },
  };
  for (const words of [line, line, "journal show R-1", "journal resolve R-1"]) await run(words.split(" "), world);
  rmSync(folder, { recursive: true });
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 1009) yield bytes.subarray(at, at + 1009);
}

async function asked(hostile: string): Promise<void> {
  const simulator = await startSimulator(memoryHost(), { log: nothing });
  try {
    const { baseUrl, accountId, secretKey } = simulator;
    const headers = {
      "content-type": "application/json",
      "x-account-id": accountId,
      "x-secret-key": secretKey,
      "x-request-id": "1b4e28ba-2fa1-41d2-883f-0016d3cca427",
    };
    await fetch(`${baseUrl}/transaction/transfer-local`, { method: "POST", headers, body: hostile });
    await fetch(`${baseUrl}/transaction/transfer-local?${encodeURI(hostile.slice(0, 4096))}`, { headers });
  } finally {
    await simulator.stop();
  }
}
