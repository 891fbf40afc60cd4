import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import { afterRequest, serveProxy, serveSockets, serveTls } from "../host/servers.ts";
import { run, words } from "../partner.ts";
import { stopTime } from "../stopped-time.ts";
import { ask, environmentAt, errorIn, ok } from "./served.ts";

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

/** Runs a command against a server of bare sockets, which receives a socket after each whole request. */
async function against(line: string, answerBy: (socket: Socket) => void, environment: Record<string, string> = {}) {
  const counted = { requests: 0 };
  const port = await serveSockets((socket) =>
    afterRequest(socket, () => {
      counted.requests += 1;
      answerBy(socket);
    }),
  );
  const ended = await run(words(line), {
    environment: { ...environmentAt(`http://127.0.0.1:${port}`), ...environment },
  });
  return { ...ended, requests: counted.requests };
}

/** Writes the same bytes over and over while the other side reads them. */
function pour(socket: Socket, bytes: Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on("drain", more);
  more();
}

/** Writes the start and then a little at a time, without end. */
function trickle(socket: Socket, start: string, piece: string, pass: (ms: number) => void): void {
  socket.write(start);
  // The loop turns between two of them: each piece is read before time passes again.
  const timer = setInterval(() => {
    socket.write(piece);
    pass(10);
  }, 1);
  socket.on("close", () => clearInterval(timer));
}

const reads = ["wallets list --json", "wallet statement 42 --month 2026-02 --csv"];

test.each(reads)("%s: a service that never answers is retried after --timeout, and then given up", async (line) => {
  const pass = stopTime();
  const { exit, stdout, stderr, requests, host } = await against(`${line} --timeout 150ms`, () => pass(150));
  expect({ exit, stdout, requests }).toEqual({ exit: 5, stdout: "", requests: 3 });
  expect(stderr.match(/ Trying again in /g)).toHaveLength(2);
  expect(stderr).toMatch(/\nError: .* took longer than 150 ms|did not answer in time/);
  expect(host.clock.sleeps).toHaveLength(2);
});

test.each(reads)("%s: --timeout limits an answer that trickles in", async (line) => {
  const start = `${head}content-length: 1000000\r\n\r\n[`;
  const pass = stopTime();
  const result = await against(`${line} --timeout 200ms --retries 0`, (socket) => trickle(socket, start, " ", pass));
  expect(result).toMatchObject({ exit: 5, stdout: "", requests: 1 });
  expect(result.stderr).toContain("took longer than 200 ms");
});

test("--timeout limits headers that trickle in, too", async () => {
  const pass = stopTime();
  const result = await against("wallets list --timeout 200ms --retries 0", (socket) =>
    trickle(socket, "HTTP/1.1 200 OK\r\n", "x-more: 1\r\n", pass),
  );
  expect(result).toMatchObject({ exit: 5, stdout: "", requests: 1 });
});

const whiteSpace = " \t\r\n";
const blanks = Buffer.alloc(256 * 1024, whiteSpace);
const starts: readonly [string, string][] = [
  ["before the list", ""],
  ["within the list", "["],
  ["behind the list", "[]"],
];

test.each(starts)("endless white space %s is given up, and not retried", async (_, start) => {
  let poured = 0;
  for (const line of reads) {
    const result = await against(line, (socket) => {
      socket.write(`${head}\r\n${start}`);
      socket.on("close", () => (poured += socket.bytesWritten));
      pour(socket, blanks);
    });
    expect(result).toMatchObject({ exit: 5, stdout: "", requests: 1 });
    expect(result.stderr).toContain("white space in a row");
  }
  // The sockets' own buffers are not counted against the limit.
  expect(poured).toBeLessThan(64 * 1024 * 1024);
});

test("half a megabyte of white space in a row is read, and a megabyte is given up", async () => {
  const half = whiteSpace.repeat(128 * 1024);
  for (const line of reads) {
    const answerWith = (blank: string) => against(line, (socket) => void socket.end(`${head}\r\n${blank}[]`));
    expect(await answerWith(half)).toMatchObject({ exit: 0 });
    const more = await answerWith(half + half);
    expect(more).toMatchObject({ exit: 5, stdout: "", requests: 1 });
    expect(more.stderr).toContain("more than 524288 bytes of white space in a row");
  }
});

test("endless white space is given up when compressed, too", async () => {
  const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024, whiteSpace));
  for (const line of reads) {
    const result = await against(line, (socket) => {
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      socket.end(bomb);
    });
    expect(result).toMatchObject({ exit: 5, stdout: "" });
    expect(result.stderr).toContain("white space in a row");
  }
});

test("an endless list of wallets is given up at its size limit, and not retried", async () => {
  const wallets = Buffer.from('{"accountNo":"1","balance":1.00},'.repeat(8_000));
  const result = await against("wallets list --json", (socket) => {
    socket.write(`${head}\r\n[`);
    pour(socket, wallets);
  });
  expect(result).toMatchObject({ exit: 5, stdout: "", requests: 1 });
  expect(result.stderr).toContain("larger than 16777216 bytes");
});

