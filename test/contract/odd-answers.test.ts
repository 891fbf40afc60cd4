import { expect, test } from "vitest";
import { afterRequest, serveSockets } from "../host/servers.ts";
import { environmentAt } from "../movements/service.ts";
import { run, words } from "../partner.ts";
import { answer } from "./recorder.ts";

// Oddities of an answer that do not stop it from being shown.

test("an invalid UTF-8 byte spoils only the text that contains it", async () => {
  const statement = '[{"narration":"Caf\u00e9","amountCredited":5.00,"balance":5.00}]';
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${statement.length}\r\nconnection: close\r\n\r\n`;
  const port = await serveSockets((socket) => afterRequest(socket, () => socket.end(head + statement, "latin1")));
  const environment = environmentAt(`http://127.0.0.1:${port}`);
  const read = await run(words("wallet statement 1 --today --json"), { environment });
  expect(read).toMatchObject({ exit: 0 });
  expect(read.stdout).toContain('"narration": "Caf\ufffd"');
  expect(read.stdout).toContain('"balance": 5.00');
  expect(await run(words("wallets list --json"), { environment })).toMatchObject({ exit: 0 });
});

test.each([
  ["wallet statement 1 --today --json", '[{"balance":5.00}]'],
  ["account statement 1 --today --json", '{"success":true,"result":{"statement":[{"balance":5.00}]}}'],
  ["wallets list --json", '[{"balance":5.00}]'],
])("a byte order mark before an answer is ignored: %s", async (command, body) => {
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length + 3}\r\nconnection: close\r\n\r\n`;
  const port = await serveSockets((socket) => afterRequest(socket, () => socket.end(`${head}\ufeff${body}`)));
  const environment = { ...environmentAt(`http://127.0.0.1:${port}`), PARTNER_ACCESS_TOKEN: "token" };
  const read = await run(words(command), { environment });
  expect(read).toMatchObject({ exit: 0 });
  expect(read.stdout).toContain('"balance": 5.00');
});

test("an interim answer before the answer is ignored", async () => {
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => {
      socket.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
      socket.end(answer("200 OK", "[]"));
    }),
  );
  const environment = environmentAt(`http://127.0.0.1:${port}`);
  expect(await run(words("wallets list --json"), { environment })).toMatchObject({ exit: 0, stdout: "[]\n" });
});

test("a long narration in a long statement is printed unchanged", async () => {
  const rows = Array.from(
    { length: 12 },
    (_, index) => `{"narration":"${index} ${digits(index % 2 === 0 ? 9 : 900_000)}"}`,
  );
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => socket.end(answer("200 OK", `[${rows.join(",")}]`))),
  );
  const environment = environmentAt(`http://127.0.0.1:${port}`);
  const read = await run(words("wallet statement 1 --today --output ndjson"), { environment });
  expect(read.stdout === `${rows.join("\n")}\n`).toBe(true);
  expect(read.exit).toBe(0);
});

/** No part of them is like another. */
function digits(count: number): string {
  return Array.from({ length: Math.ceil(count / 9) }, (_, index) => String(index).padStart(9, "0"))
    .join("")
    .slice(0, count);
}
