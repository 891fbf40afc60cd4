import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ledgerDesk } from "./ledger-desk.ts";

// Anything unusual in the place of a state file is named in an error: the program neither hangs nor crashes.

const wallet = "9000112233";
const enormous = 32 * 1024 * 1024;
const instead = {
  "a named pipe": (path: string) => void execFileSync("mkfifo", [path]),
  "a folder": (path: string) => mkdirSync(path),
  "a link to itself": (path: string) => symlinkSync(path, path),
};

/** A machine with a closed month, exported statements and one transfer. */
async function usedDesk() {
  const desk = await ledgerDesk();
  const { folder, write } = desk;
  const config = join(folder, "config");
  write({ [wallet]: { lines: [{ ref: "A", day: "2026-10-20", amount: 1000 }] }, "9000112244": { lines: [] } });
  const partner = (line: string) => desk.onDay("2026-11-20", line, { environment: { PARTNER_CONFIG_DIR: config } });
  const lines = {
    close: `close --month 2026-10 --to ${join(folder, "oct")}`,
    export: `wallet statement ${wallet} --since-last --start-date 2026-10-01 --save ${join(folder, "rows.csv")}`,
    transfer: `transfer --from ${wallet} --to 9000112244 --amount 5 --description rent --reference R --yes`,
  };
  for (const line of Object.values(lines)) expect((await partner(line)).requests).not.toEqual([]);
  const marks = join(config, "marks");
  return {
    partner,
    lines,
    paths: {
      names: join(folder, "state/exports/accounts"),
      journals: join(config, "journals.json"),
      manifest: join(folder, "oct/manifest.json"),
      mark: join(marks, readdirSync(marks)[0] ?? ""),
    },
  };
}

test.each(Object.entries(instead))(
  "%s in the place of a state file is refused by name, and nothing is sent",
  async (_, put) => {
    const { partner, lines, paths } = await usedDesk();
    for (const path of Object.values(paths)) {
      rmSync(path);
      put(path);
    }
    const ends = async (line: string) => {
      const { exit, stderr, requests } = await partner(line);
      return { exit, stderr, requests };
    };
    expect(await ends(lines.export)).toEqual({
      exit: 3,
      requests: [],
      stderr: expect.stringContaining(`${paths.names} cannot be used: `),
    });
    expect(await ends(lines.transfer)).toEqual({
      exit: 3,
      requests: [],
      stderr: expect.stringContaining(paths.journals),
    });
    expect(await ends(lines.close)).toEqual({
      exit: 2,
      requests: [],
      stderr: expect.stringContaining("is not a close of this month"),
    });
  },
);

test("a state file that is too large is refused by name, and nothing is sent", async () => {
  const { partner, lines, paths } = await usedDesk();
  for (const path of Object.values(paths)) truncateSync(path, enormous);
  expect(await partner(lines.export)).toMatchObject({
    exit: 3,
    requests: [],
    stderr: expect.stringContaining(`${paths.names} cannot be used: it is too large.`),
  });
  for (const line of ["journal verify", lines.transfer])
    expect(await partner(line)).toMatchObject({
      exit: 3,
      requests: [],
      stderr: expect.stringContaining(paths.journals),
    });
});

test("an order is refused and not sent when the journal's mark is too large", async () => {
  const { partner, lines, paths } = await usedDesk();
  truncateSync(paths.mark, enormous);
  const other = lines.transfer.replace("--reference R", "--reference S");
  const { exit, stderr, requests } = await partner(other);
  expect([exit, requests, stderr]).toEqual([3, [], expect.stringContaining("cannot be read: it is too large")]);
});
