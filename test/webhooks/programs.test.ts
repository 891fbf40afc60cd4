import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newMachine, send } from "./listening.ts";

// A program that took an event has taken it, whatever it left running behind it. Run again, it would book it twice.

test("a program that leaves another one running has taken its event, and the next one is not kept waiting", async () => {
  const machine = newMachine();
  const left = join(machine.folder, "left");
  const processes = () => readFileSync(left, "utf8").trim().split("\n").map(Number);
  const { url, stop } = await machine.listen(
    `--exec "sh -c 'cat >/dev/null; sleep 600 2>/dev/null & echo $! >>${left}'"`,
  );
  onTestFinished(() => processes().forEach((id) => process.kill(id)));
  for (const id of ["A", "B"]) expect((await send(url, id)).status).toBe(200);
  expect((await stop()).exit).toBe(0);
  const { stdout } = await machine.type("webhook inbox list --json");
  expect(JSON.parse(stdout)).toMatchObject([
    { id: "A", state: "delivered", attempts: 1 },
    { id: "B", state: "delivered", attempts: 1 },
  ]);
  // What it left is its own business, and is not ended with us.
  expect(processes().map((id) => process.kill(id, 0))).toEqual([true, true]);
});
