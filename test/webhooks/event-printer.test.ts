import { join } from "node:path";
import { expect, test } from "vitest";
import type { Output } from "../../src/host/host.ts";
import { eventLine } from "../../src/webhooks/listen/event-line.ts";
import { EventPrinter } from "../../src/webhooks/listen/event-printer.ts";
import { openInbox } from "../../src/webhooks/inbox/inbox-file.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { payloadOf, signed } from "./flood.ts";
import { now, timestamp } from "./listening.ts";

interface SlowReader extends Output {
  /** Everything it has read so far. */
  readonly read: string[];
  /** Lets it read one more piece. */
  go(): void;
}

/** A reader that takes a piece only on request. */
function slowReader(): SlowReader {
  const read: string[] = [];
  let pending: (() => void) | undefined;
  return {
    isTerminal: false,
    columns: undefined,
    closed: false,
    read,
    write: (bytes) =>
      new Promise((resolve) => {
        pending = () => {
          read.push(String(bytes));
          resolve();
        };
      }),
    go() {
      const take = pending;
      pending = undefined;
      take?.();
    },
  };
}

async function nextTurn(): Promise<"busy"> {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return "busy";
}

async function printerFor(stdout: Output, maxLines = Infinity) {
  const stateFolder = join(temporaryFolder(), "state");
  const inbox = await openInbox(memoryHost(), { stateFolder, use: "write", warn: () => undefined });
  const watch = await inbox.watch("me", () => "running");
  const lost: unknown[] = [];
  const printer = new EventPrinter({
    stdout,
    watch,
    filter: {},
    lineOf: eventLine,
    maxLines,
    onLast: () => undefined,
    onLost: (error) => lost.push(error),
  });
  const store = async (id: string) => {
    const body = Buffer.from(signed(payloadOf(id), timestamp));
    const event = { id, receivedAt: now, requestId: null, timestamp, body, dueAt: null };
    const number = (await inbox.store(event)) ?? 0;
    printer.offer(number, eventLine(event, payloadOf(id)));
  };
  return { inbox, watch, printer, store, lost };
}

test("a slow reader gets every line in order, and the buffer for it stays small", async () => {
  const stdout = slowReader();
  const { inbox, watch, printer, store } = await printerFor(stdout);
  const ids = Array.from({ length: 5_000 }, (_, index) => `E${index}`);
  await Promise.all(ids.map(store));
  const idle = printer.idle().then(() => "idle" as const);
  let largest = 0;
  for (let state = "busy"; state === "busy"; state = await Promise.race([idle, nextTurn()])) {
    stdout.go();
    largest = Math.max(largest, stdout.read.at(-1)?.length ?? 0);
  }
  const lines = stdout.read.join("").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids);
  expect(largest).toBeLessThan(4 * 1024 * 1024);
  expect(await watch.unshown(0, 10)).toEqual([]);
  await inbox.close();
});

test("a failed write is reported once, and its events are left for the next receiver", async () => {
  const failing: Output = { ...slowReader(), write: () => Promise.reject(new Error("the disk is full")) };
  const { inbox, watch, printer, store, lost } = await printerFor(failing);
  for (const id of ["A", "B", "C"]) await store(id);
  await printer.idle();
  expect(lost).toEqual([new Error("the disk is full")]);
  expect((await watch.unshown(0, 10)).map(({ id }) => id)).toEqual(["A", "B", "C"]);
  await inbox.close();
});
