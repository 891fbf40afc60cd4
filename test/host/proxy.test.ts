import { join } from "node:path";
import { expect, test } from "vitest";
import { parseAddress, destinationOf } from "../../src/host/http/endpoint.ts";
import { proxyFor } from "../../src/host/http/proxy.ts";
import { afterRequest, send, serveProxy, serveSockets, serveTls } from "./servers.ts";

function proxyName(url: string, environment: Record<string, string>): string | undefined {
  return proxyFor(destinationOf(parseAddress(url)), environment)?.name;
}

const service = "https://api.example.com/";
const HTTPS_PROXY = "http://proxy.example:3128";

test.for<[string, string, Record<string, string>, string | undefined]>([
  ["none is named", service, {}, undefined],
  ["the variable is empty", service, { HTTPS_PROXY: " " }, undefined],
  ["it is named", service, { HTTPS_PROXY }, "proxy.example:3128"],
  ["it is named in small letters", service, { https_proxy: "http://small:1", HTTPS_PROXY }, "small:1"],
  ["it has no scheme", service, { HTTPS_PROXY: "proxy.example:3128" }, "proxy.example:3128"],
  ["it has no port", service, { HTTPS_PROXY: "https://proxy.example" }, "proxy.example:443"],
  ["it is for the other scheme", service, { HTTP_PROXY: "http://proxy.example:1" }, undefined],
  ["plain http has its own", "http://api.example.com/", { HTTP_PROXY: "http://proxy.example:1" }, "proxy.example:1"],
  ["all schemes have one", service, { ALL_PROXY: "http://all.example:1" }, "all.example:1"],
  ["all schemes have one in small letters", service, { all_proxy: "http://all.example:1" }, "all.example:1"],
  ["plain http has the one of all", "http://api.example.com/", { ALL_PROXY: "all.example:1" }, "all.example:1"],
  ["its own goes before that of all", service, { HTTPS_PROXY, ALL_PROXY: "socks5://x" }, "proxy.example:3128"],
  ["this machine has none, whatever all have", "https://localhost/", { ALL_PROXY: "socks5://x" }, undefined],
  ["it is exempt from that of all", service, { ALL_PROXY: "socks5://x", NO_PROXY: "example.com" }, undefined],
  ["the address is this machine", "http://127.0.0.1:8080/", { HTTP_PROXY: "http://proxy.example:1" }, undefined],
  ["the address is localhost", "https://localhost/", { HTTPS_PROXY }, undefined],
  ["the address is ::1", "https://[::1]/", { HTTPS_PROXY }, undefined],
])("the proxy where %s", ([, url, environment, expected]) => {
  expect(proxyName(url, environment)).toBe(expected);
});

test.for<[string, string, boolean]>([
  ["*", service, true],
  ["api.example.com", service, true],
  ["example.com", service, true],
  [".example.com", service, true],
  ["*.example.com", service, true],
  ["EXAMPLE.com", service, true],
  ["other.com, example.com", service, true],
  ["other.com example.com", service, true],
  ["example.com:443", service, true],
  ["example.com:8443", service, false],
  ["ple.com", service, false],
  ["api.example.com.evil", service, false],
  ["", service, false],
  [",,", service, false],
  ["10.0.0.0/8", "https://10.1.2.3/", true],
  ["10.0.0.0/8", "https://11.1.2.3/", false],
  ["10.1.2.3", "https://10.1.2.3/", true],
  ["10.1.2.3:443", "https://10.1.2.3/", true],
  ["10.1.2.3:80", "https://10.1.2.3/", false],
  ["10.0.0.0/99", "https://10.1.2.3/", false],
  ["10.0.0.0/", "https://10.1.2.3/", false],
  ["2001:db8::/32", "https://[2001:db8::1]/", true],
  ["[2001:db8::1]:443", "https://[2001:db8::1]/", true],
  ["2001:db8::1", "https://[2001:db8::2]/", false],
  ["0.0.0.0/0", service, false],
])("NO_PROXY %j and %s: exempt is %j", ([NO_PROXY, url, exempt]) => {
  expect(proxyName(url, { HTTPS_PROXY, NO_PROXY }) === undefined).toBe(exempt);
});

