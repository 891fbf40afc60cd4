import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { newPlace, openPlace, orderOf } from "../../journal/orders.ts";

test("a journal locked by another process is tried again later, and nothing is sent", async () => {
  const place = newPlace();
  const journal = await openPlace(place);
  const other = new DatabaseSync(`${place.stateFolder}/journal.db`);
  other.exec("BEGIN EXCLUSIVE");
  const failed = { ending: "unavailable", exit: 5, money: "not moved", message: expect.stringMatching(/kept busy/) };
  await expect(journal.open(orderOf())).rejects.toMatchObject(failed);
  other.exec("ROLLBACK");
  expect((await journal.open(orderOf())).outcome).toBe("claimed");
  other.close();
  await journal.close();
});