test.each(["gzip", "x-gzip"])("an answer in %s is read like any other", async (encoding) => {
  const body = gzipSync('[{"accountNo":"0042","balance":4500000.00}]');
  const zipped = (socket: Socket) => {
    socket.write(`${head}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`);
    socket.end(body);
  };
  const { exit, stdout } = await against("wallets list --csv --columns accountNo,balance", zipped);
  expect({ exit, stdout }).toEqual({ exit: 0, stdout: "accountNo,balance\n0042,4500000.00\n" });
});

test("an answer with broken compression exits with 5 and an empty stdout", async () => {
  const body = gzipSync("[]".padEnd(1000));
  for (const line of reads) {
    const result = await against(`${line} --retries 0`, (socket) => {
      socket.end(Buffer.concat([Buffer.from(`${head}content-encoding: gzip\r\n\r\n`), body.subarray(0, 12)]));
    });
    expect(result).toMatchObject({ exit: 5, stdout: "" });
  }
});

test("an answer that isn't HTTP exits with 5", async () => {
  const result = await against("wallets list --retries 0", (socket) => void socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(result.stderr).toContain("isn't HTTP");
});

test("--retries sets the number of retries, and 0 makes one attempt", async () => {
  const down = answer("503 Service Unavailable", "");
  for (const [flags, attempts] of [
    ["", 3],
    ["--retries 0", 1],
    ["--retries 5", 6],
  ] as const) {
    const { exit, requests, host } = await ask(`wallets list ${flags}`, down);
    expect({ exit, attempts: requests.length }).toEqual({ exit: 5, attempts });
    expect(host.clock.sleeps).toHaveLength(attempts - 1);
  }
});

test("waits between attempts stay below a ceiling that doubles up to 8 s", async () => {
  const { host } = await ask("wallets list --retries 10", answer("500 Internal Server Error", "{}"));
  for (const [retry, sleep] of host.clock.sleeps.entries())
    expect(sleep).toBeLessThan(Math.min(8_000, 500 * 2 ** retry));
});

test.each(["400 Bad Request", "401 Unauthorized", "403 Forbidden", "404 Not Found", "409 Conflict", "307 Moved"])(
  "%s is not retried",
  async (status) => {
    const { requests } = await ask("wallets list", answer(status, "{}"));
    expect(requests).toHaveLength(1);
  },
);

// The clock of the tests is at 2026-03-31 09:00:00 UTC.
const waits: readonly [string, number][] = [
  ["7", 7_000],
  ["0", 0],
  ["60", 60_000],
  ["Tue, 31 Mar 2026 09:00:12 GMT", 12_000],
  ["Tue, 31 Mar 2026 08:00:00 GMT", 0],
];

test.each(waits)("Retry-After: %s is obeyed", async (retryAfter, waitMs) => {
  const busy = answer("429 Too Many Requests", "", `retry-after: ${retryAfter}\r\n`);
  const { exit, host, requests } = await ask("wallets list --json", [busy, ok("[]")]);
  expect({ exit, sleeps: host.clock.sleeps, attempts: requests.length }).toEqual({
    exit: 0,
    sleeps: [waitMs],
    attempts: 2,
  });
});

const tooLong: readonly [string, string][] = [
  ["61", "1m 1s"],
  ["90000", "1d 1h"],
  ["Tue, 31 Mar 2026 10:00:00 GMT", "1h"],
];

test.each(tooLong)(
  "Retry-After: %s is too long to wait for: exit 5 at once, and the hint says %s",
  async (retryAfter, words) => {
    const busy = answer("503 Service Unavailable", "", `retry-after: ${retryAfter}\r\n`);
    const result = await ask("wallets list", busy);
    expect(result).toMatchObject({ exit: 5, stdout: "", requests: [expect.any(String)] });
    expect(result.host.clock.sleeps).toEqual([]);
    expect(result.stderr).toContain(`Hint: Try again in ${words}, as the service asks.\n`);
  },
);

test.each(["soon", "-1", "1.5", "99999999999999999999"])("Retry-After: %s is ignored", async (retryAfter) => {
  const busy = answer("503 Service Unavailable", "", `retry-after: ${retryAfter}\r\n`);
  expect(await ask("wallets list --json", [busy, ok("[]")])).toMatchObject({ exit: 0 });
});

test("when a retry succeeds, its answer is printed, and a note of the retry is on stderr only", async () => {
  const result = await ask("wallets list --json", [answer("502 Bad Gateway", "<html>"), ok("[]")]);
  expect(result).toMatchObject({ exit: 0, stdout: "[]\n" });
  expect(result.stderr).toMatch(/^The service has a problem of its own \(502\)\. Trying again in .*\.\n$/);
  const soon = answer("502 Bad Gateway\r\nretry-after: 0", "<html>");
  expect((await ask("wallets list --json", [soon, ok("[]")])).stderr).toMatch(/ \(502\)\. Trying again now\.\n$/);
  const quiet = await ask("wallets list --json --quiet", [answer("502 Bad Gateway", "<html>"), ok("[]")]);
  expect(quiet).toMatchObject({ exit: 0, stdout: "[]\n", stderr: "" });
});

async function unreachable(environment: Record<string, string>, line = "wallets list --output json") {
  return run(words(line), { environment: { ...environmentAt("https://service.invalid"), ...environment } });
}

test("a port without a listener exits with 5: could not connect", async () => {
  const result = await unreachable({ PARTNER_BASE_URL: "http://127.0.0.1:1" });
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(errorIn(result)).toMatchObject({ ending: "unavailable", http: null, money: "none" });
  expect(errorIn(result)).toMatchObject({ message: "Could not connect to 127.0.0.1:1 (ECONNREFUSED)." });
  expect(result.stderr).toMatch(
    /^(Could not connect to 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Trying again in [^\n]+\.\n){2}/,
  );
});

test.each(["socks5://127.0.0.1:1080", "http://:1:2", "http://ada:%zz@127.0.0.1:1"])(
  "an invalid proxy address (%s) exits with 5 at once",
  async (HTTPS_PROXY) => {
    const result = await unreachable({ HTTPS_PROXY });
    expect(result).toMatchObject({ exit: 5, stdout: "" });
    expect(result.stderr).toMatch(/^Error: HTTPS_PROXY .*\nHint: Correct or unset it: partner doctor\n/);
  },
);

test("a host name that does not exist exits with 5", async () => {
  const result = await unreachable({});
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(result.stderr).toMatch(/The name service\.invalid was not found \((ENOTFOUND|EAI_AGAIN)\)/);
});

test.each(["expired", "elsewhere", "localhost"] as const)(
  "an untrusted certificate (%s) exits with 5, and is not retried",
  async (name) => {
    const port = await serveTls(name, (socket) => void socket.end());
    const result = await unreachable({ PARTNER_BASE_URL: `https://localhost:${port}` });
    expect(result).toMatchObject({ exit: 5, stdout: "" });
    expect(result.stderr).toMatch(/The certificate of localhost /);
    expect(result.host.clock.sleeps).toEqual([]);
  },
);

test("a server without TLS exits with 5", async () => {
  const port = await serveSockets((socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const result = await unreachable({ PARTNER_BASE_URL: `https://127.0.0.1:${port}` });
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(result.stderr).toContain(`TLS with 127.0.0.1:${port} failed`);
});

test.each(["403 Forbidden", "407 Proxy Authentication Required", "502 Bad Gateway"])(
  "a proxy that answers %s exits with 5, and its password is not printed",
  async (status) => {
    const port = await serveSockets((socket) =>
      afterRequest(socket, () => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`)),
    );
    const result = await unreachable(
      { HTTPS_PROXY: `http://clerk:proxy-password@127.0.0.1:${port}` },
      "wallets list --output json --debug",
    );
    expect(result).toMatchObject({ exit: 5, stdout: "" });
    expect(result.stderr).toContain(`refused the way to service.invalid:443: HTTP ${status.slice(0, 3)}`);
    expect(result.stderr).not.toMatch(/proxy-password|Y2xlcms6cHJveHktcGFzc3dvcmQ/);
  },
);

test("a proxy that isn't running exits with 5", async () => {
  const result = await unreachable({ HTTPS_PROXY: "http://127.0.0.1:1" });
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  expect(errorIn(result)["hint"]).toContain("HTTPS_PROXY");
});

test("a service with an untrusted certificate behind a proxy exits with 5 and the same words as without", async () => {
  const port = await serveTls("localhost", (socket) => void socket.end());
  const proxy = await serveProxy(port);
  const result = await unreachable({ HTTPS_PROXY: `http://127.0.0.1:${proxy}` });
  expect(result).toMatchObject({ exit: 5, stdout: "" });
  const direct = await unreachable({ PARTNER_BASE_URL: `https://localhost:${port}` });
  const { message, hint } = errorIn(direct);
  expect(errorIn(result)).toMatchObject({ message: String(message).replace("localhost", "service.invalid"), hint });
});

test("a connection that breaks off is retried and then given up", async () => {
  for (const line of reads) {
    const broken = await against(line, (socket) => void socket.resetAndDestroy());
    expect(broken).toMatchObject({ exit: 5, stdout: "", requests: 3 });
    const cut = await against(line, (socket) => void socket.end(`${head}content-length: 20\r\n\r\n[{"a":`));
    expect(cut).toMatchObject({ exit: 5, stdout: "", requests: 3 });
  }
});