test("https goes through a tunnel, with the credentials for the proxy alone", async () => {
  const proxied: string[] = [];
  const served: string[] = [];
  const port = await serveTls("elsewhere", (socket) =>
    afterRequest(socket, (head) => {
      served.push(head);
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    }),
  );
  const proxy = await serveProxy(port, proxied);
  const environment = { HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy}` };
  const url = "https://elsewhere.example/v1/x?y=1";
  const answer = await send({ url, trusting: "elsewhere", environment, headers: { "x-secret-key": "s3cret" } });
  expect(answer.text).toBe("ok");
  expect(proxied[0]).toMatch(/^CONNECT elsewhere\.example:443 HTTP\/1\.1\r\n/);
  expect(proxied[0]).toContain(`proxy-authorization: Basic ${Buffer.from("user:p@ss").toString("base64")}`);
  expect(proxied.join()).not.toContain("s3cret");
  expect(served[0]).toMatch(/^GET \/v1\/x\?y=1 HTTP\/1\.1\r\nhost: elsewhere\.example\r\n/);
  expect(served.join()).not.toContain("proxy-authorization");
});

test("SSL_CERT_FILE counts through the tunnel of ALL_PROXY, for reads and for money", async () => {
  const served: string[] = [];
  const port = await serveTls("elsewhere", (socket) =>
    afterRequest(socket, (head) => {
      served.push(head);
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    }),
  );
  const environment = {
    ALL_PROXY: `http://127.0.0.1:${await serveProxy(port)}`,
    SSL_CERT_FILE: join(import.meta.dirname, "fixtures/elsewhere-certificate.pem"),
  };
  for (const freshConnection of [false, true])
    expect((await send({ url: "https://elsewhere.example/", environment, freshConnection })).text).toBe("ok");
  expect(served).toHaveLength(2);
});

test("an SSL_CERT_FILE of another server, without a certificate, or missing, is not trusted", async () => {
  const served: string[] = [];
  const port = await serveTls("localhost", (socket) => afterRequest(socket, (head) => void served.push(head)));
  const fixtures = join(import.meta.dirname, "fixtures");
  for (const file of ["elsewhere-certificate.pem", "test-only-key.pem", "nowhere.pem", "."]) {
    const environment = { SSL_CERT_FILE: join(fixtures, file) };
    const sending = send({ url: `https://localhost:${port}/`, environment });
    await expect(sending).rejects.toMatchObject({ kind: "tls", sent: false });
  }
  expect(served).toEqual([]);
});

test("the connection to the proxy itself may use TLS", async () => {
  const heads: string[] = [];
  const port = await serveTls("localhost", (socket) =>
    afterRequest(socket, (head) => {
      heads.push(head);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    }),
  );
  const environment = { HTTPS_PROXY: `https://localhost:${port}` };
  const sending = send({ url: "https://elsewhere.example/", trusting: "localhost", environment });
  await expect(sending).rejects.toMatchObject({ kind: "proxy", sent: false });
  expect(heads[0]).toMatch(/^CONNECT /);
});

test("a plain http request goes to the proxy with its whole address", async () => {
  const heads: string[] = [];
  const port = await serveSockets((socket) =>
    afterRequest(socket, (head) => {
      heads.push(head);
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok");
    }),
  );
  const environment = { http_proxy: `http://user:pass@127.0.0.1:${port}` };
  expect((await send({ url: "http://elsewhere.example:8080/x?y=1", environment })).text).toBe("ok");
  expect(heads[0]).toMatch(
    /^GET http:\/\/elsewhere\.example:8080\/x\?y=1 HTTP\/1\.1\r\nhost: elsewhere\.example:8080\r\n/,
  );
  expect(heads[0]).toContain("proxy-authorization: Basic ");
});

test.for([
  ["http://user:s3cret@127.0.0.1:1", "proxy"],
  ["http://user:s3cret%zz@127.0.0.1:1", "proxy setting"],
  ["socks5://user:s3cret@127.0.0.1:1", "proxy setting"],
  ["http://user:s3cret@:1:2", "proxy setting"],
] as const)("an error of the proxy never quotes its credentials (%#)", async ([HTTPS_PROXY, kind]) => {
  const failure: unknown = await send({ url: service, environment: { HTTPS_PROXY } }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ kind, sent: false });
  expect(inspected(failure)).not.toContain("s3cret");
});

/** The error as a debugger would print it, causes and properties included. */
function inspected(failure: unknown): string {
  return process.getBuiltinModule("node:util").inspect(failure, { depth: 10, showHidden: true });
}
