import { expect, test } from "vitest";
import { serveSockets } from "../host/servers.ts";
import { answer } from "../contract/recorder.ts";
import { leave } from "../no-answer.ts";
import { person, stopSignals } from "../person.ts";
import { expectInvariants } from "./invariants.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt, honest } from "./service.ts";
import { silentTls } from "./silent-tls.ts";
import { teller } from "./teller.ts";
import { openTill } from "./till.ts";

// Ctrl-C, TERM and HUP, at every point where a service can make a command wait.

const patience = "waiting for the answer; again to give up";

for (const kind of kinds) {
  const whole = answer(kind.status, kind.answer("R-1"));
  const parts = [0, 1, whole.indexOf("\r\n\r\n") + 4, whole.length - 1];
  for (const [signal, exit] of stopSignals) {
    test(`${kind.kind}: ${signal} while money is in flight waits for the answer, wherever it has stopped`, async () => {
      for (const bytes of parts) {
        const { host, stop } = person();
        const told = await teller({
          react(socket) {
            socket.write(whole.slice(0, bytes), () => {
              stop(signal);
              setImmediate(() => socket.end(whole.slice(bytes)));
            });
          },
        });
        const till = openTill(environmentAt(told.origin));
        const first = await till.run(kind.line("R-1"), { host });
        expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining(`"state": "${kind.state}"`) });
        expect(first.stderr).toContain(patience);
        await expectInvariants(first, { kind, reference: "R-1", till, service: honest(told) });
      }
    });

    test(`${kind.kind}: ${signal} twice while money is in flight leaves the outcome unknown`, async () => {
      for (const bytes of parts) {
        const { host, stop } = person();
        const told = await teller({
          react(socket) {
            socket.write(whole.slice(0, bytes), () => {
              stop(signal);
              setImmediate(() => stop(signal));
            });
          },
        });
        const till = openTill(environmentAt(told.origin));
        const first = await till.run(kind.line("R-1"), { host });
        expect(first).toMatchObject({ exit: 6, stdout: expect.stringContaining('"state": "unknown"') });
        expect(first.stderr).toContain(patience);
        await expectInvariants(first, { kind, reference: "R-1", till, service: honest(told) });
      }
    });

    test.skipIf(kind.readsBefore === 0)(`${kind.kind}: ${signal} during a look-up orders nothing`, async () => {
      const { host, stop } = person();
      const told = await teller({ react: accept });
      const port = await serveSockets((socket) => socket.once("data", () => stop(signal)));
      const till = openTill(environmentAt(`http://127.0.0.1:${port}`));
      const first = await till.run(kind.line("R-1"), { host });
      expect(first).toMatchObject({ exit, stdout: "" });
      expect(await till.movements()).toEqual([]);
      expect(told.requests).toEqual([]);
    });

    test(`${kind.kind}: ${signal} at the question orders nothing`, async () => {
      const { host, stop } = person();
      const told = await teller({ react: accept });
      const till = openTill(environmentAt(told.origin));
      const interrupt = () => {
        stop(signal);
        throw new Error("The prompt was interrupted");
      };
      const terminal = { stdin: true, stderr: true };
      const line = kind.line("R-1").replace(" --yes", "");
      const first = await till.run(line, { host, terminal, answers: [interrupt] });
      expect(first).toMatchObject({ exit, stdout: "" });
      expect(told.requests).toEqual([]);
      await expectInvariants(first, { kind, reference: "R-1", till, service: honest(told) });
    });

    test(`${kind.kind}: ${signal} before the connection is made sends nothing, and it can be sent later`, async () => {
      const { host, stop } = person();
      const { origin, flags, requests, dialled, heal } = await silentTls(kind.readsBefore);
      const till = openTill(environmentAt(origin));
      till.flags = flags;
      const running = till.run(kind.line("R-1"), { host });
      await dialled;
      stop(signal);
      const first = await running;
      expect(first).toMatchObject({ exit, stdout: expect.stringContaining('"state": "unsent"') });
      expect(requests).toEqual([]);
      const service = { ...honest({ requests }), heal };
      await expectInvariants(first, { kind, reference: "R-1", till, service });
    });
  }

  test.for([
    ["a no", false, "Nothing was sent."],
    ["Ctrl-C", leave, "Nothing was sent: the question was not answered."],
  ] as const)(`${kind.kind}: %s at the question orders nothing`, async ([, typed, says]) => {
    const told = await teller({ react: accept });
    const till = openTill(environmentAt(told.origin));
    const line = kind.line("R-1").replace(" --yes", "");
    const first = await till.run(line, { terminal: { stdin: true, stderr: true }, answers: [typed] });
    expect(first).toMatchObject({ exit: 130, stdout: "" });
    expect(first.stderr).toContain(`${says}\n`);
    expect(first.stderr).not.toContain("No money moved.");
    expect(told.requests).toEqual([]);
    await expectInvariants(first, { kind, reference: "R-1", till, service: honest(told) });
  });
}
