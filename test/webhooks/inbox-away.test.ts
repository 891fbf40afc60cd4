import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newMachine, send } from "./listening.ts";

// The service never sends an event again after 200. So 200 means that the event is in the inbox that others open.

const away: readonly (readonly [string, (folder: string) => void])[] = [
  ["is removed", (state) => ["", "-wal", "-shm"].forEach((end) => rmSync(join(state, `inbox.db${end}`)))],
  ["is removed without its log", (state) => rmSync(join(state, "inbox.db"))],
  ["loses its log", (state) => rmSync(join(state, "inbox.db-wal"))],
  ["is moved with its folder", (state) => renameSync(state, `${state}.old`)],
  [
    "is replaced by a copy of itself",
    (state) => {
      copyFileSync(join(state, "inbox.db"), join(state, "copy.db"));
      renameSync(join(state, "copy.db"), join(state, "inbox.db"));
    },
  ],
];

test.each(away)("a webhook that arrives after the inbox %s is answered with 503", async (_, take) => {
  const machine = newMachine();
  const first = await machine.listen();
  expect((await send(first.url, "before")).status).toBe(200);
  take(join(machine.folder, "state"));
  for (const id of ["after", "before"]) expect((await send(first.url, id)).status).toBe(503);
  const { stderr } = await first.stop();
  expect(stderr).toContain(
    `Webhooks are answered with 503: The inbox ${join(machine.folder, "state/inbox.db")} is no longer in its place: ` +
      "another program has removed, moved or replaced it. Start this command again, which opens what is there now.",
  );
  const second = await machine.listen();
  expect((await send(second.url, "after")).status).toBe(200);
  await second.stop();
  expect((await machine.type("webhook inbox list --csv")).stdout).toContain("\nafter,");
});
