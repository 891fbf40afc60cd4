import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { wayTo } from "../journal/broken-way.ts";
import { newShared, openShared } from "../journal/shared-places.ts";
import { person } from "../person.ts";
import { withPostgres } from "../with-postgres.ts";
import { kinds, objectIn } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import { teller } from "./teller.ts";
import { hastySqlite, lock, notLocked, openTill } from "./till.ts";

const [transfer] = kinds;

withPostgres("an outcome that a shared journal does not take", (server) => {
  test("is reported, kept on this machine under that journal's id, and entered by the next run", async () => {
    const address = await newShared(server);
    const way = await wayTo(address);
    const told = await teller({
      react(socket, request) {
        way.close();
        accept(socket, request);
      },
    });
    const till = openTill({ ...environmentAt(told.origin), PARTNER_JOURNAL_URL: way.address });
    const first = await till.run(transfer.line("R-1"));
    expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
    way.open();
    const journal = await openShared(address);
    const slips = () => readdirSync(till.stateFolder).filter((name) => name.startsWith("slip-"));
    expect(slips()).toEqual([expect.stringContaining(journal.id)]);
    expect(objectIn((await till.run("journal show R-1 --json")).stdout)["state"]).toBe("accepted");
    const again = await till.run(transfer.line("R-1"));
    expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
    expect(again.stderr).toContain("is in the journal now");
    expect(slips()).toEqual([]);
    expect(await journal.search("R-1")).toMatchObject([{ state: "accepted", evidence: "answer" }]);
    expect(await journal.verify()).toEqual({ movements: 1, events: 3 });
    await journal.close();
    expect(told.requests).toHaveLength(1);
  });

  test("is entered before the journal of this machine is moved there", async () => {
    const address = await newShared(server);
    const { host, stop } = person();
    const till = openTill({});
    let unlock = notLocked;
    const told = await teller({
      react(socket, request) {
        unlock = lock(till);
        stop("SIGTERM");
        accept(socket, request);
      },
    });
    Object.assign(till.environment, environmentAt(told.origin));
    expect((await till.run(transfer.line("R-1"), { host: { ...host, sqlite: async () => hastySqlite() } })).exit).toBe(
      0,
    );
    unlock();
    const shared = { environment: { PARTNER_JOURNAL_URL: address } };
    const refused = await till.run("journal copy", shared);
    expect(refused.exit).toBe(5);
    expect(refused.stderr).toContain("and not in the journal yet");
    expect((await till.run(transfer.line("R-1"))).exit).toBe(0);
    expect((await till.run("journal copy", shared)).exit).toBe(0);
    const journal = await openShared(address);
    expect(await journal.search("R-1")).toMatchObject([{ state: "accepted", evidence: "answer" }]);
    await journal.close();
  });

  test("waits next to the journal of another account, which ignores it", async () => {
    const way = await wayTo(await newShared(server));
    const told = await teller({
      react(socket, request) {
        way.close();
        accept(socket, request);
      },
    });
    const till = openTill({ ...environmentAt(told.origin), PARTNER_JOURNAL_URL: way.address });
    expect((await till.run(transfer.line("R-1"))).exit).toBe(0);
    way.open();
    told.react(accept);
    const local = await till.run(transfer.line("R-2"), {
      environment: { PARTNER_JOURNAL_URL: "", PARTNER_ACCOUNT_ID: "another" },
    });
    expect(local.exit).toBe(0);
    expect(local.stderr).toContain("the transfer R-1 (accepted) for another journal");
    expect((await till.run(transfer.line("R-1"))).stderr).toContain("is in the journal now");
  });
});
