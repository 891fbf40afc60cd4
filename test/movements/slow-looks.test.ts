import type { Socket } from "node:net";
import type { TestContext } from "vitest";
import { expect, test } from "vitest";
import { column, openDesk, payouts, transfers } from "../commands/batch-service.ts";
import { answer } from "../contract/recorder.ts";
import { afterRequest, serveSockets } from "../host/servers.ts";
import { stopTime } from "../stopped-time.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import type { MoneyRequest } from "./teller.ts";
import { openTill } from "./till.ts";

// What a person is shown before an order delays the order by 3 s at most, whatever the service does meanwhile.

const said = /^The service did not give [a-z ]+ within 3 s; the order continues without it\.$/m;

/** A service that takes orders and never finishes an answer to anything else. */
async function absent(begin: string, { onTestFinished }: Pick<TestContext, "onTestFinished">, onLook = () => {}) {
  const requests: MoneyRequest[] = [];
  const serve = (socket: Socket) =>
    afterRequest(socket, (head, body) => {
      const path = /^POST (\S+) /.exec(head)?.[1];
      if (path === undefined) {
        onLook();
        return socket.write(begin);
      }
      requests.push({ path, body, head });
      return accept(socket, { path, body, head });
    });
  const port = await serveSockets(serve, 0, onTestFinished);
  return { requests, till: openTill(environmentAt(`http://127.0.0.1:${port}`)) };
}

const whole = answer("200 OK", "[]");
const beginnings = { nothing: "", "half a head": whole.slice(0, 20), "a head": whole.slice(0, -2) };

for (const kind of kinds.filter(({ readsBefore }) => readsBefore > 0)) {
  test.concurrent.for(Object.entries(beginnings))(
    `${kind.kind}: the order is not delayed when %s of the list arrives`,
    async ([, begin], context) => {
      const { requests, till } = await absent(begin, context);
      const run = await till.run(kind.line("R-1"));
      // Its output explains a failure.
      expect(run.stderr).toMatch(said);
      expect(run.stderr).not.toContain("Error");
      expect(run).toMatchObject({ exit: 0, stdout: expect.stringContaining(`"state": "${kind.state}"`) });
      expect(requests).toHaveLength(1);
    },
  );

  test.concurrent(`${kind.kind}: the question is asked without the facts that the service did not send`, async (context) => {
    const { requests, till } = await absent("", context);
    const line = kind.line("R-1").replace(" --yes", "");
    const run = await till.run(line, { terminal: { stdin: true, stderr: true }, answers: [true] });
    expect(run.exit).toBe(0);
    expect(run.stderr).toMatch(said);
    expect(requests).toHaveLength(1);
  });
}

const [rows, mixed] = [
  transfers(2),
  "kind,reference,from,to,amount,description\n" +
    "transfer,R-1,9000112233,9000112244,5,rent\ntransfer,R-2,9000112233,9000112244,5,rent\n",
];
test.concurrent.for([
  ["of transfers", rows, payouts, 1],
  ["that may have remittances in it", mixed, "", 2],
] as const)("a batch %s is not delayed either", async ([, content, more, looks], context) => {
  const { requests, till } = await absent("", context);
  const run = await till.run(`batch run ${openDesk().write(content)} ${more} --yes --csv --check-statement never`);
  expect(run.exit).toBe(0);
  expect(column(run.stdout, "state")).toEqual(["accepted", "accepted"]);
  expect(run.stderr.match(new RegExp(said, "gm"))).toHaveLength(looks);
  expect(requests).toHaveLength(2);
});

test("a shorter --timeout is kept, and named in the warning", async (context) => {
  const pass = stopTime();
  const { requests, till } = await absent("", context, () => pass(1000));
  const run = await till.run(`${kinds[0].line("R-1")} --timeout 1s`);
  expect(run.exit).toBe(0);
  expect(run.stderr).toContain("within 1 s");
  expect(requests).toHaveLength(1);
});
