import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Journal } from "../../src/journal/journal.ts";
import { migrateShared } from "../../src/journal/postgres/migration.ts";
import { likesVersion as sharedVersion } from "../../src/journal/postgres/schema.ts";
import { sha256 } from "../../src/journal/requests/request-hash.ts";
import { likesVersion } from "../../src/journal/sqlite/schema.ts";
import { memoryHost } from "../memory-host.ts";
import { withoutWriters } from "./former-version.ts";
import { withPostgres } from "../with-postgres.ts";
import { claimOf, newPlace, openPlace, orderOf, send } from "./orders.ts";
import { newShared, openShared, urlOf } from "./shared-places.ts";

// An earlier version treated each spelling of a bank account's number as another receiver.

const typed = "0150-000-111-222";
const requestOf = (account: string) =>
  `{"institutionCode":"CORUTZTZ","receiverAccount":"${account}","receiverAmount":5,"receiverChannel":"BANK"}`;
const order = { kind: "remit", request: requestOf(typed) } as const;
const former = sha256(JSON.stringify(["remit", "ACC-1", "CORUTZTZ", typed, "5"]));

async function pay(journal: Journal): Promise<void> {
  const claim = claimOf(await journal.open(orderOf({ ...order, reference: "PAID-1" })));
  await send(claim, "request-1");
  await claim.settle({ state: "accepted", response: "{}" });
}

const likesIn = async (journal: Journal) =>
  (await journal.likes(orderOf(order), requestOf("150000111222"), 0)).map(({ reference }) => reference);

test("a journal of an earlier version finds an order by every spelling of its receiver's account", async () => {
  const place = newPlace();
  const journal = await openPlace(place);
  await pay(journal);
  await journal.close();
  const database = new DatabaseSync(`${place.stateFolder}/journal.db`);
  database.prepare("UPDATE order_keys SET like_key = :former").run({ former });
  database.exec(`${withoutWriters}; PRAGMA user_version = ${likesVersion - 1}`);
  database.close();
  const renewed = await openPlace(place);
  expect(await likesIn(renewed)).toEqual(["PAID-1"]);
  expect(await renewed.verify()).toMatchObject({ movements: 1 });
  await renewed.close();
});

withPostgres("a shared journal of an earlier version", (server) => {
  test("finds an order by every spelling of its receiver's account", async () => {
    const address = await newShared(server);
    const journal = await openShared(address);
    await pay(journal);
    await journal.close();
    await server.sql(
      address,
      `UPDATE partner.order_keys SET like_key = '${former}'; UPDATE partner.layout SET version = ${sharedVersion - 1} WHERE part = 'journal'`,
    );
    await migrateShared(memoryHost(), { url: urlOf(address), certificates: undefined }, true);
    const renewed = await openShared(address);
    expect(await likesIn(renewed)).toEqual(["PAID-1"]);
    expect(await renewed.verify()).toMatchObject({ movements: 1 });
    await renewed.close();
  });
});
