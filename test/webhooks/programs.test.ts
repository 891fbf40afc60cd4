import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { newMachine, send } from "./listening.ts";

// A program that has ended with 0 has taken its event, whatever it left running. Run again, it would book the event
// twice.

test("a program that leaves a child running has taken its event, and the next one need not wait", async () => {
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
  // The child that it left is not ended with the receiver.
  expect(processes().map((id) => process.kill(id, 0))).toEqual([true, true]);
});

// Many programs end with 0 when they are stopped, whatever they were doing.
test("a program that is stopped before it has booked its event gets it again, even if it ends with 0", async () => {
  const machine = newMachine();
  const begun = join(machine.folder, "begun");
  const booked = join(machine.folder, "booked");
  execFileSync("mkfifo", [begun]);
  const program = join(machine.folder, "book.sh");
  writeFileSync(program, `trap "exit 0" TERM\necho yes >${begun}\nsleep 600 >/dev/null 2>&1 &\nwait\ncat >${booked}\n`);
  const { url, stopLate } = await machine.listen(`--exec "sh ${program}"`);
  expect((await send(url, "A")).status).toBe(200);
  await readFile(begun);
  expect((await stopLate()).exit).toBe(0);
  const list = async () => JSON.parse((await machine.type("webhook inbox list --json")).stdout);
  expect(await list()).toMatchObject([{ id: "A", state: "new" }]);
  const next = await machine.listen(`--exec "sh -c 'cat >${booked}'"`);
  expect((await next.stop()).exit).toBe(0);
  expect(await list()).toMatchObject([{ id: "A", state: "delivered" }]);
  expect(readFileSync(booked, "utf8")).toContain('"id":"A"');
});
