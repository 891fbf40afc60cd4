import { join } from "node:path";
import { expect, test } from "vitest";
import type { CertificateName } from "../host/servers.ts";
import { serveProxy } from "../host/servers.ts";
import { size } from "../journal/long.ts";
import { casesOf, nameOf } from "./answer-table.ts";
import { kinds, objectIn } from "./kinds.ts";
import type { MoneyRequest, Reaction } from "./teller.ts";
import { saying, teller } from "./teller.ts";
import { openMoneyPath, performAll } from "./money-path.ts";
import { expectInvariants } from "./invariants.ts";
import { environmentAt, honest } from "./service.ts";
import type { Till } from "./till.ts";
import { openTill } from "./till.ts";

// The answer of the service decides how a run ends, for every kind and over every connection.

const [first, ...others] = kinds;

test.for(casesOf(first).map((one) => [nameOf(first, one), one] as const))(
  `${first.kind}: %s`,
  async ([, { status, text, headers, exit }]) => {
    const told = await teller({ react: saying(status, text, headers) });
    const service = honest(told, { refuses: exit === 3 || exit === 4 ? 1 : 0 });
    const till = openTill(environmentAt(told.origin));
    const run = await till.run(first.line("R-1"));
    expect(run).toMatchObject({ exit });
    expect(service.arrived()).toBe(1);
    await expectInvariants(run, { kind: first, reference: "R-1", till, service });
  },
);

// Each state ends in the same way for all kinds, but an answer can mean different states.
for (const kind of others) {
  test(`${kind.kind}: each answer leads to the right state`, async () => {
    const cases = casesOf(kind);
    const path = await openMoneyPath(
      (
        await teller({
          react(socket, request) {
            const { status = "", text = "", headers } = cases[indexOf(kind.referenceIn(request.body))] ?? {};
            saying(status, text.replaceAll("R-1", kind.referenceIn(request.body) ?? ""), headers)(socket, request);
          },
        })
      ).origin,
    );
    const states = await performAll([...cases.keys()], 8, async (index) => {
      const { movement } = await path.perform(kind, `R-1${index}`);
      return movement.state;
    });
    const wrong = cases.filter(({ exit }, index) => !statesOf(exit).includes(states[index] ?? ""));
    expect(wrong).toEqual([]);
    expect(await path.movements()).toHaveLength(cases.length);
  });
}

/** Ways to the service, over real sockets: the till that uses each, and the requests that arrived. */
const ways: Readonly<Record<string, (react: Reaction) => Promise<{ till: Till; requests: readonly MoneyRequest[] }>>> =
  {
    async "plain http"(react) {
      const { origin, requests } = await teller({ react });
      return { till: openTill(environmentAt(origin)), requests };
    },
    async TLS(react) {
      const { origin, requests } = await teller({ react, certificate: "localhost" });
      const till = openTill(environmentAt(origin));
      till.flags = trusting("localhost");
      return { till, requests };
    },
    async "a proxy"(react) {
      const { port, requests } = await teller({ react, certificate: "elsewhere" });
      const HTTPS_PROXY = `http://127.0.0.1:${await serveProxy(port)}`;
      const till = openTill({ ...environmentAt("https://elsewhere.example"), HTTPS_PROXY });
      till.flags = trusting("elsewhere");
      return { till, requests };
    },
  };

const trusting = (name: CertificateName) =>
  `--ca-cert ${join(import.meta.dirname, "..", "host", "fixtures", `${name}-certificate.pem`)}`;

for (const kind of kinds) {
  // Each takes other rows of the table when not all of them are tried.
  const stride = size(12, 1);
  test.for(Object.keys(ways))(`${kind.kind}: over %s the answer decides how the command ends`, async (name) => {
    const all = casesOf(kind);
    const first = kinds.indexOf(kind) + kinds.length * Object.keys(ways).indexOf(name);
    const tried = [...all.keys()].filter((index) => index % stride === first % stride);
    const react: Reaction = (socket, request) => {
      const reference = kind.referenceIn(request.body) ?? "";
      const { status = "", text = "", headers } = all[indexOf(reference)] ?? {};
      saying(status, text.replaceAll("R-1", reference), headers)(socket, request);
    };
    const way = await ways[name]?.(react);
    if (way === undefined) throw new Error(`No way is called ${name}`);
    for (const index of tried) {
      const { exit = -1 } = all[index] ?? {};
      const run = await way.till.run(`${kind.line(`R-1${index}`)} --again`);
      const state = objectIn(run.stdout)["state"];
      const where = `row ${index} of ${name}`;
      expect({ where, exit: run.exit, state }).toEqual({ where, exit, state: expect.toBeOneOf([...statesOf(exit)]) });
    }
    expect(way.requests).toHaveLength(tried.length);
  });
}

const indexOf = (reference = "") => Number(reference.slice("R-1".length));

const statesOf = (exit: number): readonly string[] =>
  exit === 6 ? ["unknown"] : exit === 0 ? ["accepted", "pending"] : ["refused"];
