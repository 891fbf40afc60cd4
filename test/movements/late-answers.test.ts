import { expect, test } from "vitest";

import { kinds, objectIn } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

// A process waiting for its answer can look dead to another machine, or after a jump of the clock. A person then
// calls the order refused. When the answer arrives after all and says yes, the order may not be sent again.

const [transfer] = kinds;
const refusing = saying("400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{}}');
const lost = saying("500 Internal Server Error", "");
const elsewhere = { machine: { processMark: () => "another machine", processFate: () => "ended" as const } };
const refuse = 'journal resolve R-1 --as refused --unchecked --evidence "the bank says so"';
const line = transfer.line("R-1");

/** An order that one process has sent and still waits for, while others have called it refused. */
async function calledRefused() {
  const sent = Promise.withResolvers<() => void>();
  const service = await teller({ react: (socket, request) => sent.resolve(() => accept(socket, request)) });
  const till = openTill(environmentAt(service.origin));
  const first = till.run(line);
  const answerIt = await sent.promise;
  const again = () => till.run(line, elsewhere);
  expect(await again()).toMatchObject({ exit: 6 });
  expect(await till.run(refuse, elsewhere)).toMatchObject({ exit: 0 });
  const ended = async () => {
    answerIt();
    return first;
  };
  return { service, till, again, ended };
}

/** Expects that the order is unknown, in the journal and for the process that sent it, and is not sent again. */
async function expectKept({ service, till, again }: Awaited<ReturnType<typeof calledRefused>>, sent: number) {
  const shown = await till.run("journal show R-1 --json");
  expect(objectIn(shown.stdout)).toMatchObject({ state: "unknown" });
  expect(shown.stdout).toContain("the service said yes");
  service.react(accept);
  expect(await again()).toMatchObject({ exit: 6 });
  expect(service.requests).toHaveLength(sent);
}

test("a yes from the service after a person said no leaves the order unknown, and it is not sent again", async () => {
  const order = await calledRefused();
  const ended = await order.ended();
  expect(ended).toMatchObject({ exit: 6 });
  expect(ended.stderr).not.toContain("No money moved");
  expect(ended.stderr).not.toContain("nothing was sent now");
  await expectKept(order, 1);
});

test.each([
  ["refused", refusing, 4],
  ["lost", lost, 6],
] as const)("a yes to the first attempt stops a third one: the second was %s", async (_, reaction, exit) => {
  const order = await calledRefused();
  order.service.react(reaction);
  expect(await order.again()).toMatchObject({ exit });
  const ended = await order.ended();
  expect(ended).toMatchObject({ exit: 6 });
  expect(ended.stderr).not.toContain("No money moved");
  expect((await order.till.run("journal show R-1")).stdout).toContain("the service said yes (about attempt 1 of 2)");
  await expectKept(order, 2);
});

test("an answer to the first attempt during the second one is kept until the second one is answered", async () => {
  const order = await calledRefused();
  const second = Promise.withResolvers<() => void>();
  order.service.react((socket, request) => second.resolve(() => refusing(socket, request)));
  const other = order.again();
  const refuseIt = await second.promise;
  const first = order.ended();
  refuseIt();
  expect(await other).toMatchObject({ exit: 4 });
  expect(await first).toMatchObject({ exit: 6 });
  await expectKept(order, 2);
});

test("a no to the first attempt changes nothing about the second one", async () => {
  const sent = Promise.withResolvers<() => void>();
  const service = await teller({ react: (socket, request) => sent.resolve(() => refusing(socket, request)) });
  const till = openTill(environmentAt(service.origin));
  const first = till.run(line);
  const answerIt = await sent.promise;
  await till.run(line, elsewhere);
  await till.run(refuse, elsewhere);
  service.react(accept);
  expect(await till.run(line, elsewhere)).toMatchObject({ exit: 0 });
  answerIt();
  expect(await first).toMatchObject({ exit: 0 });
  expect(service.requests).toHaveLength(2);
});
