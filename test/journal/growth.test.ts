import { expect, test } from "vitest";
import { Database } from "../../src/storage/sqlite/database.ts";
import { MovementWriter } from "../../src/journal/movement-writer.ts";
import { SqliteRows } from "../../src/journal/sqlite/rows.ts";
import { memoryHost } from "../memory-host.ts";
import { size } from "./long.ts";
import type { Place } from "./orders.ts";
import { claimOf, collect, newPlace, openPlace, orderOf } from "./orders.ts";

const orders = size(2000, 200_000);

/** A journal of many orders, written in few transactions; every hundredth one is unknown. */
async function fullPlace(): Promise<Place> {
  const place = newPlace();
  const journal = await openPlace(place);
  await journal.close();
  const host = memoryHost({ seed: 2 });
  const path = `${place.stateFolder}/journal.db`;
  const database = new Database((await host.sqlite()).open(path, "existing"), {
    explain: (error) => error,
  });
  const writer = new MovementWriter(host, new SqliteRows(database), { user: "a", host: "b", version: "c" });
  for (let from = 0; from < orders; from += 5000) {
    database.commitNow(() => {
      for (let index = from; index < Math.min(from + 5000, orders); index += 1) {
        const row = writer.enter(orderOf({ reference: `R${index}`, batch: { id: `B${index % 7}`, row: index } }));
        const sent = writer.advance(row, "send", "sending", {}, { requestId: "request" });
        const settled = { response: `{"statusCode":"PAYMENT_ACCEPTED"}` };
        writer.advance(sent, "settle", index % 100 === 99 ? "unknown" : "accepted", settled);
      }
    });
  }
  database.close();
  return place;
}

test("a long list is read in pieces, complete and in order, while another process writes", async () => {
  const place = await fullPlace();
  const [reader, writer] = [await openPlace(place, { use: "read" }), await openPlace(place)];
  let count = 0;
  for await (const { reference } of reader.list({ states: ["accepted", "unknown"] })) {
    expect(reference).toBe(`R${count}`);
    count += 1;
    // It would wait for the reader until its patience ends.
    if (count === 10) claimOf(await writer.open(orderOf({ reference: "meanwhile" })));
  }
  expect(count).toBe(orders);
  expect(await collect(reader.list({ states: ["unknown"] }))).toHaveLength(orders / 100);
  expect((await collect(reader.list({ newestFirst: true, limit: 2 }))).map(({ reference }) => reference)).toEqual([
    "meanwhile",
    `R${orders - 1}`,
  ]);
  expect(await collect(reader.list({ batch: "B3", limit: 3 }))).toMatchObject([
    { reference: "R3" },
    { reference: "R10" },
    { reference: "R17" },
  ]);
  await reader.close();
  await writer.close();
}, 3_600_000);
