import { expect, test } from "vitest";
import { referenceOf, wholeAnswer } from "./broken-answers.ts";
import { startRun } from "./child.ts";
import { kinds } from "./kinds.ts";
import { openMoneyPath } from "./money-path.ts";
import { environmentAt } from "./service.ts";
import { teller } from "./teller.ts";
import { openTill } from "./till.ts";

// Bytes after a complete answer say nothing about the order.

const others: Readonly<Record<string, string>> = {
  "a line break": "\r\n",
  "text that is no HTTP": "a stray line of a log\r\n\r\n",
  "another answer": "HTTP/1.1 500 Internal Server Error\r\ncontent-length: 0\r\n\r\n",
};

for (const kind of kinds) {
  test.for(Object.keys(others))(
    `${kind.kind}: %s after a complete answer does not change the outcome`,
    async (name) => {
      const service = await teller({
        react(socket, { body }) {
          socket.end(`${wholeAnswer(kind, kind.referenceIn(body) ?? "")}${others[name]}`);
        },
      });
      const path = await openMoneyPath(service.origin);
      const { movement } = await path.perform(kind, referenceOf(1));
      expect(movement.state).toBe(kind.state);
      expect(service.requests.length).toBe(1);
    },
  );
}

const switching = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n";

test("an order answered with a switch to another protocol is unknown, and the run ends", async () => {
  const service = await teller({ react: (socket) => void socket.write(switching) });
  const { exit, stderr } = await startRun(kinds[0].line("R-1"), openTill(environmentAt(service.origin))).run;
  expect(exit).toBe(6);
  expect(stderr).toContain("answered 101, which ends no request");
});

test("an answer with two lengths is unknown, even when NODE_OPTIONS makes Node accept it", async () => {
  const [kind] = kinds;
  const service = await teller({
    react(socket, { body }) {
      const [head = "", json = ""] = wholeAnswer(kind, kind.referenceIn(body) ?? "").split("\r\n\r\n");
      const chunked = `${Buffer.byteLength(json).toString(16)}\r\n${json}\r\n0\r\n\r\n`;
      socket.end(`${head}\r\ntransfer-encoding: chunked\r\n\r\n${chunked}`);
    },
  });
  const till = openTill({ ...environmentAt(service.origin), NODE_OPTIONS: "--insecure-http-parser" });
  expect(await startRun(kind.line("R-1"), till).run).toMatchObject({ exit: 6 });
  expect(service.requests.length).toBe(1);
});
