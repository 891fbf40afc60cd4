import { cpSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { temporaryFolder } from "../memory-host.ts";
import { openPlace } from "../journal/orders.ts";
import { accept } from "../movements/service.ts";
import { now, test } from "../simulated.ts";
import { serveStatements } from "../statements-served.ts";
import type { Desk } from "./journal-desk.ts";
import { movedUnder, openDesk, transferOf } from "./journal-desk.ts";

const dayMs = 86_400_000;

/** The next container, without a machine id and without the folder that was not on a volume. */
const next = (desk: Desk, lost: "config" | "state") => {
  if (lost === "state") rmSync(desk.state, { recursive: true });
  return desk.at(lost === "config" ? { config: join(temporaryFolder(), "config") } : {});
};

test("a container that keeps only the journal goes on, and asks the statement each time", async ({
  partnerIn,
  simulator,
}) => {
  let desk = openDesk(partnerIn, { machineId: undefined });
  await desk.send("R-1");
  desk = next(desk, "config");
  const run = await desk.partner`${transferOf("R-1")}`;
  expect(run.exit).toBe(0);
  expect(run.stderr).toContain("was not used with these profiles before. For a day, the statement is asked");
  const asks = async (reference: string) => {
    const { exit, stderr } = await desk.partner`${transferOf(reference)} --debug`;
    return [exit, /^> POST \S+\/wallet\/statement$/m.test(stderr)];
  };
  expect(await asks("R-2")).toEqual([0, true]);
  desk = next(desk, "config");
  expect(await asks("R-2")).toEqual([0, false]);
  expect(await asks("R-3")).toEqual([0, true]);
  expect(movedUnder(simulator, "R-1", "R-2", "R-3")).toEqual([1, 1, 1]);
  const journal = await openPlace({ stateFolder: desk.state, configFolder: join(temporaryFolder(), "config") });
  expect(await journal.unsure()).toBeDefined();
  await journal.close();
});

test("a container that keeps only the profiles sends once, and stops when the journal is gone", async ({
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

/** Containers with the same journal in the same place, on the same volume or on a copy of it. */
const containers = (partnerIn: Parameters<typeof openDesk>[0]) => {
  const desk = openDesk(partnerIn, { machineId: undefined });
  const inContainer = (id: string, days = 0) =>
    desk.at({ world: { now: now + days * dayMs, machine: { containerId: () => Promise.resolve(id) } } });
  const copyVolume = () => {
    cpSync(desk.state, `${desk.state}.copy`, { recursive: true });
    renameSync(desk.state, `${desk.state}.first`);
    renameSync(`${desk.state}.copy`, desk.state);
  };
  return { inContainer, copyVolume };
};

const payout = async (desk: Desk, reference: string) =>
  (await desk.partner`withdraw --account 9000112233 --amount 5 --narration out --reference ${reference} --yes --again`)
    .exit;

describe("a container without a machine-id", () => {
  test("with a copy of another container's journal sends nothing until a person says which goes on", async ({
    partnerIn,
    simulator,
  }) => {
    const { inContainer, copyVolume } = containers(partnerIn);
    await inContainer("one").send("R-1");
    copyVolume();
    const two = inContainer("two", 5);
    const refused = await two.partner`${transferOf("R-2")}`;
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain("is a clone: another container used it last, in another folder.");
    expect(refused.stderr).toContain("partner journal move");
    expect((await two.partner`doctor`).exit).toBe(3);
    expect((await two.partner`journal move`).exit).toBe(0);
    expect(await two.send("R-1", "R-2")).toEqual([0, 0]);
    expect(movedUnder(simulator, "R-1", "R-2")).toEqual([1, 1]);
  });

  test("that is recreated with the same volume goes on, and asks the statement for a day", async ({ partnerIn }) => {
    const service = await serveStatements({ react: accept });
    const { inContainer } = containers((world) =>
      partnerIn({ ...world, environment: { ...world.environment, ...service.environment } }),
    );
    expect(await payout(inContainer("one"), "R-1")).toBe(0);
    const asked = service.asked.length;
    expect(await payout(inContainer("one", 5), "R-2")).toBe(0);
    expect(service.asked).toHaveLength(asked);
    expect(await payout(inContainer("two", 5), "R-3")).toBe(0);
    expect(service.asked).toHaveLength(asked + 1);
    expect(await payout(inContainer("two", 7), "R-4")).toBe(0);
    expect(service.asked).toHaveLength(asked + 1);
  });

  test("whose volume was restored from a copy goes on, and asks the statement for a day", async ({ partnerIn }) => {
    const service = await serveStatements({ react: accept });
    const { inContainer, copyVolume } = containers((world) =>
      partnerIn({ ...world, environment: { ...world.environment, ...service.environment } }),
    );
    expect(await payout(inContainer("one"), "R-1")).toBe(0);
    const asked = service.asked.length;
    copyVolume();
    expect(await payout(inContainer("one", 5), "R-2")).toBe(0);
    expect(service.asked).toHaveLength(asked + 1);
  });
});

test("read-only profiles keep orders from leaving, and nothing else", async ({ partnerIn, simulator }) => {
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

test("no order leaves while another process changes the list of journals, and the error says so", async ({
  partnerIn,
  simulator,
}) => {
  const desk = openDesk(partnerIn);
  const files = nodeFiles();
  const release = await files.lock(join(desk.config, "journals.json.lock"), { waitMs: 0, staleMs: 60_000 });
  const lock: typeof files.lock = (path, options) => files.lock(path, { ...options, waitMs: 0 });
  const hasty = desk.at({ world: { host: { files: { ...files, lock } } } });
  const refused = await hasty.partner`${transferOf("R-1")}`;
  expect(refused).toMatchObject({ exit: 5, stdout: "" });
  expect(refused.stderr).toContain("journals.json is being changed by another process");
  expect(refused.stderr).toContain("Hint: Nothing was sent. Run it again when that one has ended.");
  await release();
  expect(await hasty.partner`${transferOf("R-1")}`).toMatchObject({ exit: 0 });
  expect(movedUnder(simulator, "R-1")).toEqual([1]);
});

function refuse(): never {
  throw Object.assign(new Error("EROFS"), { code: "EROFS" });
}
