import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import type { FaultsAtHand } from "../simulated.ts";
import { test } from "../simulated.ts";
import type { Desk } from "./journal-desk.ts";
import { openDesk } from "./journal-desk.ts";

// An auditor's proof of one order, checked with the Python script from the documentation.

const page = readFileSync(join(import.meta.dirname, "../../docs/shared-journal.md"), "utf8");
const [, lines = ""] = /```python\n([^`]*proof\[[^`]*)```/.exec(page) ?? [];
const [, script = ""] = /```python\n([^`]*hashlib[^`]*)```/.exec(page) ?? [];
const needsPython = spawnSync("python3", ["--version"]).status === 0 ? "" : " (skipped: needs python3)";
const verify = (...words: string[]) => spawnSync("python3", ["-c", lines, ...words], { encoding: "utf8" });
const outcome = ({ status, stdout, stderr }: ReturnType<typeof verify>) => [
  status,
  stdout,
  stderr.trim().split("\n").at(-1),
];

interface Proof {
  readonly reference: string;
  readonly from: string;
  head: string;
  request: string;
  readonly order: { request: { amount: number; to: string }; state: string; user: string };
  statementRows: { amountDebited: number }[];
  statementTexts: string[];
  readonly chain: { [name: string]: string | number | null }[];
}

/** An order with a lost answer, settled by its row: its proof as text, and the file with it. */
async function lost(desk: Desk, faults: FaultsAtHand): Promise<{ readonly text: string; readonly path: string }> {
  faults.loseNextAnswer();
  expect(await desk.send("LOST-1")).toEqual([6]);
  expect(await desk.partner`journal resolve LOST-1`).toMatchObject({ exit: 0 });
  const path = join(temporaryFolder(), "proof.json");
  expect(await desk.partner`journal prove LOST-1 --save ${path}`).toMatchObject({ exit: 0, stderr: "" });
  return { text: readFileSync(path, "utf8"), path };
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** Computes all hashes again, as a forger of the file could. */
function rehash(proof: Proof): void {
  const names =
    "number at id kind reference scope step from to requestId evidence note request replaced user host version".split(
      " ",
    );
  proof.head = proof.from;
  for (const line of proof.chain) {
    line["previous"] = proof.head;
    proof.head = sha256(JSON.stringify([proof.head, ...names.map((name) => String(line[name] ?? ""))]));
    line["hash"] = proof.head;
  }
}

/** Each forgery changes one thing about the money, and leaves every hash of the chain unchanged. */
const forgeries: readonly (readonly [name: string, says: string, forge: (proof: Proof) => void])[] = [
  [
    "another amount in the row",
    "statement rows",
    ({ statementRows }) => statementRows.forEach((row) => (row.amountDebited = 999_999)),
  ],
  ["no row", "statement rows", (proof) => void (proof.statementRows = [])],
  ["neither row nor text", "statement rows", (proof) => void ([proof.statementRows, proof.statementTexts] = [[], []])],
  [
    "another amount in row and text",
    "statement rows",
    (proof) => {
      proof.statementTexts = proof.statementTexts.map((row) =>
        JSON.stringify({ ...JSON.parse(row), amountDebited: 999_999 }),
      );
      proof.statementRows = proof.statementTexts.map((row) => JSON.parse(row));
    },
  ],
  [
    "a row that no line names",
    "statement rows",
    (proof) => {
      proof.statementTexts.push('{"amountDebited":5}');
      proof.statementRows.push({ amountDebited: 5 });
    },
  ],
  ["another amount in the order", "another order", ({ order }) => void (order.request.amount = 999_999)],
  ["another receiver in the order", "another order", ({ order }) => void (order.request.to = "9000999001")],
  ["another person who ordered", "another order", ({ order }) => void (order.user = "zuri")],
  ["another state of the order", "another outcome", ({ order }) => void (order.state = "refused")],
  [
    "another amount everywhere, in a line with the number of the next one",
    "is broken",
    (proof) => {
      proof.request = JSON.stringify({ ...JSON.parse(proof.request), amount: 999_999 });
      proof.order.request.amount = 999_999;
      const [claim, next] = proof.chain;
      Object.assign(claim ?? {}, { request: proof.request, number: next?.["number"] });
    },
  ],
];

describe.skipIf(needsPython !== "")(`the published script checks the proof of one order${needsPython}`, () => {
  test("and accepts rows, order and request that match the chain, and prints its head", async ({
    partnerIn,
    faults,
  }) => {
    const { text, path } = await lost(openDesk(partnerIn), faults);
    const { head, statementRows } = JSON.parse(text);
    expect(statementRows).toHaveLength(1);
    expect(verify(path)).toMatchObject({ status: 0, stdout: `${head}\n` });
    expect(verify(path, head)).toMatchObject({ status: 0, stdout: `${head}\n` });
  });

  test("and notices an altered line of an exported history, even with the number of the next line", async ({
    partnerIn,
    faults,
  }) => {
    const desk = openDesk(partnerIn);
    await lost(desk, faults);
    const path = join(temporaryFolder(), "history.ndjson");
    expect(await desk.partner`journal export --events --output ndjson --save ${path}`).toMatchObject({ exit: 0 });
    const follow = () => spawnSync("python3", ["-c", script, path], { encoding: "utf8" }).status;
    expect(follow()).toBe(0);
    const [claim = "", ...others] = readFileSync(path, "utf8").split("\n");
    writeFileSync(path, [JSON.stringify({ ...JSON.parse(claim), request: "{}", number: 2 }), ...others].join("\n"));
    expect(follow()).toBe(1);
    expect(await desk.partner`journal verify ${path}`).toMatchObject({ exit: 9 });
  });

  test("and notices each change of what the proof says about money", async ({ partnerIn, faults }) => {
    const { text, path } = await lost(openDesk(partnerIn), faults);
    for (const [name, says, forge] of forgeries) {
      const proof: Proof = JSON.parse(text);
      forge(proof);
      writeFileSync(path, JSON.stringify(proof));
      expect([name, ...outcome(verify(path))]).toEqual([name, 1, "", expect.stringContaining(says)]);
    }
  });

  test("and notices a recomputed chain only when a head was noted before", async ({ partnerIn, faults }) => {
    const { text, path } = await lost(openDesk(partnerIn), faults);
    const proof: Proof = JSON.parse(text);
    const { head } = proof;
    const other: Proof = JSON.parse(text.replaceAll(String(proof.order.request.amount), "4711"));
    rehash(proof);
    expect(proof.head).toBe(head);
    other.statementTexts = other.statementRows.map((row) => JSON.stringify(row));
    for (const line of other.chain)
      if (typeof line["replaced"] === "string" && line["replaced"].includes('"proofs":')) {
        const replaced: { proofs: object } = JSON.parse(line["replaced"]);
        replaced.proofs = Object.fromEntries(
          Object.keys(replaced.proofs).map((key, at) => [key, sha256(other.statementTexts[at] ?? "")]),
        );
        line["replaced"] = JSON.stringify(replaced);
      }
    rehash(other);
    writeFileSync(path, JSON.stringify(other));
    // A completely recomputed chain has another head.
    expect(outcome(verify(path))).toEqual([0, `${other.head}\n`, ""]);
    expect(outcome(verify(path, head))).toEqual([1, "", expect.stringContaining("another head")]);
  });

  test("and does not accept a head from before the outcome", async ({ partnerIn, faults }) => {
    const desk = openDesk(partnerIn);
    expect(await desk.send("R-1")).toEqual([0]);
    const { stdout } = await desk.partner`journal export --events --csv --columns hash`;
    const early = stdout.trim().split("\n").at(-1) ?? "";
    const { text, path } = await lost(desk, faults);
    const { head, chain }: Proof = JSON.parse(text);
    for (const noted of [early, String(chain.at(-2)?.["hash"])])
      expect(outcome(verify(path, noted))).toEqual([1, "", expect.stringContaining("another head")]);
    expect(await desk.send("R-2")).toEqual([0]);
    await desk.partner`journal prove LOST-1 --save ${path}`;
    expect(outcome(verify(path, head))).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}\n$/), ""]);
  });
});

test("the proof of an order settled by its answer has no statement row until one is looked up", async ({
  partnerIn,
}) => {
  const desk = openDesk(partnerIn);
  expect(await desk.send("B-1")).toEqual([0]);
  expect(await desk.partner`ledger sync`).toMatchObject({ exit: 0 });
  const bare = await desk.partner`journal prove B-1 --json`;
  expect([bare.exit, JSON.parse(bare.stdout)]).toMatchObject([0, { statementRows: [], statementTexts: [] }]);
  expect(bare.stderr).toBe(
    `No row of a statement proves it yet. To look one up and put it in: partner journal resolve ${JSON.parse(bare.stdout).id}\n`,
  );
  expect(await desk.partner`journal resolve B-1`).toMatchObject({ exit: 0 });
  const proved = await desk.partner`journal prove B-1 --json`;
  expect([proved.exit, proved.stderr]).toEqual([0, ""]);
  const { statementRows, statementTexts } = JSON.parse(proved.stdout);
  expect(statementRows).toMatchObject([{ narration: "rent [B-1]" }]);
  expect(statementTexts.map((row: string) => JSON.parse(row))).toEqual(statementRows);
});
