import { expect, test } from "vitest";
import { size } from "../journal/long.ts";
import { openBooks } from "./books.ts";
import type { Harm, Step } from "./harmed-run.ts";
import { obstacle, openPlace, stepsOf } from "./harmed-run.ts";
import { kinds } from "./kinds.ts";
import { endure } from "./ordeal.ts";

// The installed program on a disk that reports an error or is full, once or for good, when the journal is written.
// The long run tries every call of every kind; this one tries those that decide whether there is a journal.

const why = obstacle();
const isLong = size(0, 1) === 1;
const patienceMs = 3_600_000;
const [first, ...others] = kinds;
const decisive: ReadonlySet<string> = new Set(["fsync", "ftruncate", "rename"]);

test(
  `${first.kind}: a disk error before sending ends in 3, and one after sending loses no outcome`,
  async ({ skip }) => {
    if (why !== undefined) skip(why);
    const books = await openBooks();
    const steps = (await stepsOf(first.line("R-1"), openPlace(books.environment))).filter(isOfDisk);
    const once = steps.filter(({ call, path }) => isLong || (decisive.has(call) && path !== "state" && path !== ""));
    const full = steps.filter(
      ({ call, path, nth }) => isLong || (call === "pwrite64" && path === "state/journal.db" && nth % 14 === 0),
    );
    const endured = await endure(
      first,
      [
        ...once.map((step) => failing(step, "EIO")),
        ...full.map((step) => failing(step, "ENOSPC", { lasts: true })),
        ...(isLong ? steps.map((step) => failing(step, "EIO", { lasts: true })) : []),
        ...(isLong ? steps.map((step) => failing(step, "ENOSPC")) : []),
      ],
      books,
    );
    expect(endured.flatMap(({ untruths }) => untruths)).toEqual([]);
    const ends = new Set(endured.map(({ exit, word }) => `${exit}, ${word}`));
    expect(ends).toEqual(new Set(["3, nothing", "3, unsent", "0, accepted"]));
  },
  patienceMs,
);

test(
  `${first.kind}: an order that could not be sent is unsent, even when that could not be recorded`,
  async ({ skip }) => {
    if (why !== undefined) skip(why);
    const books = await openBooks();
    const steps = await stepsOf(first.line("R-1"), openPlace(books.environment), { refused: true });
    const writes = steps.filter(({ call }) => call === "pwrite64" || call === "fsync" || call === "ftruncate");
    // The last transaction records it.
    const last = writes.filter(({ call, path }) => isLong || (call !== "pwrite64" && path !== "state")).slice(-5);
    const meant = isLong ? writes.filter(({ path }) => path !== "") : last;
    const endured = await endure(
      first,
      meant.map((step) => failing(step, "EIO", { refused: true })),
      books,
    );
    expect(endured.flatMap(({ untruths }) => untruths)).toEqual([]);
    expect(endured.map(({ exit, word }) => `${exit}, ${word}`)).toContain("5, unsent");
  },
  patienceMs,
);

for (const kind of others) {
  test(
    `${kind.kind}: an answer that cannot be recorded at first is recorded in the end`,
    async ({ skip }) => {
      if (why !== undefined) skip(why);
      const books = await openBooks();
      const steps = (await stepsOf(kind.line("R-1"), openPlace(books.environment))).filter(isOfDisk);
      const last = steps.findLast(({ call, path }) => call === "fsync" && path === "state/journal.db");
      const meant = steps.filter((step) => isLong || step === last);
      const endured = await endure(
        kind,
        meant.map((step) => failing(step, "EIO")),
        books,
      );
      expect(endured.flatMap(({ untruths }) => untruths)).toEqual([]);
      expect(endured.map(({ exit, word }) => `${exit}, ${word}`)).toContain(`0, ${kind.state}`);
    },
    patienceMs,
  );
}

function isOfDisk({ path }: Step): boolean {
  return path !== undefined;
}

function failing(step: Step, hit: "EIO" | "ENOSPC", how: Pick<Harm, "lasts" | "refused"> = {}) {
  return [{ step, hit, ...how }] as const;
}
