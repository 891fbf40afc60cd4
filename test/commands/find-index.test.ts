import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { Prng } from "../../src/simulator/prng.ts";
import { size } from "../journal/long.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Line } from "./ledger-desk.ts";
import { ledgerDesk, toThirdVersion } from "./ledger-desk.ts";

const wallets = ["9000112233", "255712000111"] as const;
const day = "2026-10-20";

/** Words in rows, as people and the service write them. */
const words = [
  "school fees",
  "Zoë Mwangá",
  "100% paid",
  "İstanbul",
  "ΣΟΦΟΣ",
  "e\u0301te",
  "été",
  "😀 thanks",
  "𝒳1a",
  "a/b-7",
  "o'brien & sons",
  "Rent, October 2026",
  "(deposit)",
  "+255 712 345 678",
  "0712-345-678",
  "0754.111.222",
  "254712345678",
  "5,000/=",
  "नमस्ते 12",
  "x_y",
] as const;

/** Rows whose references begin alike, end alike, and mention each other. */
function linesOf(chance: Prng, count: number): Line[] {
  const one = <T>(list: readonly T[]): T => list[chance.integer(0, list.length - 1)] ?? fail();
  const references: string[] = [];
  return Array.from({ length: count }, (_, at) => {
    const earlier = references.length === 0 ? "INV-7" : one(references);
    const reference = one([
      `INV-${at}`,
      `inv-${at % 9}`,
      `${earlier}-PAYIN`,
      `R${at}`,
      `RVSL-${earlier}`,
      `SAL/${at}`,
      "",
    ]);
    references.push(reference === "" ? `T${at}` : reference);
    const narration = one([
      one(words),
      `${one(words)} ${one(words)} ${at}`,
      `Reversal of ${earlier}`,
      `${one(words)} [${earlier}]`,
      `SERVICE FEE FOR REF:${earlier} TXNID:X${at}`,
      `pay ${earlier}, ${chance.integer(1, 99)}`,
    ]);
    const amount = one([5000, -5000, 12.5, -0.01, 100, chance.integer(1, 9_999_999) / 100]);
    const more = one<Readonly<Record<string, string>>>([
      {},
      { transactionId: `TX-${at}`, description: one(words) },
      { senderAccountName: one(words), senderAccountNo: one(["0712345678", "9000112233", "015A8XX787600"]) },
      { paymentReference: one([`P ${at}`, earlier, "Rent 12"]) },
    ]);
    const from = chance.integer(1, 18);
    return { ref: reference, day: `2026-10-${String(from).padStart(2, "0")}`, amount, narration, more };
  }).toSorted((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));
}

function needlesOf(chance: Prng, lines: readonly Line[]): string[] {
  const one = <T>(list: readonly T[]): T => list[chance.integer(0, list.length - 1)] ?? fail();
  const some = Array.from({ length: 12 }, () => one(lines));
  return [
    ...some.flatMap(({ ref, narration = "", more = {}, amount = 0 }) =>
      one([
        [ref, ref.toUpperCase()],
        [narration, narration.split(" ").toReversed().join(" ")],
        [narration.slice(0, 4), narration.slice(-3)],
        [String(Math.abs(amount)), `TZS ${Math.abs(amount).toFixed(2)}`],
        Object.values(more),
      ]),
    ),
    ...some.slice(0, 3).map(() => one(words)),
    one(["%", "_", "-", "😀", "🎉", "'", "*", "[", "x".repeat(10_000), "7 ".repeat(5_000), "INV", "INV-"]),
    one(["+255712345678", "0712 345 678", "00255712000111", "9000112233", "9000112233 rent", "0754111222"]),
    one(["5000", "5,000.00", "12.50", "0.01", "-100"]),
  ].filter((needle) => needle.trim() !== "");
}

