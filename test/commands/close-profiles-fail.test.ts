import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { World } from "../memory-host.ts";
import { person } from "../person.ts";
import { ledgerDesk } from "./ledger-desk.ts";
import type { Line } from "./ledger-desk.ts";

// Only one close reports what changed in a closed month: the next one ends with 0.

const wallet = "9000112233";
const lines: readonly Line[] = [
  { ref: "IN-1", day: "2026-01-03", amount: 1000 },
  { ref: "OUT-1", day: "2026-01-20", amount: -500 },
];
const late: Line = { ref: "LATE", day: "2026-01-10", amount: 7 };
const lateWords = /lake: .*has changed since: 9000112233 LATE came late/;

/** Two profiles with a closed January. */
async function closedProfiles() {
  const desk = await ledgerDesk();
  const { environment, folder } = desk;
  const [config, secrets] = [join(folder, "config"), join(folder, "secrets.json")];
  const onDay = (line: string, more: World = {}) =>
    desk.onDay("2026-02-05", line, { environment: { PARTNER_CONFIG_DIR: config }, ...more });
  desk.write({ [wallet]: { lines } });
  writeFileSync(secrets, JSON.stringify({ secretKey: environment.PARTNER_SECRET_KEY }));
  for (const name of ["lake", "shop"])
    await onDay(
      `profile add ${name} --environment sandbox --base-url ${environment.PARTNER_BASE_URL} --account-id ${name} --secrets-from ${secrets}`,
    );
  const close = `close --month 2026-01 --to ${folder}/jan --all-profiles`;
  expect(await onDay(close)).toMatchObject({ exit: 0 });
  return {
    onDay,
    close,
    config,
    folder,
    comesLate: () => desk.write({ [wallet]: { lines: lines.toSpliced(1, 0, late) } }),
  };
}

test("a late row in a closed month is reported although another profile fails", async () => {
  const { onDay, close, config, comesLate } = await closedProfiles();
  comesLate();
  const path = join(config, "credentials.json");
  const kept = JSON.parse(readFileSync(path, "utf8"));
  delete kept.profiles.shop;
  writeFileSync(path, JSON.stringify(kept), { mode: 0o600 });
  const { exit, stderr } = await onDay(close);
  expect(exit).toBe(3);
  expect(stderr).toContain("shop: ");
  expect(stderr).toMatch(lateWords);
});

test("a late row in a closed month is reported although the run is stopped before the next profile", async () => {
  const { onDay, close, folder, comesLate } = await closedProfiles();
  comesLate();
  const { host, stop } = person();
  const files = nodeFiles();
  const renameFolder: typeof files.renameFolder = async (from, to) => {
    await files.renameFolder(from, to);
    if (to === join(folder, "jan-lake")) stop("SIGINT");
  };
  const { exit, stderr } = await onDay(close, { host: { ...host, files: { ...files, renameFolder } } });
  expect(exit).toBe(130);
  expect(stderr).toMatch(lateWords);
  expect(stderr).toContain("lake: Wrote ");
});
