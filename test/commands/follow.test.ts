import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { person } from "../person.ts";
import { now, test } from "../simulated.ts";
import { ask } from "./served.ts";

/**
 * Follows while orders are placed, one between two looks, and is then stopped by Ctrl-C.
 * @param step how far the clock moves with each order, in milliseconds
 */
async function followed(line: string, simulator: RunningSimulator, step = 1) {
  const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: temporaryFolder() };
  const order = (number: number) =>
    run(
      words(
        `transfer --from 9000112233 --to 9000112244 --amount ${number}000 --description d --reference R-${number} --yes --again`,
      ),
      { now: now + number * step, environment },
    );
  await order(1);
  await order(2);
  const { host, stop } = person();
  let looks = 0;
  const meanwhile = async () => {
    looks += 1;
    if (looks <= 2) await order(looks + 2);
    if (looks === 4) stop("SIGINT");
  };
  return run(words(line), { now, environment, host, meanwhile });
}

describe("--follow prints existing rows, then new ones, each once, and Ctrl-C ends it with 0", () => {
  test("for orders of the journal", async ({ simulator }) => {
    const columns = "--columns reference,amount";
    expect(await followed(`journal list --follow --every 5s --csv ${columns}`, simulator)).toMatchObject({
      exit: 0,
      stdout: "reference,amount\nR-1,1000\nR-2,2000\nR-3,3000\nR-4,4000\n",
    });
    const chosen = await followed(`journal list --follow --where amount>=3000 --output ndjson ${columns}`, simulator);
    expect(chosen.stdout).toBe('{"reference":"R-3","amount":3000}\n{"reference":"R-4","amount":4000}\n');
  });

  test("for orders with a clock that goes back, as with hosts whose clocks differ", async ({ simulator }) => {
    const line = "journal list --follow --csv --columns reference --no-header";
    expect(await followed(line, simulator, -5000)).toMatchObject({ exit: 0, stdout: "R-1\nR-2\nR-3\nR-4\n" });
  });

  test("for rows of a statement", async ({ simulator }) => {
    const line = "wallet statement 9000112233 --follow --csv --columns narration,amountDebited --no-header";
    const { exit, stdout } = await followed(line, simulator);
    expect(exit).toBe(0);
    expect(stdout.trimEnd().split("\n").slice(-4)).toEqual([
      "d [R-1],1000",
      "d [R-2],2000",
      "d [R-3],3000",
      "d [R-4],4000",
    ]);
  });

  test("for a table, with its headings once", async ({ simulator }) => {
    const { exit, stdout } = await followed("journal list --follow --columns reference,state", simulator);
    expect(exit).toBe(0);
    expect(stdout.split("\n").map((each) => each.trim().replace(/ +/, " "))).toEqual([
      "reference state",
      "R-1 accepted",
      "R-2 accepted",
      "R-3 accepted",
      "R-4 accepted",
      "",
    ]);
  });
});

test("--follow prints an order again when its state changes, and only then", async ({ simulator, faults }) => {
  const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: temporaryFolder() };
  const type = (line: string) => run(words(line), { now, environment });
  const order = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --yes --again --reference";
  await type(`${order} R-1`);
  faults.loseNextAnswer();
  await type(`${order} R-2`);
  const follow = async (line: string) => {
    const { host, stop } = person();
    let looks = 0;
    const meanwhile = async () => {
      looks += 1;
      if (looks === 2) await type("journal resolve R-2");
      if (looks === 4) stop("SIGINT");
    };
    return run(words(`journal list --follow --csv --columns reference,state --no-header ${line}`), {
      now,
      environment,
      host,
      meanwhile,
    });
  };
  expect(await follow("")).toMatchObject({ exit: 0, stdout: "R-1,accepted\nR-2,unknown\nR-2,accepted\n" });
});

test("--follow with --state prints an order when it reaches that state", async ({ simulator, faults }) => {
  const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: temporaryFolder() };
  const type = (line: string) => run(words(line), { now, environment });
  faults.loseNextAnswer();
  await type("transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-1 --yes");
  const { host, stop } = person();
  let looks = 0;
  const meanwhile = async () => {
    looks += 1;
    if (looks === 1) await type("journal resolve R-1");
    if (looks === 3) stop("SIGINT");
  };
  const line = "journal list --follow --state accepted --csv --columns reference,state --no-header";
  expect(await run(words(line), { now, environment, host, meanwhile })).toMatchObject({
    exit: 0,
    stdout: "R-1,accepted\n",
  });
});

test("--follow --by a user goes on although another user's oldest order is damaged", async ({ simulator }) => {
  const folder = temporaryFolder();
  const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: folder };
  const type = (line: string, userName = "clerk") => run(words(line), { now, environment, machine: { userName } });
  const order = "transfer --from 9000112233 --to 9000112244 --amount 1000 --description d --yes --again --reference";
  const batch = join(folder, "batch.csv");
  const rows = Array.from({ length: 300 }, (_, index) => `B-${index},9000112233,9000112244,${index + 1},d\n`);
  writeFileSync(batch, `reference,from,to,amount,description\n${rows.join("")}`);
  expect(await type(`batch run ${batch} --kind transfer --yes`)).toMatchObject({ exit: 0 });
  await type(`${order} R-1`, "owner");
  const { host, stop } = person();
  let looks = 0;
  const meanwhile = async () => {
    looks += 1;
    if (looks === 1) {
      await type(`${order} R-2`, "owner");
      await type(`${order} R-3`);
      const journal = new DatabaseSync(join(folder, "state", "journal.db"));
      journal.exec("UPDATE movements SET note = 'other' WHERE number = 1");
      journal.close();
    }
    if (looks === 3) stop("SIGINT");
  };
  const line = "journal list --follow --by owner --csv --columns reference --no-header";
  expect(await run(words(line), { now, environment, host, meanwhile })).toMatchObject({
    exit: 0,
    stdout: "R-1\nR-2\n",
  });
});

test("--follow ends when its first look fails", async () => {
  const { exit } = await ask(
    "wallet statement 7 --follow --csv --retries 0",
    "HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n",
  );
  expect(exit).toBe(5);
});

test.each([
  ["journal list --every 5s", "--every works only with --follow."],
  ["journal list --follow --every 10ms", "--every is at least 1s."],
  ["journal list --follow --json", "--follow prints each row as it comes, which json does not allow."],
  ["journal list --follow --sort amount", "--follow prints each row as it comes, which --sort does not allow."],
  ["journal list --follow --save x.csv", "--follow never ends, so a file would never be complete."],
  ["journal list --follow --limit 5", "--follow never ends, and takes no --fail-if-any, --older-than or --limit."],
  ["wallet statement 7 --follow --strict", "--follow never ends, and --strict works with a whole statement only."],
])("%s exits with 2", async (line, message) => {
  const result = await ask(line);
  expect(result).toMatchObject({ exit: 2, stdout: "", requests: [] });
  expect(result.stderr).toContain(message);
});