test.for(Array.from({ length: size(1, 20) }, (_, index) => index + 1))(
  "seed %i: a search by the index finds what a full search finds",
  async (seed) => {
    const chance = new Prng(seed);
    const desk = await ledgerDesk();
    const lines = [linesOf(chance, 150), linesOf(chance, 60)];
    const shown = (end: string) =>
      Object.fromEntries(
        wallets.map((wallet, at) => [wallet, { lines: (lines[at] ?? []).filter((line) => line.day <= end) }]),
      );
    // Some rows come day by day, some late, some change: index pieces are merged, and rows move.
    for (const end of ["2026-10-08", "2026-10-12", "2026-10-13", "2026-10-14"]) {
      desk.write(shown(end));
      expect((await desk.onDay(end, "ledger sync --start-date 2026-10-01 --quiet")).exit).toBe(0);
    }
    lines[0]?.splice(70, 0, { ref: "LATE-1", day: lines[0][70]?.day ?? day, narration: "late 77 [INV-3]" });
    lines[0]?.splice(3, 2);
    desk.write(shown(day));
    expect((await desk.onDay(day, "ledger sync --start-date 2026-10-01 --quiet")).exit).toBe(0);

    const without = join(temporaryFolder(), "state");
    cpSync(join(desk.folder, "state"), without, { recursive: true });
    forgetIndex(without);
    const found = async (what: string, folder: string) => {
      const { exit, stdout } = await desk.onDay(day, `find ${quoted(what)} --offline --json`, {
        environment: { PARTNER_STATE_DIR: folder },
      });
      return { what: what.slice(0, 80), exit, stdout };
    };
    for (const what of needlesOf(chance, lines.flat()))
      expect(await found(what, join(desk.folder, "state"))).toEqual(await found(what, without));
  },
);

describe("a ledger of an earlier version", () => {
  test("is searched in full, and has an index after its next sync", async () => {
    const desk = await ledgerDesk();
    desk.write({ [wallets[0]]: { lines: [{ ref: "INV-7", day, narration: "school fees" }] } });
    await desk.onDay(day, "ledger sync --start-date 2026-10-01 --quiet");
    const state = join(desk.folder, "state");
    toFirstVersion(state);
    const before = await desk.onDay(day, "find 'school fees' --offline --json");
    expect(JSON.parse(before.stdout)).toMatchObject([{ events: [{ reference: "INV-7" }] }]);
    expect(indexedFrom(state)).toEqual([{ pieces: 0, unindexed_from: 0 }]);
    await desk.onDay(day, "ledger sync --quiet");
    expect(indexedFrom(state)).toEqual([{ pieces: 1, unindexed_from: null }]);
    expect(await desk.onDay(day, "find 'school fees' --offline --json")).toMatchObject({ stdout: before.stdout });
  });
});

test("find does not match longer references, except with the service's own suffix", async () => {
  const desk = await ledgerDesk();
  const refs = ["INVOICE-2026-1", "INVOICE-2026-10", "INVOICE-2026-1-PAYIN"];
  desk.write({ [wallets[0]]: { lines: refs.map((ref) => ({ ref, day })) } });
  await desk.onDay(day, "ledger sync --start-date 2026-10-01 --quiet");
  const { stdout } = await desk.onDay(day, "find invoice-2026-1 --offline --csv --columns reference");
  expect(stdout).toBe("reference\nINVOICE-2026-1\nINVOICE-2026-1-PAYIN\n");
});

/** Quoted, as one word of a command line. */
function quoted(text: string): string {
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

function opened<T>(state: string, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(state, "ledger.db"));
  try {
    return use(database);
  } finally {
    database.close();
  }
}

function forgetIndex(state: string): void {
  opened(state, (database) =>
    database.exec("DELETE FROM terms; DELETE FROM term_pieces; UPDATE accounts SET unindexed_from = 0"),
  );
}

function toFirstVersion(state: string): void {
  opened(state, (database) =>
    database.exec(`${toThirdVersion}; DROP TABLE terms; DROP TABLE term_pieces; ALTER TABLE accounts DROP COLUMN unindexed_from;
      ALTER TABLE ledger DROP COLUMN redacted_before; PRAGMA user_version = 1`),
  );
}

function indexedFrom(state: string): unknown {
  return opened(state, (database) =>
    database.prepare("SELECT (SELECT count(*) FROM term_pieces) AS pieces, unindexed_from FROM accounts").all(),
  );
}

function fail(): never {
  throw new Error("there is nothing to choose from");
}
