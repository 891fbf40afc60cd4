import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Clock } from "../../src/host/host.ts";
import { openSharedInbox } from "../../src/webhooks/inbox/postgres-open.ts";
import { wayTo } from "../journal/broken-way.ts";
import { newShared, urlOf } from "../journal/shared-places.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { withPostgres } from "../with-postgres.ts";
import { inboxContract } from "./inbox-contract.ts";
import { sendNow } from "./listening.ts";
import { startReceiver } from "./process.ts";

/** The server's time is real, so this one is, too. */
const clock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal, ref: false }),
};
const open = (address: string) =>
  openSharedInbox({ ...memoryHost(), clock }, { url: urlOf(address), certificates: undefined });

withPostgres("a shared inbox", (server) => {
  inboxContract("postgres", () => {
    let address: Promise<string> | undefined;
    return async () => open(await (address ??= newShared(server)));
  });

  test("keeps the events of a receiver on another host until it was silent for a minute", async () => {
    const address = await newShared(server);
    const [one, other] = [await open(address), await open(address)];
    const arrival = { receivedAt: 1, requestId: null, timestamp: "t", body: Buffer.from("{}"), dueAt: 1 };
    await one.watch("there", () => "running");
    await one.store({ ...arrival, id: "A" });
    const watch = await other.watch("here", () => "unclear");
    await watch.adopt(1, 1);
    expect(await watch.due(1, 10)).toEqual([]);
    expect(await watch.unshown(0, 10)).toEqual([]);
    await server.sql(
      address,
      "UPDATE partner.inbox_watches SET alive_until = clock_timestamp() - interval '1 second' WHERE mark = 'there'",
    );
    await watch.adopt(1, 1);
    expect(await watch.due(1, 10)).toMatchObject([{ id: "A" }]);
    const third = await open(address);
    expect(await (await third.watch("third", () => "unclear")).unshown(0, 10)).toMatchObject([{ id: "A" }]);
    await Promise.all([one.close(), other.close(), third.close()]);
  });

  test("that was never made is reported, with the command that makes it", async () => {
    const address = await server.newDatabase();
    await expect(open(address)).rejects.toMatchObject({ exit: 3, hint: expect.stringContaining("journal migrate") });
  });

  test.each(["done", "never"] as const)(
    "shows the events left by others after a first commit that is %s and whose answer is lost",
    async (fate) => {
      const way = await wayTo(await newShared(server));
      const [one, other] = [await open(way.address), await open(way.address)];
      await one.watch("there", () => "running");
      await one.store({
        id: "A",
        receivedAt: 1,
        requestId: null,
        timestamp: "t",
        body: Buffer.from("{}"),
        dueAt: null,
      });
      way.breakAt(1, fate, "COMMIT\0", "INSERT INTO partner.inbox_watches");
      const watch = await other.watch("here", (mark) => (mark === "here" ? "running" : "ended"));
      expect(await watch.unshown(0, 10)).toMatchObject([{ id: "A" }]);
      await Promise.all([one.close(), other.close()]);
    },
  );

  test.each(["done", "last"] as const)(
    "shows an event whose commit is %s and whose answer is lost, and those after it",
    async (fate) => {
      const way = await wayTo(await newShared(server));
      const environment = { PARTNER_JOURNAL_URL: way.address };
      const receiver = await startReceiver({ stateFolder: join(temporaryFolder(), "state"), environment });
      const { url, output } = receiver;
      way.breakAt(1, fate, "COMMIT\0", "INSERT INTO partner.inbox_events");
      const { status } = await sendNow(url, "A");
      expect(status).toBe(fate === "done" ? 200 : 503);
      way.open();
      expect((await sendNow(url, "B")).status).toBe(200);
      expect((await sendNow(url, "A")).text).toContain("received already");
      expect(await receiver.end("SIGTERM")).toBe(0);
      expect(Array.from(output.stdout.matchAll(/^\{"id":"(\w)"/gm), ([, id]) => id)).toEqual(["A", "B"]);
    },
  );

  test("acknowledges no event that arrives while the server is away", async () => {
    const inbox = await open(await newShared(server));
    await server.crash();
    const arrival = { id: "A", receivedAt: 1, requestId: null, timestamp: "t", body: Buffer.from("{}"), dueAt: null };
    await expect(inbox.store(arrival)).rejects.toMatchObject({ ending: "setup" });
    await server.start();
    expect(await inbox.store(arrival)).toBeTypeOf("number");
    await inbox.close();
  });
});
