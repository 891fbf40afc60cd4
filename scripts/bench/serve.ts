import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

// Answers every request with the bytes of a file, but for balances and transfers; says the port on stdout. Ends when stdin does.
const balance = '{"accountNo":"9000112200","availableBalance":0,"currencyCode":"TZS"}';
const [file = ""] = process.argv.slice(2);
const server = createServer((request, response) => {
  if (request.url?.endsWith("/transfer-local") === true) return void answerTransfer(request, response);
  request.resume();
  response.writeHead(200, { "content-type": "application/json" });
  if (request.url?.includes("balance") === true) response.end(balance);
  else createReadStream(file, { highWaterMark: 1 << 20 }).pipe(response);
  return undefined;
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : 0);
});
process.stdin.resume().on("end", () => process.exit());

async function answerTransfer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { from, to, amount, description }: Record<string, unknown> = Object(await json(request));
  const transactionDate = "2026-10-31T12:00:00+03:00";
  const ids = { transactionId: "bench", transactionRef: "bench" };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ ...ids, from, to, amount, narration: description, transactionDate }));
}
