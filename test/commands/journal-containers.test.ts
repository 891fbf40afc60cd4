import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { temporaryFolder } from "../memory-host.ts";
import { openPlace } from "../journal/orders.ts";
import { test } from "../simulated.ts";
import type { Desk } from "./journal-desk.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

/** The next container: what is not on a volume is gone, and it has no machine-id. */
const next = (desk: Desk, lost: "config" | "state") => {
  if (lost === "state") rmSync(desk.state, { recursive: true });
  return desk.at(lost === "config" ? { config: join(temporaryFolder(), "config") } : {});
};

test("a container that keeps the journal alone goes on, and asks the statement each time", async ({
  partnerIn,
  simulator,
}) => {
  let desk = openDesk(partnerIn, { machineId: undefined });
  await desk.send("R-1");
  desk = next(desk, "config");
  const run = await desk.partner`${transferOf("R-1")}`;
  expect(run.exit).toBe(0);
  expect(run.stderr).toContain("was not used with these profiles before. For a day, the statement is asked");
  expect(await desk.send("R-2")).toEqual([0]);
  desk = next(desk, "config");
  expect(await desk.send("R-2", "R-3")).toEqual([0, 0]);
  expect(movedUnder(simulator, "R-1", "R-2", "R-3")).toEqual([1, 1, 1]);
  const journal = await openPlace({ stateFolder: desk.state, configFolder: join(temporaryFolder(), "config") });
  expect(await journal.unsure()).toBeDefined();
  await journal.close();
});

test("a container that keeps the profiles alone sends once, and stops when the journal is gone", async ({
  partnerIn,
  simulator,
}) => {
  let desk = openDesk(partnerIn, { machineId: undefined });
  await desk.send("R-1");
  desk = next(desk, "state");
  const refused = await desk.partner`${transferOf("R-1")}`;
  expect(refused.exit).toBe(3);
  expect(refused.stderr).toMatch(/is missing, though there was one.*partner journal recover/s);
  expect(movedUnder(simulator, "R-1")).toEqual([1]);
});

test("profiles that can only be read keep orders from leaving, and nothing else", async ({ partnerIn, simulator }) => {
  const desk = openDesk(partnerIn);
  await desk.send("R-1");
  const files = nodeFiles();
  const isOurs = (path: string) => path.startsWith(desk.config);
  const readOnly = desk.at({
    world: {
      host: {
        files: {
          ...files,
          append: (path, text, isSynced) => (isOurs(path) ? refuse() : files.append(path, text, isSynced)),
          draft: async (path, mode) => (isOurs(path) ? refuse() : files.draft(path, mode)),
        },
      },
    },
  });
  const refused = await readOnly.partner`${transferOf("R-2")}`;
  expect(refused).toMatchObject({ exit: 3, stdout: "" });
  expect(refused.stderr).toContain("cannot be written: the disk is read-only.");
  expect(refused.stderr).toContain("PARTNER_CONFIG_DIR");
  for (const line of ["journal list", "journal show R-1", "journal verify", "wallets list"])
    expect(await readOnly.partner`${line}`).toMatchObject({ exit: 0 });
  expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 0]);
});

function refuse(): never {
  throw Object.assign(new Error("EROFS"), { code: "EROFS" });
}
