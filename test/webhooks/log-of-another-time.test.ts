import { copyFileSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { payloadOf, signed } from "./flood.ts";
import type { Machine } from "./listening.ts";
import { newMachine, post, send, timestamp } from "./listening.ts";

// A log next to an inbox is read into it, whatever its time. Whichever is older, no event may be lost silently.

const inboxOf = ({ folder }: Machine) => join(folder, "state/inbox.db");
const logOf = (machine: Machine) => `${inboxOf(machine)}-wal`;
const bytesOf = (machine: Machine) => [inboxOf(machine), logOf(machine)].map((path) => readFileSync(path));

/** Receives these events, and keeps a copy of the log at that time. */
async function receive(machine: Machine, ids: readonly string[], andThen: readonly string[] = []): Promise<string> {
  const receiving = await machine.listen();
  const log = join(machine.folder, "log");
  for (const id of ids) expect((await send(receiving.url, id)).status).toBe(200);
  copyFileSync(logOf(machine), log);
  for (const id of andThen) expect((await send(receiving.url, id)).status).toBe(200);
  await receiving.stop();
  return log;
}

async function listed(machine: Machine): Promise<string[]> {
  const { exit, stdout } = await machine.type("webhook inbox list --csv --columns id --no-header");
  expect(exit).toBe(0);
  return stdout.split("\n").slice(0, -1);
}

test.each(["inbox list", "listen", "inbox prune --older-than 400d"])(
  "webhook %s leaves a backup unchanged when the log next to it is from a later time",
  async (line) => {
    const machine = newMachine();
    await receive(machine, ["A", "B", "C", "D"]);
    copyFileSync(inboxOf(machine), join(machine.folder, "backup"));
    await receive(machine, ["E", "F", "G", "H"]);
    const log = await receive(machine, ["I"]);
    copyFileSync(join(machine.folder, "backup"), inboxOf(machine));
    copyFileSync(log, logOf(machine));
    const before = bytesOf(machine);
    const refused = await machine.type(`webhook ${line}`);
    expect(refused).toMatchObject({ exit: 3, stdout: "" });
    expect(refused.stderr).toContain("is damaged: ");
    expect(bytesOf(machine)).toEqual(before);
    renameSync(logOf(machine), join(machine.folder, "away"));
    expect(await listed(machine)).toEqual(["A", "B", "C", "D"]);
  },
);

test.each(["inbox list", "listen"])("webhook %s reports that the log of an earlier time hides events", async (line) => {
  const machine = newMachine();
  const log = await receive(machine, ["A"], ["B", "C"]);
  copyFileSync(log, logOf(machine));
  const before = bytesOf(machine);
  const refused = await machine.type(`webhook ${line}`);
  expect(refused).toMatchObject({ exit: 3, stdout: "" });
  expect(refused.stderr).toContain("is damaged: its log is older than the file itself, and hides what came since.");
  expect(bytesOf(machine)).toEqual(before);
  renameSync(logOf(machine), join(machine.folder, "away"));
  expect(await listed(machine)).toEqual(["A", "B", "C"]);
});

test("a large inbox next to the log of a later time is refused by a receiver, and not changed by a list", async () => {
  const machine = newMachine();
  const receiving = await machine.listen();
  for (const id of ["A", "B", "C", "D", "E"]) {
    const payload = payloadOf(id).replace("Customer payment received", "x".repeat(900_000));
    expect((await post(receiving.url, signed(payload, timestamp))).status).toBe(200);
  }
  await receiving.stop();
  copyFileSync(inboxOf(machine), join(machine.folder, "backup"));
  await receive(
    machine,
    Array.from({ length: 30 }, (_, index) => `F${index}`),
  );
  const log = await receive(machine, ["G"]);
  copyFileSync(join(machine.folder, "backup"), inboxOf(machine));
  copyFileSync(log, logOf(machine));
  const before = bytesOf(machine);
  await machine.type("webhook inbox list");
  expect(bytesOf(machine)).toEqual(before);
  const refused = await machine.type("webhook listen");
  expect(refused).toMatchObject({ exit: 3, stderr: expect.stringContaining("is damaged") });
  expect(bytesOf(machine)).toEqual(before);
});
