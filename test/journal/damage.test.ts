import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Host } from "../../src/host/host.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { Journal } from "../../src/journal/journal.ts";
import type { Movement, MovementEvent } from "../../src/journal/movement.ts";
import { checkedMaxBytes } from "../../src/storage/sqlite/layout.ts";
import { Failure } from "../../src/values/failure.ts";
import { memoryHost } from "../memory-host.ts";
import { size } from "./long.ts";
import type { Place } from "./orders.ts";
import { collect, newPlace, openPlace, orderOf, sendOrder } from "./orders.ts";
import { randomOf } from "./random.ts";

const states = ["accepted", "refused", "pending", "unknown", "unsent"] as const;
const orders = 30;
const pageBytes = 4096;

interface Whole {
  readonly place: Place;
  readonly path: string;
  readonly bytes: Buffer;
  readonly movements: readonly Movement[];
  readonly events: readonly MovementEvent[];
}

async function wholeJournal(): Promise<Whole> {
  const place = newPlace();
  const journal = await openPlace(place);
  for (let index = 0; index < orders; index += 1) {
    const claim = await sendOrder(journal, `R${index}`);
    const state = states[index % states.length] ?? "accepted";
    await claim.settle({ state, response: `{"text":"${"y".repeat(index * 40)}"}` });
  }
  const movements = await collect(journal.list());
  const events = (await Promise.all(movements.map(({ id }) => journal.events(id)))).flat();
  await journal.close();
  const path = `${place.stateFolder}/journal.db`;
  return { place, path, bytes: readFileSync(path), movements, events };
}

type Harm = (bytes: Buffer, random: () => number) => Buffer;

const harms: Readonly<Record<string, Harm>> = {
  "a bit flipped": (bytes, random) => {
    const at = Math.floor(random() * bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return bytes;
  },
  "a bit flipped in the head of a page": (bytes, random) => {
    const page = Math.floor((random() * bytes.length) / pageBytes) * pageBytes;
    const at = page + Math.floor(random() * (page === 0 ? 120 : 24));
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    return bytes;
  },
  "a byte of anything": (bytes, random) => {
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
    return bytes;
  },
  "cut off": (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  "a page of zeros": (bytes, random) => {
    const page = Math.floor((random() * bytes.length) / pageBytes);
    return bytes.fill(0, page * pageBytes, (page + 1) * pageBytes);
  },
  "a page in the place of another": (bytes, random) => {
    const [from = 0, to = 0] = [random(), random()].map(
      (at) => Math.floor((at * bytes.length) / pageBytes) * pageBytes,
    );
    bytes.copyWithin(to, from, from + pageBytes);
    return bytes;
  },
  "a sector of noise": (bytes, random) => {
    const sector = Math.floor((random() * bytes.length) / 512) * 512;
    for (let at = sector; at < sector + 512; at += 1) bytes[at] = Math.floor(random() * 256);
    return bytes;
  },
};

test("a damaged journal is refused, or still says exactly what it said", async () => {
  const whole = await wholeJournal();
  const verdicts = await harmAndLook(whole, size(200, 3000), memoryHost(), async (journal) => {
    const movements = await collect(journal.list());
    const events = await Promise.all(whole.movements.map(({ id }) => journal.events(id)));
    return isDeepStrictEqual(
      { movements, events: events.flat() },
      { movements: whole.movements, events: whole.events },
    );
  });
  expect(verdicts.filter(({ fault }) => fault !== undefined)).toEqual([]);
  // A run in which no damage was noticed, or every damage was, would have tested nothing.
  expect(new Set(verdicts.map(({ ending }) => ending))).toEqual(new Set(["refused", "whole"]));
}, 3_600_000);

test("a damaged journal too large for a check on opening never forgets a sent order", async () => {
  const whole = await wholeJournal();
  const sent = whole.movements.filter(({ state }) => state !== "refused" && state !== "unsent");
  const verdicts = await harmAndLook(whole, size(100, 3000), sayingLarge(whole.path), async (journal) => {
    const openings = await Promise.all(
      sent.map(({ reference }) => journal.open(orderOf({ reference })).catch(refusalOf)),
    );
    return openings.every(({ outcome }) => outcome !== "claimed");
  });
  expect(verdicts.filter(({ fault }) => fault !== undefined)).toEqual([]);
  expect(new Set(verdicts.map(({ ending }) => ending))).toEqual(new Set(["refused", "whole"]));
}, 3_600_000);

interface Verdict {
  readonly ending: "refused" | "whole";
  readonly fault: string | undefined;
}

/** Damages a copy again and again, each time in another way, opens it and checks the result. */
async function harmAndLook(
  whole: Whole,
  runs: number,
  host: Host,
  isRight: (journal: Journal) => Promise<boolean>,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  const names = Object.keys(harms);
  for (let run = 0; run < runs; run += 1) {
    const name = names[run % names.length] ?? "";
    const harmed = Buffer.from(harms[name]?.(Buffer.from(whole.bytes), randomOf(run)) ?? whole.bytes);
    rmSync(`${whole.path}-journal`, { force: true });
    writeFileSync(whole.path, harmed);
    verdicts.push(await judge(whole, host, isRight, `run ${run}, ${name}`));
  }
  return verdicts;
}

/** Every refusal has a message; a journal that is refused on opening stays as it is. */
async function judge(
  { place, path }: Whole,
  host: Host,
  isRight: (journal: Journal) => Promise<boolean>,
  where: string,
): Promise<Verdict> {
  const before = readFileSync(path);
  let journal: Journal | undefined;
  try {
    journal = await openPlace(place, { host });
    return { ending: "whole", fault: (await isRight(journal)) ? undefined : `${where}: something else than before` };
  } catch (error) {
    refusalOf(error);
    const isKept = journal !== undefined || readFileSync(path).equals(before);
    return { ending: "refused", fault: isKept ? undefined : `${where}: it was refused and changed` };
  } finally {
    await journal?.close();
  }
}

/** The refusal of a damaged journal; any other error fails the test. */
function refusalOf(error: unknown): { readonly outcome: "refused" } {
  if (!(error instanceof Failure) || error.ending !== "setup" || (error.hint ?? "") === "") throw error;
  return { outcome: "refused" };
}

/** A host on which the journal is too large for the check on opening. */
function sayingLarge(path: string): Host {
  const files = nodeFiles();
  return memoryHost({
    host: {
      files: {
        ...files,
        async facts(asked) {
          const facts = await files.facts(asked);
          const isLarge = facts !== undefined && asked === path && facts.sizeBytes > 0;
          return isLarge ? { ...facts, sizeBytes: checkedMaxBytes + 1 } : facts;
        },
      },
    },
  });
}

test("a rollback journal of another database changes nothing", async () => {
  const { place, path, movements } = await wholeJournal();
  writeFileSync(`${path}-journal`, Buffer.alloc(9000, 7));
  const journal = await openPlace(place);
  expect(await collect(journal.list())).toEqual(movements);
  await journal.close();
});
