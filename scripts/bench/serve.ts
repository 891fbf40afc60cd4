import { createReadStream } from "node:fs";
import { createServer } from "node:http";

// Answers every request with the bytes of a file, but for balances; says the port on stdout. Ends when stdin does.
const balance = '{"accountNo":"9000112200","availableBalance":0,"currencyCode":"TZS"}';
const [file = ""] = process.argv.slice(2);
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(200, { "content-type": "application/json" });
  if (request.url?.includes("balance") === true) response.end(balance);
  else createReadStream(file, { highWaterMark: 1 << 20 }).pipe(response);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : 0);
});
process.stdin.resume().on("end", () => process.exit());
