import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { kinds, objectIn } from "./kinds.ts";
import { saying, teller } from "./teller.ts";
import { environmentAt } from "./service.ts";
import { temporaryFolder } from "../memory-host.ts";
import { openTill } from "./till.ts";

// What happens when a reference is ordered again.

const refusal = saying(
  "400 Bad Request",
  '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"too much"}}',
);
const nothing = saying("500 Internal Server Error", "");

for (const kind of kinds) {
  const [amount, other] = kind.amounts;
  const good = saying(kind.status, ({ body }) => kind.answer(kind.referenceIn(body) ?? ""));

  test(`${kind.kind}: a repeated order prints the same outcome, byte for byte, and sends nothing`, async () => {
    const service = await teller({ react: good });
    const till = openTill(environmentAt(service.origin));
    const first = await till.run(kind.line("R-1"));
    service.react(nothing);
    const again = await till.run(kind.line("R-1"));
    expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
    expect(again.stderr).toContain(`This reference was ordered before (${kind.state}); nothing was sent now. `);
    expect(service.requests).toHaveLength(1);
  });

  test(`${kind.kind}: an unknown order stays unknown and is not sent again, however often it is repeated`, async () => {
    const service = await teller({ react: nothing });
    const till = openTill(environmentAt(service.origin));
    const first = await till.run(kind.line("R-1"));
    service.react(good);
    for (const _ of [1, 2, 3])
      expect(await till.run(kind.line("R-1"))).toMatchObject({ exit: 6, stdout: first.stdout });
    expect(service.requests).toHaveLength(1);
  });

  test(`${kind.kind}: a refused order may be sent again under its reference, also with another request`, async () => {
    const service = await teller({ react: refusal });
    const till = openTill(environmentAt(service.origin));
    expect((await till.run(kind.line("R-1"))).exit).toBe(4);
    expect((await till.run(kind.line("R-1"))).exit).toBe(4);
    service.react(saying(kind.status, kind.answer("R-1", other)));
    expect((await till.run(kind.line("R-1", other))).exit).toBe(0);
    expect(service.requests).toHaveLength(3);
    expect(await till.movements()).toHaveLength(1);
  });

  test(`${kind.kind}: another request under a used reference is refused, and the difference is named`, async () => {
    const service = await teller({ react: good });
    const till = openTill(environmentAt(service.origin));
    await till.run(kind.line("R-1"));
    const mistake = await till.run(kind.line("R-1", other));
    expect(mistake).toMatchObject({ exit: 2, stdout: "" });
    expect(mistake.stderr).toContain(`mount":"was ${amount}, is ${other} now"`);
    expect(JSON.parse(mistake.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      error: { ending: "usage", money: "not moved", reference: "R-1" },
    });
    expect(service.requests).toHaveLength(1);
    expect((await till.run(kind.line("R-1"))).exit).toBe(0);
  });

  test(`${kind.kind}: another request under the reference of an unknown order is refused, too`, async () => {
    const service = await teller({ react: nothing });
    const till = openTill(environmentAt(service.origin));
    await till.run(kind.line("R-1"));
    service.react(good);
    expect(await till.run(kind.line("R-1", other))).toMatchObject({ exit: 2, stdout: "" });
    expect((await till.run(kind.line("R-1"))).exit).toBe(6);
    expect(service.requests).toHaveLength(1);
  });

  test(`${kind.kind}: on another day it is the same request, since no day was typed`, async () => {
    const service = await teller({ react: good });
    const till = openTill(environmentAt(service.origin));
    await till.run(kind.line("R-1"), { now: Date.UTC(2026, 2, 31, 9) });
    expect((await till.run(kind.line("R-1"), { now: Date.UTC(2026, 3, 2, 9) })).exit).toBe(0);
    expect(service.requests).toHaveLength(1);
  });

  test(`${kind.kind}: without a reference each run is an order of its own`, async () => {
    const service = await teller({ react: good });
    const till = openTill(environmentAt(service.origin));
    const line = kind.line("R-1").replace("--reference R-1 ", "");
    expect([(await till.run(line)).exit, (await till.run(`${line} --again`)).exit]).toEqual([0, 0]);
    const references = service.requests.map(({ body }) => kind.referenceIn(body));
    expect(new Set(references).size).toBe(2);
  });
}

test("a reference counts once for each kind and for each account", async () => {
  const service = await teller();
  service.react((socket, request) => {
    const kind = kinds.find(({ path }) => path === request.path);
    saying(kind?.status ?? "", kind?.answer("R-1") ?? "")(socket, request);
  });
  const till = openTill(environmentAt(service.origin));
  for (const kind of kinds) expect((await till.run(kind.line("R-1"))).exit).toBe(0);
  const environment = { PARTNER_ACCOUNT_ID: "another-account" };
  for (const kind of kinds) expect((await till.run(kind.line("R-1"), { environment })).exit).toBe(0);
  expect(service.requests).toHaveLength(2 * kinds.length);
});

test("with --save the file has the outcome, and the same run again changes neither it nor the journal", async () => {
  const [kind] = kinds;
  const service = await teller({ react: saying(kind.status, kind.answer("R-1")) });
  const till = openTill(environmentAt(service.origin));
  const folder = temporaryFolder();
  const runs: unknown[] = [];
  const files: string[] = [];
  for (const name of ["one.json", "other.json", "one.json"]) {
    const file = join(folder, name);
    expect(await till.run(`${kind.line("R-1")} --save ${file}`)).toMatchObject({ exit: 0, stdout: "" });
    files.push(readFileSync(file, "utf8"));
    runs.push({ file: files.at(-1), movements: await till.movements() });
  }
  expect(objectIn(files[0] ?? "")).toMatchObject({ reference: "R-1", state: kind.state, evidence: "answer" });
  expect(runs).toEqual([runs[0], runs[0], runs[0]]);
  expect(service.requests).toHaveLength(1);
});
