import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import type { Desk } from "./journal-desk.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

// The profiles' folder remembers the journal's last event. It is renamed or restored between two orders.

const hourMs = 60 * 60 * 1000;

test.for(["machine one", undefined])(
  "restoring profiles and journal from one backup never pays a later order twice, on %s",
  async (machineId, { partnerIn, simulator }) => {
    const desk = openDesk(partnerIn, { machineId });
    expect(await desk.send("R-0")).toEqual([0]);
    const putBack = backUpAll(desk);
    const dayAfter = desk.at({ world: { now: now + 25 * hourMs } });
    expect(await dayAfter.send("R-1")).toEqual([0]);
    putBack();
    const later = desk.at({ world: { now: now + 26 * hourMs, ...hourLaterOnDisk() } });
    const { exit, stderr } = await later.partner`${transferOf("R-1")}`;
    expect({ exit, moved: movedUnder(simulator, "R-0", "R-1") }).toEqual({ exit: 0, moved: [1, 1] });
    expect(stderr).toContain(
      "was changed by another program, as by a restored backup. For a day, the statement is asked",
    );
    expect(stderr).toContain("It was paid before.");
    const next = await desk.at({ world: { now: now + 27 * hourMs } }).partner`${transferOf("R-2")}`;
    expect(next).toMatchObject({ exit: 0, stderr: expect.not.stringContaining("restored backup") });
  },
);

test("renaming or restoring the profiles' folder never pays an order twice", async ({ partnerIn, simulator }) => {
  const desk = openDesk(partnerIn);
  const copy = join(temporaryFolder(), "config");
  expect(await desk.send("R-0")).toEqual([0]);
  cpSync(desk.config, copy, { recursive: true });
  expect(await desk.send("R-1")).toEqual([0]);
  renameSync(desk.config, `${desk.config}.old`);
  mkdirSync(desk.config, { mode: 0o700 });
  expect(await desk.send("R-1", "R-2")).toEqual([0, 0]);
  for (const folder of [`${desk.config}.old`, copy]) {
    rmSync(desk.config, { recursive: true });
    cpSync(folder, desk.config, { recursive: true });
    expect(await desk.send("R-1", "R-2")).toEqual([0, 0]);
  }
  expect(movedUnder(simulator, "R-0", "R-1", "R-2")).toEqual([1, 1, 1]);
});

/** A backup of profiles and journal, restored over the existing files, as `cp -a` does. */
function backUpAll({ config, state }: Desk): () => void {
  const copy = temporaryFolder();
  const pairs = [config, state].map((folder, index) => [folder, join(copy, String(index))] as const);
  for (const [folder, to] of pairs) cpSync(folder, to, { recursive: true });
  return () => pairs.forEach(([folder, from]) => cpSync(from, folder, { recursive: true, force: true }));
}

/** Files changed from here on were changed an hour later than those before. */
function hourLaterOnDisk(): Pick<World, "host"> {
  const files = nodeFiles();
  const facts: typeof files.facts = async (path) => {
    const found = await files.facts(path);
    return found && { ...found, changedMs: found.changedMs + hourMs };
  };
  return { host: { files: { ...files, facts } } };
}
