import { expect, test } from "vitest";
import { size } from "../journal/long.ts";
import { openBooks } from "./books.ts";
import type { Step } from "./harmed-run.ts";
import { obstacle, openPlace, stepsOf } from "./harmed-run.ts";
import { kinds } from "./kinds.ts";
import { endure } from "./ordeal.ts";

// The installed program, killed before a system call that changes the journal or talks to the service. The long run
// tries every such call of every kind; this one tries those that decide whether there is a journal.

const why = obstacle();
const isLong = size(0, 1) === 1;
const patienceMs = 3_600_000;
const [first, ...others] = kinds;
const decisive: ReadonlySet<string> = new Set(["fsync", "ftruncate", "rename", "connect", "writev", "read"]);

test(
  `${first.kind}: killed at any point, money moves at most once, and the journal says so or says unknown`,
  async ({ skip }) => {
    if (why !== undefined) skip(why);
    const books = await openBooks();
    const steps = await stepsOf(first.line("R-1"), openPlace(books.environment));
    const there = steps.findIndex(({ call }) => call === "rename");
    const meant = isLong
      ? steps
      : steps.slice(there).filter(({ call, path }) => decisive.has(call) && path !== "state");
    const endured = await endure(first, meant.map(killedAt), books);
    expect(endured.flatMap(({ untruths }) => untruths)).toEqual([]);
    expect(new Set(endured.map(({ word, sent }) => `${word}, ${sent ? "sent" : "not sent"}`))).toEqual(
      new Set(["nothing, not sent", "unsent, not sent", "unknown, not sent", "unknown, sent", "accepted, sent"]),
    );
  },
  patienceMs,
);

for (const kind of others) {
  test(
    `${kind.kind}: killed while it sends, it is unknown and not sent again`,
    async ({ skip }) => {
      if (why !== undefined) skip(why);
      const books = await openBooks();
      const steps = await stepsOf(kind.line("R-1"), openPlace(books.environment));
      const meant = steps.filter(({ call }) => isLong || call === "writev");
      const endured = await endure(kind, meant.map(killedAt), books);
      expect(endured.flatMap(({ untruths }) => untruths)).toEqual([]);
      expect(endured.map(({ word }) => word)).toContain("unknown");
    },
    patienceMs,
  );
}

test(
  "a second kill while a half-written transaction is rolled back loses nothing either",
  async ({ skip }) => {
    if (why !== undefined) skip(why);
    const books = await openBooks();
    // The journal's pages are written and its rollback file still exists: before the order is sent, and after.
    const firstKills = [3, 4].map((nth) => at("fsync", "state/journal.db", nth));
    const pages = Array.from({ length: isLong ? 6 : 1 }, (_, index) => at("pwrite64", "state/journal.db", index + 1));
    const secondKills = [
      ...pages,
      at("fsync", "state/journal.db", 1),
      ...(isLong ? [at("ftruncate", "state/journal.db-journal", 1), at("fsync", "state/journal.db-journal", 1)] : []),
    ];
    const cases = firstKills.flatMap((one) =>
      secondKills.map((other) => [...killedAt(one), ...killedAt(other)] as const),
    );
    const endured = await endure(first, cases, books);
    expect(endured.flatMap(({ untruths }) => untruths)).toEqual([]);
    expect(new Set(endured.map(({ word }) => word))).toEqual(new Set(["unsent", "unknown"]));
  },
  patienceMs,
);

function at(call: string, path: string, nth: number): Step {
  return { call, path, nth, nthOfAll: nth };
}

function killedAt(step: Step) {
  return [{ step, hit: "KILL" }] as const;
}
