import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { ListenOptions } from "../../src/host/server/listener.ts";
import { listenForCallbacks, secretAddress } from "../../src/movements/waiting/callbacks.ts";
import type { Played } from "../commands/collection-service.ts";
import { collectionService, post, says, transactionId } from "../commands/collection-service.ts";
import { size } from "../journal/long.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

const line = words(
  "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference INV-1 --yes --json --wait --wait-for 30s --check-statement never",
);
const exits: Readonly<Record<string, number>> = { accepted: 0, refused: 4, unknown: 6, pending: 7 };
const meanings: Readonly<Record<string, string>> = {
  PAYMENT_ACCEPTED: "accepted",
  PAYMENT_REJECTED: "refused",
  GENERIC_ERROR: "unknown",
};

/** A body that is posted to the callback address, by the service or by a stranger. */
const posts = fc.record({
  word: fc.constantFrom(...Object.keys(meanings), "PENDING_ACK", "SESSION_EXPIRED"),
  reference: fc.constantFrom("INV-1", "INV-1", "INV-1", "INV-2"),
  id: fc.constantFrom(transactionId, transactionId, transactionId, "anotherOne12"),
  toSecret: fc.constantFrom(true, true, true, false),
});

// PARTNER_STORIES sets how many are played.
const stories = Number(process.env["PARTNER_STORIES"] ?? size(30, 10_000));

test(`over sockets: whatever is posted when, run and journal end as our own final callbacks say (${stories} stories)`, async () => {
  const scene: { play?: Played } = {};
  const service = await collectionService((collection) => scene.play?.(collection) ?? Promise.resolve(undefined));
  const story = fc.record({
    early: fc.array(posts, { maxLength: 4 }),
    late: fc.array(posts, { maxLength: 4 }),
    isAnswered: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(story, async ({ early, late, isAnswered }) => {
      let url = "";
      const deliver = async (bodies: typeof early) => {
        for (const { word, reference, id, toSecret } of bodies) {
          const target = toSecret ? url : url.slice(0, -43) + "A".repeat(43);
          // After the final callback the port is closed.
          await post(target, says(word, reference, id)).catch(() => undefined);
        }
      };
      scene.play = async ({ callbackUrl }) => {
        url = callbackUrl;
        await deliver(early);
        return isAnswered ? says("PENDING_ACK") : undefined;
      };
      let isDelivered = false;
      const meanwhile = async () => {
        if (!isDelivered) await deliver(late);
        isDelivered = true;
      };
      const folder = temporaryFolder();
      const environment = { PARTNER_CONFIG_DIR: folder, ...service.environment };
      const ended = await run(line, { environment, meanwhile });
      const finals = (bodies: typeof early) =>
        bodies.flatMap(({ word, reference, id, toSecret }) => {
          const isOurs = toSecret && reference === "INV-1" && (id === transactionId || !isAnswered);
          return isOurs && meanings[word] !== undefined ? [meanings[word]] : [];
        });
      const [before, after] = [finals(early), finals(late)];
      const first = before[0] ?? after[0];
      // Two that contradict each other leave it unknown. All early ones count; after the first late one it ends soon.
      const isTorn = new Set(before).size > 1;
      const mayBeTorn = before.length === 0 && new Set(after).size > 1;
      const state = (isTorn ? "unknown" : first) ?? (isAnswered ? "pending" : "unknown");
      const told: { readonly state: string } = JSON.parse(ended.stdout);
      expect(told).toMatchObject({
        state: mayBeTorn && told.state === "unknown" ? "unknown" : state,
        evidence: first === undefined ? (isAnswered ? "answer" : null) : "callback",
      });
      expect(ended).toMatchObject({ exit: exits[told.state] });
      const shown = await run(words("journal show INV-1 --json"), { environment });
      expect(JSON.parse(shown.stdout)).toMatchObject(told);
      rmSync(folder, { recursive: true, force: true });
    }),
    { numRuns: stories },
  );
}, 3_600_000);

test.runIf(process.platform === "linux")("without --listen, callbacks can arrive only at 127.0.0.1", async () => {
  const reached: unknown[] = [];
  const service = await collectionService(async ({ callbackUrl }) => {
    const { port } = new URL(callbackUrl);
    const others = Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));
    for (const host of new Set(["127.0.0.1", "127.0.0.2", "::1", ...others])) {
      const socket = connect({ host, port: Number(port) });
      const isOpen = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      if (isOpen) reached.push(host);
      socket.destroy();
    }
    return says("PAYMENT_REJECTED");
  });
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), ...service.environment };
  expect(await run(line, { environment })).toMatchObject({ exit: 4 });
  expect(reached).toEqual(["127.0.0.1"]);
});

test("the listener for callbacks has time limits for headers and requests", async () => {
  let asked: ListenOptions | undefined;
  const host = memoryHost();
  const listen: typeof host.listen = (options, answer) => {
    asked = options;
    return host.listen(options, answer);
  };
  const server = await listenForCallbacks({ ids: host.ids, listen }, { host: "127.0.0.1", port: 0 }, () => true);
  await server.close();
  expect(asked).toEqual({ host: "127.0.0.1", port: 0, headersTimeoutMs: 5_000, requestTimeoutMs: 10_000 });
});

test("the secret has 256 bits, and is different each time", async () => {
  const host = memoryHost();
  const servers = await Promise.all(
    [0, 1].map(() => listenForCallbacks(host, { host: "127.0.0.1", port: 0 }, () => true)),
  );
  const [one, other] = servers.map(({ secret }) => secret);
  await Promise.all(servers.map((server) => server.close()));
  expect(one).not.toBe(other);
  for (const secret of [one, other]) expect(Buffer.from(secret ?? "", "base64url")).toHaveLength(32);
});

test("only a secret of the program's own form is accepted for an earlier order", async () => {
  const server = await listenForCallbacks(memoryHost(), { host: "127.0.0.1", port: 0 }, () => true);
  for (const segment of ["", "hook", "A".repeat(43)]) server.admit(segment, () => true);
  const { origin } = server.listening;
  const statuses = ["", "hook", "A".repeat(43)].map(
    async (segment) => (await post(`${origin}/${segment}`, "{}")).status,
  );
  expect(await Promise.all(statuses)).toEqual([404, 404, 200]);
  await server.close();
});

test.each([
  ["https://hooks.example", "https://hooks.example/S"],
  ["https://hooks.example/", "https://hooks.example/S"],
  ["https://hooks.example/a/b//", "https://hooks.example/a/b/S"],
  ["https://hooks.example/a?b=c#d", "https://hooks.example/a/S?b=c"],
  ["http://[::1]:8080", "http://[::1]:8080/S"],
])("the secret is appended to the path of %s", (base, address) => {
  expect(secretAddress(base, "S")).toBe(address);
});

test.each([
  ["127.0.0.1:0", /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/],
  ["0.0.0.0:0", /^http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}$/],
  ["localhost:0", /^http:\/\/(127\.0\.0\.1|\[::1\]):\d+\/[\w-]{43}$/],
])("with --listen %s the service gets a callback address on this machine", async (address, url) => {
  const service = await collectionService(async () => says("PAYMENT_REJECTED"));
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder(), ...service.environment };
  const ended = await run([...line, "--listen", address], { environment });
  expect(ended).toMatchObject({ exit: 4 });
  expect(service.collections[0]?.callbackUrl).toMatch(url);
});
