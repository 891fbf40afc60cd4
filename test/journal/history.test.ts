import { readFileSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { movementColumns, eventColumns, besideColumns, openRow, sealRow } from "../../src/journal/history/row.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Place } from "./orders.ts";
import { claimOf, newPlace, openPlace, orderOf, sendOrder } from "./orders.ts";

async function usedPlace(): Promise<Place> {
  const place = newPlace();
  const journal = await openPlace(place);
  await (await sendOrder(journal, "INV-1")).settle({ state: "unknown" });
  await journal.close();
  return place;
}

function withDatabase<T>(place: Place, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(`${place.stateFolder}/journal.db`);
  try {
    return use(database);
  } finally {
    database.close();
  }
}

test.each([
  "DELETE FROM movements",
  "DELETE FROM events",
  "UPDATE events SET to_state = 'accepted'",
  "UPDATE movements SET reference = 'INV-2'",
  "UPDATE journal SET id = 'mine'",
  "DELETE FROM journal",
])("the database itself refuses: %s", async (sql) => {
  const place = await usedPlace();
  expect(() => withDatabase(place, (database) => database.exec(sql))).toThrow(/never|stays|keeps|CHECK/);
});

test.each([
  ["an outcome", "UPDATE movements SET state = 'refused', settled_at = 1"],
  ["a word for a state that none of them is", "UPDATE movements SET state = 'done'"],
  ["an amount", "UPDATE movements SET request = replace(request, '5000', '5')"],
  ["a line of its history", "DROP TRIGGER events_stay; UPDATE events SET note = 'none' WHERE number = 2"],
])("%s, changed outside the program, is noticed", async (_what, sql) => {
  const place = await usedPlace();
  withDatabase(place, (database) => database.exec(sql));
  const journal = await openPlace(place);
  await expect(journal.verify()).rejects.toMatchObject({
    ending: "setup",
    message: expect.stringMatching(/a row is not as it was written/),
  });
  await journal.close();
});

test("every kept row of a statement is verified, to the last of many", async () => {
  const place = newPlace();
  const journal = await openPlace(place);
  const { scope } = orderOf();
  const rows = Array.from({ length: 501 }, (_, index) => `INV-${index}`);
  await journal.keepSeen(rows.map((reference) => ({ scope, accountNo: "1042", reference, key: reference, row: "{}" })));
  expect(await journal.verify()).toEqual({ movements: 0, events: 0 });
  withDatabase(place, (database) =>
    database.exec("DROP TRIGGER seen_stays; UPDATE seen SET near_form = 'inv0' WHERE reference = 'INV-500'"),
  );
  await expect(journal.verify()).rejects.toMatchObject({
    message: expect.stringMatching(/the row that was seen under INV-500 is looked up by another reference/),
  });
  await journal.close();
});

test("an unknown step in the history is noticed, even with a matching seal", async () => {
  const place = await usedPlace();
  withDatabase(place, (database) => {
    const row = openRow(eventColumns, database.prepare("SELECT * FROM events WHERE number = 2").get());
    const { seal } = sealRow(eventColumns, { ...row, step: "bounce" });
    database.exec("DROP TRIGGER events_stay");
    database.prepare("UPDATE events SET step = 'bounce', seal = ? WHERE number = 2").run(seal);
  });
  const journal = await openPlace(place);
  await expect(journal.verify()).rejects.toMatchObject({
    ending: "setup",
    message: expect.stringMatching(/row 2 of its events: a row says a word that none of them says/),
  });
  await journal.close();
});

test("a missing row is noticed, and so is a state without a history", async () => {
  const place = await usedPlace();
  const journal = await openPlace(place);
  await (await sendOrder(journal, "INV-2")).settle({ state: "accepted" });
  expect(await journal.verify()).toEqual({ movements: 2, events: 6 });
  withDatabase(place, (database) => database.exec("DROP TRIGGER events_are_kept; DELETE FROM events WHERE number = 6"));
  await expect(journal.verify()).rejects.toMatchObject({ message: expect.stringMatching(/a state without a history/) });
  withDatabase(place, (database) => database.exec("DELETE FROM events WHERE number = 2"));
  await expect(journal.verify()).rejects.toMatchObject({ message: expect.stringMatching(/a row is missing/) });
  await journal.close();
});

test("every column of a row is sealed, except those about its writer", async () => {
  const place = await usedPlace();
  const columns = (table: string) =>
    withDatabase(place, (database) => database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()).map(
      ({ name }) => name,
    );
  expect(columns("movements")).toEqual([...Object.keys(movementColumns), "seal"]);
  expect(columns("events")).toEqual([...Object.keys(eventColumns), "seal", ...besideColumns, "writer"]);
});

test("a backup is a complete journal, readable by its user alone, and replaces no file", async () => {
  const place = await usedPlace();
  const journal = await openPlace(place);
  const folder = temporaryFolder();
  await journal.backup(`${folder}/journal.db`);
  expect(statSync(`${folder}/journal.db`).mode & 0o777).toBe(0o600);
  const copy = await openPlace({ stateFolder: folder, configFolder: `${folder}/config` });
  expect(copy.id).toBe(journal.id);
  expect(await copy.find(orderOf())).toEqual(await journal.find(orderOf()));
  await copy.close();
  await expect(journal.backup(`${folder}/journal.db`)).rejects.toMatchObject({ ending: "usage" });
  await expect(journal.backup(`${folder}/nowhere/journal.db`)).rejects.toMatchObject({ ending: "setup" });
  await journal.close();
});

test("an order that cannot be stored does not affect other orders in the same commit", async () => {
  const journal = await openPlace(newPlace());
  const [good, bad, also] = await Promise.allSettled([
    journal.open(orderOf({ reference: "INV-1" })),
    journal.open(orderOf({ reference: "INV-2", request: "{" })),
    journal.open(orderOf({ reference: "INV-3" })),
  ]);
  expect([good.status, bad.status, also.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await journal.verify()).toEqual({ movements: 2, events: 2 });
  await journal.close();
});

test("waiting orders are in the journal before the first byte of another order is sent", async () => {
  const place = newPlace();
  const [journal, reader] = [await openPlace(place), await openPlace(place)];
  const claim = claimOf(await journal.open(orderOf({ reference: "INV-1" })));
  const waiting = journal.open(orderOf({ reference: "INV-2" }));
  claim.beforeFirstByte("request-1");
  expect(await reader.find(orderOf({ reference: "INV-2" }))).toMatchObject({ state: "prepared" });
  expect((await waiting).outcome).toBe("claimed");
  await journal.close();
  await reader.close();
});

test("a waiting order is not sent once an earlier copy has taken the journal's place", async () => {
  const place = newPlace();
  const journal = await openPlace(place);
  const claim = claimOf(await journal.open(orderOf({ reference: "INV-1" })));
  const path = `${place.stateFolder}/journal.db`;
  const earlier = readFileSync(path);
  await sendOrder(journal, "INV-2");
  writeFileSync(path, earlier);
  expect(() => claim.beforeFirstByte("request-1")).toThrow(/This journal is older than what was sent from here/);
  await journal.close();
});
