import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { environmentAt, accept } from "../movements/service.ts";
import { kinds } from "../movements/kinds.ts";
import type { MoneyRequest } from "../movements/teller.ts";
import { saying, teller } from "../movements/teller.ts";
import { openTill } from "../movements/till.ts";
import { now, test } from "../simulated.ts";
import { column, openDesk, payouts, timesMoved } from "./batch-service.ts";

// One file, run again after a person edited it: rows added since then do not count as siblings of the rows sent.

const dayMs = 24 * 60 * 60_000;
const file = (...rows: readonly string[]) => `reference,amount\n${rows.map((row) => `${row}\n`).join("")}`;
const transfer = "transfer --from 9000112233 --to 9000112244 --description rent --yes --json";
const referenceOf = ({ body }: MoneyRequest) => kinds[0].referenceIn(body);

describe("a row added to a file that was already run", () => {
  test("is a fault when it repeats a row with an unknown outcome", async ({ partnerIn, simulator, faults }) => {
    const desk = openDesk();
    const { environment } = desk;
    const partner = partnerIn({ environment });
    faults.plan("lose-answer=money:2");
    const first = await partner`batch run ${desk.write(file("P-1,5", "P-2,6"))} ${payouts} --yes --csv`;
    expect([first.exit, column(first.stdout, "state")]).toEqual([6, ["accepted", "unknown"]]);
    const [, id = ""] = column(first.stdout, "id");
    const edited = desk.write(file("P-1,5", "P-2,6", "P-2-again,6"));
    const later = partnerIn({ environment, now: now + 30 * dayMs });
    for (const line of ["batch check", "batch run --yes", "batch run --dry-run"]) {
      const stopped = await later`${line} ${edited} ${payouts}`;
      expect([line, stopped.exit, stopped.stdout]).toEqual([line, 2, ""]);
      expect(stopped.stderr).toContain(
        `line 4, reference: "P-2-again": a transfer with the same payer, receiver and amount has an unknown outcome: P-2, ordered 2026-03-31 12:00:00, id ${id}, line 3 of batch `,
      );
      expect(stopped.stderr).toContain("--allow-repeats");
    }
    expect(timesMoved(simulator, "P-2-again")).toBe(0);
    const meant = await later`batch run ${edited} ${payouts} --yes --allow-repeats --csv`;
    expect(column(meant.stdout, "state")).toEqual(["accepted", "unknown", "accepted"]);
    expect(timesMoved(simulator, "P-2-again")).toBe(1);
  });

  test("is a fault when it repeats a row that was accepted, for as long as like orders count", async ({
    partnerIn,
    simulator,
  }) => {
    const desk = openDesk();
    const { environment } = desk;
    expect((await partnerIn({ environment })`batch run ${desk.write(file("P-1,5"))} ${payouts} --yes`).exit).toBe(0);
    const edited = desk.write(file("P-0,7", "P-2,5", "P-1,5"));
    const at = (ms: number) => partnerIn({ environment, now: now + ms });
    const stopped = await at(3 * dayMs)`batch run ${edited} ${payouts} --yes`;
    expect(stopped).toMatchObject({ exit: 2, stdout: "" });
    expect(stopped.stderr).toContain(
      'line 3, reference: "P-2": a transfer with the same payer, receiver and amount was',
    );
    expect(timesMoved(simulator, "P-0")).toBe(0);
    expect((await at(3 * dayMs + 1)`batch run ${edited} ${payouts} --yes`).exit).toBe(0);
    expect(["P-0", "P-1", "P-2"].map((reference) => timesMoved(simulator, reference))).toEqual([1, 1, 1]);
  });

  test("is a fault when it repeats a single order from the file whose outcome is unknown", async () => {
    const service = await teller({ react: saying("500 Internal Server Error", "") });
    const till = openTill(environmentAt(service.origin));
    const desk = openDesk();
    const line = `batch check ${desk.write(file("HAND,5", "P-1,5"))} ${payouts}`;
    const order = `${transfer} --amount 5 --reference HAND --check-statement never`;
    expect((await till.run(order)).exit).toBe(6);
    const stopped = await till.run(line);
    expect(stopped.exit).toBe(2);
    expect(stopped.stderr).toContain("has an unknown outcome: HAND, ");
    expect((await till.run("journal resolve HAND --as accepted --evidence seen")).exit).toBe(0);
    expect((await till.run(line)).exit).toBe(0);
  });

  test("is a fault again after a run with --allow-repeats in which the service refused it", async () => {
    const service = await teller({ react: saying("500 Internal Server Error", "") });
    const till = openTill(environmentAt(service.origin));
    const desk = openDesk();
    const run = (content: string, more = "") =>
      till.run(`batch run ${desk.write(content)} ${payouts} --yes --csv --check-statement never ${more}`);
    expect((await run(file("P-1,5"))).exit).toBe(6);
    service.react(
      saying("400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"no"}}'),
    );
    const refused = await run(file("P-1,5", "P-2,5"), "--allow-repeats");
    expect(column(refused.stdout, "state")).toEqual(["unknown", "refused"]);
    service.react(accept);
    expect(await run(file("P-1,5", "P-2,5"))).toMatchObject({ exit: 2, stdout: "" });
    expect(service.requests).toHaveLength(2);
  });
});

test("a refused row edited into a repeat of a row with an unknown outcome is a fault", async ({
  partnerIn,
  simulator,
  faults,
}) => {
  const desk = openDesk();
  const { environment } = desk;
  const partner = partnerIn({ environment });
  faults.loseNextAnswer();
  const first = await partner`batch run ${desk.write(file("P-1,5", "P-2,99999999999"))} ${payouts} --yes --csv`;
  expect(column(first.stdout, "state")).toEqual(["unknown", "refused"]);
  const stopped = await partner`batch run ${desk.write(file("P-1,5", "P-2,5"))} ${payouts} --yes`;
  expect(stopped).toMatchObject({ exit: 2, stdout: "" });
  expect(stopped.stderr).toContain("has an unknown outcome: P-1, ");
  expect(timesMoved(simulator, "P-2")).toBe(0);
});

/** A run of four like rows, broken off after two; the outcome of the second is unknown. */
async function brokenOff() {
  const person = new AbortController();
  const service = await teller({
    react(socket, request) {
      if (referenceOf(request) !== "R-2") return accept(socket, request);
      person.abort("SIGINT");
      socket.destroy();
    },
  });
  const till = openTill(environmentAt(service.origin));
  const desk = openDesk();
  const rows = ["R-1,5", "R-2,5", "R-3,5", "R-4,5"];
  const run = (content: string, world = {}) =>
    till.run(`batch run ${desk.write(content)} ${payouts} --yes --csv --check-statement never`, world);
  const first = await run(file(...rows), { host: { signal: person.signal } });
  expect(column(first.stdout, "state")).toEqual(["accepted", "unknown", "unsent", "unsent"]);
  service.react(accept);
  return { till, service, rows, run };
}

describe("like rows that were in a file from its first run", () => {
  const outcome = ["accepted", "unknown", "accepted", "accepted"];

  test("are sent when the same file is run again", async () => {
    const { rows, run, service } = await brokenOff();
    expect(column((await run(file(...rows))).stdout, "state")).toEqual(outcome);
    expect(service.requests.map(referenceOf)).toEqual(["R-1", "R-2", "R-3", "R-4"]);
  });

  test("are sent when the rows of the file are in another order", async () => {
    const { rows, run, service } = await brokenOff();
    const edited = await run(file(...rows.toReversed()));
    expect(column(edited.stdout, "state")).toEqual(outcome.toReversed());
    expect(service.requests.map(referenceOf)).toEqual(["R-1", "R-2", "R-4", "R-3"]);
  });

  test("are sent without the kept copy while the file is the same, and are faults once it is edited", async () => {
    const { till, rows, run, service } = await brokenOff();
    rmSync(join(till.stateFolder, "batches"), { recursive: true });
    const edited = await run(file(...rows, "R-5,6"));
    expect(edited).toMatchObject({ exit: 2, stdout: "" });
    expect(edited.stderr).toContain("2 faults in 2 lines");
    expect(service.requests).toHaveLength(2);
    expect(column((await run(file(...rows))).stdout, "state")).toEqual(outcome);
  });
});

test("a row is held back when another process has begun a like order since the file was checked", async ({
  partnerIn,
  simulator,
  faults,
}) => {
  const desk = openDesk();
  const { environment } = desk;
  const first = desk.write(file("P-1,5"), "first.csv");
  const second = desk.write(file("P-0,7", "P-1,5", "P-2,5"), "second.csv");
  const meanwhile = async () => {
    faults.loseNextAnswer();
    expect((await partnerIn({ environment })`batch run ${first} ${payouts} --yes`).exit).toBe(6);
    return true;
  };
  const terminal = { stdin: true, stderr: true };
  const asked = await partnerIn({ environment, terminal, answers: [meanwhile] })`batch run ${second} ${payouts} --csv`;
  expect(column(asked.stdout, "state")).toEqual(["accepted", "unknown", "unsent"]);
  expect(timesMoved(simulator, "P-2")).toBe(0);
});
