import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { newShared } from "../journal/shared-places.ts";
import { temporaryFolder } from "../memory-host.ts";
import { credit, debit, serveStatements } from "../statements-served.ts";
import { withPostgres } from "../with-postgres.ts";
import { kinds } from "./kinds.ts";
import { accept } from "./service.ts";
import { saying } from "./teller.ts";
import { openTill } from "./till.ts";

// The service refused an order, and `journal resolve` then saw that money moved all the same. Sent again, it could be
// paid twice.

const [transfer] = kinds;
const paying = "9000112233";
const refusal = saying("400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","message":"no"}');
const paid = debit("5", { narration: "rent [R-1]" });
const back = credit("5", { tranRefNo: "REV-R-1" });
const twin = debit("5", { narration: "rent [R-1]", balance: 2 });
/** By then no order asks the statement of its own accord. */
const later = { now: Date.UTC(2026, 3, 20, 9) };

const refused = '"state": "refused"';
/** Rows, the exit code of `journal resolve`, and the end of an order and of a batch that come again. */
const seen = [
  { rows: "its payment", statement: [paid], exit: 6, again: [0, 0], says: '"state": "accepted"' },
  { rows: "its payment and the return", statement: [paid, back], exit: 6, again: [4, 8], says: '"state": "reversed"' },
  { rows: "two payments that fit", statement: [paid, twin], exit: 0, again: [2, 8], says: "" },
] as const;

/** What is typed to pay R-1, with the exit code of the refusal; `at` finds the end in `again`. */
const ways = [
  { way: "order", refusedExit: 4, at: 0, lineIn: () => transfer.line("R-1") },
  { way: "batch row", refusedExit: 8, at: 1, lineIn: batchIn },
] as const;

function batchIn(folder: string): string {
  const file = join(folder, "batch.csv");
  writeFileSync(file, `reference,from,to,amount,description\nR-1,${paying},9000112244,5,rent\n`);
  return `batch run ${file} --kind transfer --yes --json --check-statement never`;
}

const cases = ways.flatMap((way) => seen.map((rows) => ({ ...way, ...rows })));
type Case = (typeof cases)[number];

/** Has the order refused here, and its rows seen there: two machines, if the journal is shared. */
async function refuseAndSee({ lineIn, refusedExit, statement, exit }: Case, journalUrl: string) {
  const service = await serveStatements({ react: refusal });
  const till = () => openTill({ ...service.environment, PARTNER_JOURNAL_URL: journalUrl });
  const here = till();
  const there = journalUrl === "" ? here : till();
  const line = lineIn(temporaryFolder());
  const first = await here.run(line);
  expect(first).toMatchObject({ exit: refusedExit, stdout: expect.stringContaining(refused) });
  service.write(paying, statement);
  const resolved = await there.run("journal resolve R-1", { terminal: { stdout: true }, columns: 500 });
  expect(resolved).toMatchObject({ exit, stdout: expect.not.stringContaining("No money moved") });
  expect(resolved.stdout).not.toContain("can be used again");
  service.react(accept);
  return { service, here, there, line };
}

describe.each(cases)("a refused $way of which the statement shows $rows", (given) => {
  test("is not sent again", async () => {
    const { service, here, line } = await refuseAndSee(given, "");
    const again = await here.run(line, later);
    expect(again).toMatchObject({ exit: given.again[given.at], stdout: expect.stringContaining(given.says) });
    expect(service.orders).toHaveLength(1);
  });
});

test.each(ways)(
  "a refused $way beside two payments that fit is sent when --again says that it is meant",
  async (way) => {
    const [, , two] = seen;
    const { service, here, line } = await refuseAndSee({ ...way, ...two }, "");
    expect(await here.run(`${line} --again`, later)).toMatchObject({ exit: 0 });
    expect(service.orders).toHaveLength(2);
  },
);

withPostgres("on a shared journal", (server) => {
  describe.each(cases)("a refused $way of which another machine saw $rows", (given) => {
    test("is not sent again by any machine", async () => {
      const { service, here, there, line } = await refuseAndSee(given, await newShared(server));
      for (const machine of [here, there]) {
        const again = await machine.run(line, later);
        expect(again).toMatchObject({ exit: given.again[given.at], stdout: expect.stringContaining(given.says) });
      }
      expect(service.orders).toHaveLength(1);
    });
  });

  test.each(cases)(
    "a refused $way is held back after the copy to it, where the statement shows $rows",
    async (given) => {
      const { service, here, line } = await refuseAndSee(given, "");
      here.environment["PARTNER_JOURNAL_URL"] = await newShared(server);
      expect(await here.run("journal copy")).toMatchObject({ exit: 0 });
      expect(await here.run(line, later)).toMatchObject({ exit: given.again[given.at] });
      expect(service.orders).toHaveLength(1);
    },
  );
});
