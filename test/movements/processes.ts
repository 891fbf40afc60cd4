import { expect, test } from "vitest";
import type { StopSignal } from "../../src/values/failure.ts";
import { answer } from "../contract/recorder.ts";
import { startRun } from "./child.ts";
import { expectInvariants } from "./invariants.ts";
import type { Kind } from "./kinds.ts";
import { objectIn } from "./kinds.ts";
import { accept, environmentAt, honest } from "./service.ts";
import { silentTls } from "./silent-tls.ts";
import type { Teller } from "./teller.ts";
import { teller } from "./teller.ts";
import type { Till } from "./till.ts";
import { openTill } from "./till.ts";

// Real processes: killed and interrupted while a slow service makes them wait, and racing for one reference.

const signalExits = { SIGKILL: 137, SIGINT: 130, SIGTERM: 143, SIGHUP: 143 } as const;
/** The message for a person who stops a run while it waits for an answer. */
const patience = "waiting for the answer; again to give up";

/** How much of the answer has arrived at the time of the signal. */
const moments = {
  "the request has arrived": () => "",
  "the first byte of the answer has come": (whole) => whole.slice(0, 1),
  "the answer's head has come": (whole) => whole.slice(0, whole.indexOf("\r\n\r\n") + 4),
  "all but the last byte has come": (whole) => whole.slice(0, -1),
} as const satisfies Record<string, (whole: string) => string>;
type Moment = keyof typeof moments;
export const everyMoment: readonly Moment[] = [
  "the request has arrived",
  "the first byte of the answer has come",
  "the answer's head has come",
  "all but the last byte has come",
];

/** A process that is killed while it waits for the service's answer. */
export function testKilledInFlight(kind: Kind, at: readonly Moment[]): void {
  for (const moment of at) {
    test(`${kind.kind}: SIGKILL when ${moment}: unknown, and never sent again`, async () => {
      const { service, till, reached } = await held(kind, moments[moment]);
      const child = startRun(kind.line("R-1"), till);
      await reached;
      child.kill("SIGKILL");
      expect((await child.run).exit).toBe(signalExits.SIGKILL);
      await expectUnknown(kind, service, till);
    });
  }
}

/** A process that is interrupted while it waits for the service's answer, once and twice. */
export function testStoppedInFlight(kind: Kind, at: readonly Moment[], signals: readonly StopSignal[]): void {
  for (const moment of at) {
    for (const signal of signals) {
      test(`${kind.kind}: ${signal} when ${moment}: it waits for its answer, and ends with it`, async () => {
        const { service, till, reached, goOn } = await held(kind, moments[moment]);
        const child = startRun(kind.line("R-1"), till);
        await reached;
        child.kill(signal);
        await child.says(patience);
        goOn();
        const first = await child.run;
        expect(first.exit).toBe(0);
        expect(objectIn(first.stdout)["state"]).toBe(kind.state);
        await expectInvariants(first, { kind, reference: "R-1", till, service: honest(service) });
      });

      test(`${kind.kind}: ${signal} twice when ${moment}: unknown, and never sent again`, async () => {
        const { service, till, reached } = await held(kind, moments[moment]);
        const child = startRun(kind.line("R-1"), till);
        await reached;
        child.kill(signal);
        await child.says(patience);
        child.kill(signal);
        const first = await child.run;
        expect(first.exit).toBe(6);
        expect(objectIn(first.stdout)["state"]).toBe("unknown");
        await expectUnknown(kind, service, till);
      });
    }
  }
}

async function expectUnknown(kind: Kind, service: Teller, till: Till): Promise<void> {
  const found = await till.run(kind.line("R-1"));
  expect(found.exit).toBe(6);
  expect(objectIn(found.stdout)["state"]).toBe("unknown");
  await expectInvariants(found, { kind, reference: "R-1", till, service: honest(service) });
}

/** A process that is killed or interrupted before it has a connection. */
export function testKilledBefore(kind: Kind, signals: readonly (keyof typeof signalExits)[]): void {
  for (const signal of signals) {
    test(`${kind.kind}: ${signal} before the connection is made: nothing is sent, and it can be sent later`, async () => {
      const { origin, flags, requests, dialled, heal } = await silentTls(kind.readsBefore);
      const till = openTill(environmentAt(origin));
      till.flags = flags;
      const child = startRun(kind.line("R-1"), till);
      await dialled;
      child.kill(signal);
      const first = await child.run;
      expect(first.exit).toBe(signalExits[signal]);
      heal();
      const sent = await till.run(kind.line("R-1"));
      expect(sent.exit).toBe(0);
      const service = honest({ requests });
      await expectInvariants(sent, { kind, reference: "R-1", till, service });
    });
  }
}

/** Processes that want the same reference at the same time. */
export function testRace(kind: Kind, size: number): void {
  test(`${kind.kind}: of ${size} processes with one reference one sends, and all report its outcome`, async () => {
    const { service, till } = await crowd(size);
    const racers = Array.from({ length: size }, () => startRun(kind.line("R-1"), till).run);
    const runs = await Promise.all(racers);
    expect(new Set(runs.map(({ exit }) => exit))).toEqual(new Set([0]));
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
    expect(runs.filter(({ stderr }) => stderr.includes("nothing was sent now"))).toHaveLength(size - 1);
    expect(service.requests).toHaveLength(1);
  });

  test(`${kind.kind}: of two processes with one reference and two amounts one sends, and the other is refused`, async () => {
    const { service, till } = await crowd(2);
    const lines = [kind.line("R-1"), kind.line("R-1", kind.amounts[1])];
    const runs = await Promise.all(lines.map((line) => startRun(line, till).run));
    const exits = runs.map(({ exit }) => exit);
    expect(exits).toContain(2);
    expect(service.requests).toHaveLength(1);
  });
}

export function testKilledRival(kind: Kind): void {
  test(`${kind.kind}: a process that waited for a killed process ends with an unknown outcome`, async () => {
    const { service, till, reached } = await held(kind, () => "");
    const first = startRun(kind.line("R-1"), till);
    await reached;
    const second = startRun(kind.line("R-1"), till);
    await service.asked(2);
    first.kill("SIGKILL");
    expect(await second.run).toMatchObject({ exit: 6 });
    expect(service.requests).toHaveLength(1);
  });
}

/**
 * A service that sends a part of the answer and then holds the connection until `goOn`; `reached` resolves when it
 * holds.
 */
async function held(kind: Kind, part: (whole: string) => string) {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const { promise: released, resolve: goOn } = Promise.withResolvers<void>();
  const whole = answer(kind.status, kind.answer("R-1"));
  const service = await teller({
    react(socket) {
      const bytes = part(whole);
      socket.write(bytes, () => resolve());
      void released.then(() => socket.end(whole.slice(bytes.length)));
    },
  });
  return { service, till: openTill(environmentAt(service.origin)), reached, goOn };
}

/** A service that answers once so many processes have asked for the wallets, each about to look into the journal. */
async function crowd(size: number) {
  const service = await teller({
    react: (socket, request) => void service.asked(size).then(() => accept(socket, request)),
  });
  return { service, till: openTill(environmentAt(service.origin)) };
}
