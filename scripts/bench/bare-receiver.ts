import { createServer } from "node:http";

// Reads the body of every request and answers 200 and nothing else; says its port on stdout. Ends when stdin does.
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    Buffer.concat(parts);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" && address !== null ? address.port : 0);
});
process.stdin.resume().on("end", () => process.exit());
