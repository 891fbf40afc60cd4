import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { writeJournal } from "../../scripts/bench/journal-file.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";

/** Three lines of history each: enough for an index. */
const orders = 7_000;
const now = Date.parse("2026-11-03T09:00:00Z");

function desk(folder: string) {
  const environment = {
    PARTNER_BASE_URL: "http://127.0.0.1:8080",
    PARTNER_ENVIRONMENT: "sandbox",
    PARTNER_ACCOUNT_ID: "bench",
    PARTNER_SECRET_KEY: "secret-key",
    PARTNER_STATE_DIR: join(folder, "state"),
    PARTNER_CONFIG_DIR: join(folder, "config"),
  };
  const partner = (...line: string[]) => run([...line, "--retries", "0"], { now, environment });
  const find = async (what: string) => {
    const { exit, stdout, stderr } = await run(["find", what, "--offline", "--json"], { now, environment });
    return { exit, stdout, stderr };
  };
  return { partner, find, journal: join(folder, "state/journal.db"), index: join(folder, "state/find.db") };
}

let made = "";
beforeAll(async () => {
  made = temporaryFolder();
  await writeJournal(made, orders);
});

/** A new desk with that journal. */
function journalDesk() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "state"), { mode: 0o700 });
  const own = desk(folder);
  copyFileSync(desk(made).journal, own.journal);
  return own;
}

async function idOf(reference: string, { partner }: ReturnType<typeof desk>): Promise<string> {
  const [{ id }] = JSON.parse((await partner("journal", "list", "--where", `reference=${reference}`, "--json")).stdout);
  return String(id);
}

test("a search of a large journal by its index finds what a full search finds", async () => {
  const own = journalDesk();
  const order =
    "transfer --from 9000112233 --to 9000119999 --amount 4321 --reference INV-7 --yes --check-statement never";
  await own.partner(...order.split(" "), "--description", "Mama Asha +255 712 345 678");
  const id = await idOf("INV-7", own);
  const needles = ["r6500", "INV-7", "asha MAMA", "0712345678", "4,321.00", id.slice(0, 8), "9000119999"];
  for (const nothing of ["INV-70", "%"]) needles.push(nothing);
  const found: unknown[] = [];
  for (const what of needles) found.push({ what, ...(await own.find(what)) });
  expect(found.map((each) => Object(each).exit)).toEqual([0, 0, 0, 0, 0, 0, 0, 4, 4]);
  expect(existsSync(own.index)).toBe(true);
  rmSync(own.index);
  mkdirSync(own.index);
  const read: unknown[] = [];
  for (const what of needles) read.push({ what, ...(await own.find(what)) });
  expect(found).toEqual(read);
});

test("an order placed after the journal was indexed is found, too", async () => {
  const own = journalDesk();
  expect((await own.find("INV-8")).exit).toBe(4);
  const order =
    "transfer --from 9000112233 --to 9000119999 --amount 10 --reference INV-8 --yes --check-statement never";
  await own.partner(...order.split(" "), "--description", "float");
  expect(await own.find("INV-8")).toMatchObject({ exit: 0 });
});

test.for([
  ["of another journal", (own: ReturnType<typeof desk>, other: string) => copyFileSync(other, own.index)],
  ["damaged", (own: ReturnType<typeof desk>) => writeFileSync(own.index, "x".repeat(5_000), { mode: 0o600 })],
] as const)("an index that is %s hides no orders", async ([, spoil]) => {
  const [own, another] = [journalDesk(), desk(temporaryFolder())];
  await writeJournal(join(another.index, "../.."), orders);
  await another.find("R1");
  expect(existsSync(another.index)).toBe(true);
  spoil(own, another.index);
  expect(await own.find("R6999")).toMatchObject({ exit: 0 });
});
