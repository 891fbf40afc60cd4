import { expect, test } from "vitest";
import { serverTime } from "../../src/journal/lease.ts";
import { memoryHost } from "../memory-host.ts";

const serverNow = Date.UTC(2026, 10, 3, 6, 0, 0);
const anHourMs = 3_600_000;

/** A host whose clock is two hours behind the server's, and what happens to it once the server has said its time. */
function hostAfter({
  setByMs,
  ranMs,
  askedMs = 0,
}: Record<"setByMs" | "ranMs", number> & { readonly askedMs?: number }) {
  const { clock } = memoryHost({ now: serverNow - 2 * anHourMs });
  let isLater = false;
  const time = serverTime(
    {
      ...clock,
      now: () => clock.now() + (isLater ? setByMs : 0),
      elapsed: () => clock.elapsed() + (isLater ? ranMs : 0),
    },
    serverNow,
    { now: clock.now() - askedMs, elapsed: clock.elapsed() },
  );
  isLater = true;
  return time;
}

test("a clock that is set ahead during a run ends no other host's order, and its own orders not before their time", () => {
  const time = hostAfter({ setByMs: anHourMs, ranMs: 0 });
  expect(time.earliest()).toBe(serverNow);
  expect(time.latest()).toBe(serverNow + anHourMs);
});

test("a clock that is set back during a run does not end the host's own orders an hour early", () => {
  const time = hostAfter({ setByMs: -anHourMs, ranMs: 1_000 });
  expect(time.earliest()).toBe(serverNow - anHourMs);
  expect(time.latest()).toBe(serverNow + 1_000);
});

test("a host that slept for an hour ends its orders by the time after its sleep", () => {
  const time = hostAfter({ setByMs: anHourMs, ranMs: 2_000 });
  expect(time.latest()).toBe(serverNow + anHourMs);
});

test("a host that has run for a fraction of a millisecond gives whole ones, each on its safe side", () => {
  const time = hostAfter({ setByMs: 0, ranMs: 0.25 });
  expect(time.latest()).toBe(serverNow + 1);
  expect(hostAfter({ setByMs: 0, ranMs: -0.25 }).earliest()).toBe(serverNow - 1);
});

test("a host that slept while the server answered ends its orders no earlier than their time", () => {
  const time = hostAfter({ setByMs: 1_000, ranMs: 1_000, askedMs: anHourMs });
  expect(time.earliest()).toBe(serverNow + 1_000);
  expect(time.latest()).toBe(serverNow + anHourMs + 1_000);
});
