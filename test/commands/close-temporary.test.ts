import { chmodSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { noSmallDisk, smallDisk } from "../small-disk.ts";
import { ledgerDesk } from "./ledger-desk.ts";

// A check writes no lasting file, so an error must not blame a file of the user's.

const rows = Array.from({ length: 200 }, (_, index) => ({ ref: `S${index}`, day: "2026-09-02" }));

/** A check of a month with temporary folders made at `path`. */
async function checkedAt(path: string) {
  const desk = await ledgerDesk();
  desk.write({ "9000112233": { lines: rows } });
  const temporaryFolder = async () => {
    mkdirSync(path);
    return { path, remove: () => nodeFiles().removeFolder(path) };
  };
  const world = { host: { files: { ...nodeFiles(), temporaryFolder } } };
  return desk.onDay("2026-11-06", "close --month 2026-09 --check", world);
}

test("a check that can't make a temporary folder says so", async () => {
  const { exit, stdout, stderr } = await checkedAt("/nonexistent/partner");
  expect([exit, stdout]).toEqual([3, ""]);
  expect(stderr).toBe(
    "Error: The temporary folder cannot be used: its folder does not exist.\nHint: Set TMPDIR to a folder with room that you may write to, and try again.\n",
  );
});

test("a check on a full disk names the temporary folder and leaves nothing there", async ({ skip }) => {
  const disk = smallDisk(4) ?? skip(noSmallDisk);
  chmodSync(disk.folder, 0o700);
  const { exit, stdout, stderr } = await checkedAt(join(disk.folder, "partner"));
  expect([exit, stdout]).toEqual([3, ""]);
  expect(stderr).toContain("Error: The temporary folder cannot be used: the disk is full.\n");
  expect(readdirSync(disk.folder)).toEqual([]);
});
