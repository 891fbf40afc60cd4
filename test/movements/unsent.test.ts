import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { size } from "../journal/long.ts";
import { afterRequest, serveProxy, serveSockets } from "../host/servers.ts";
import { expectInvariants } from "./invariants.ts";
import { kinds } from "./kinds.ts";
import type { Service } from "./service.ts";
import { accept, environmentAt, honest } from "./service.ts";
import type { MoneyRequest } from "./teller.ts";
import { teller } from "./teller.ts";
import type { Till } from "./till.ts";
import { openTill } from "./till.ts";

// The connection was never made, so nothing was sent: exit 5, and the same reference is sent once the way is free.

/** A way to the service that is blocked, until it is healed. */
interface Way {
  readonly till: Till;
  readonly service: Service;
  /** The message for the person. */
  readonly said: RegExp;
}

const certificateOf = (name: string) => join(import.meta.dirname, "..", "host", "fixtures", `${name}-certificate.pem`);

/** Behind a proxy that is broken at first: https to a name that only the good proxy knows. */
async function behindProxy(broken: number | undefined, said: RegExp, timeout = "30s"): Promise<Way> {
  const { port, requests } = await teller({ react: accept, certificate: "elsewhere" });
  const till = openTill(environmentAt("https://elsewhere.example"));
  till.flags = `--ca-cert ${certificateOf("elsewhere")} --timeout ${timeout}`;
  if (broken !== undefined) till.environment["HTTPS_PROXY"] = `http://127.0.0.1:${broken}`;
  const proxy = await serveProxy(port);
  const service = honest({ requests });
  return {
    till,
    said,
    service: {
      ...service,
      heal() {
        till.environment["HTTPS_PROXY"] = `http://127.0.0.1:${proxy}`;
        till.flags = `--ca-cert ${certificateOf("elsewhere")}`;
      },
    },
  };
}

const ways: Readonly<Record<string, () => Promise<Way>>> = {
  async "nobody listens"() {
    const port = await freePort();
    const till = openTill(environmentAt(`http://127.0.0.1:${port}`));
    const requests: MoneyRequest[] = [];
    const service = {
      ...honest({ requests }),
      async heal() {
        await teller({
          port,
          react(socket, request) {
            requests.push(request);
            accept(socket, request);
          },
        });
      },
    };
    return { till, service, said: /Could not connect to 127\.0\.0\.1:\d+ \(ECONNREFUSED\)/ };
  },

  async "the certificate is not trusted"() {
    const service = await teller({ react: accept, certificate: "localhost" });
    const till = openTill(environmentAt(service.origin));
    const heal = () => {
      till.flags = `--ca-cert ${certificateOf("localhost")}`;
    };
    return { till, service: { ...honest(service), heal }, said: /The certificate of localhost is self-signed/ };
  },

  "the name is not found": () => behindProxy(undefined, /The name elsewhere\.example was not found/),

  "the proxy is not there": async () =>
    behindProxy(await freePort(), /The proxy 127\.0\.0\.1:\d+ failed: Could not connect/),

  "the proxy refuses": async () =>
    behindProxy(
      await serveSockets((socket) =>
        afterRequest(socket, () =>
          socket.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n"),
        ),
      ),
      /The proxy 127\.0\.0\.1:\d+ .*407/,
    ),

  "the proxy hangs up": async () =>
    behindProxy(await serveSockets((socket) => afterRequest(socket, () => socket.destroySoon())), /The proxy/),

  "the proxy keeps silent": async () =>
    behindProxy(await serveSockets(() => undefined), /No connection to elsewhere\.example:443 within 500 ms/, "500ms"),
};

for (const kind of kinds) {
  // A way does the same to all kinds of orders, so the others try a few.
  const few = kind === kinds[0] ? Object.keys(ways) : Object.keys(ways).slice(0, size(2, Infinity));
  test.for(few)(`${kind.kind}: %s, so it is unsent and can be sent later`, async (name) => {
    const way = await ways[name]?.();
    if (way === undefined) throw new Error(`No way is called ${name}`);
    const { till, service, said } = way;
    const first = await till.run(kind.line("R-1"));
    expect(first).toMatchObject({ exit: 5, stderr: expect.stringMatching(said) });
    expect(first.stdout).toContain('"state": "unsent"');
    expect(service.arrived()).toBe(0);
    await expectInvariants(first, { kind, reference: "R-1", till, service });
  });
}

test("a secret that doesn't fit into a header is a set-up error, and nothing is sent", async () => {
  const service = await teller({ react: accept });
  const till = openTill({ ...environmentAt(service.origin), PARTNER_SECRET_KEY: "two\nlines" });
  for (const kind of kinds) {
    expect(await till.run(kind.line("R-1"))).toMatchObject({ exit: 3, stdout: "" });
    till.environment["PARTNER_SECRET_KEY"] = "one-line";
    expect(await till.run(kind.line("R-1"))).toMatchObject({ exit: 0 });
    till.environment["PARTNER_SECRET_KEY"] = "two\nlines";
  }
  expect(service.requests).toHaveLength(kinds.length);
});
