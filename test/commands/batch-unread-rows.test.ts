import { createHash } from "node:crypto";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { batchId } from "../../src/movements/batch/identity.ts";
import { test } from "../simulated.ts";
import { column, openDesk, payouts } from "./batch-service.ts";

// An earlier version sent amounts that this one refuses, such as 12.345, which has two readings.

test("a row that was sent but can no longer be read is not called unsent", async ({ partnerIn }) => {
  const desk = openDesk();
  const partner = partnerIn(desk);
  const run = await partner`batch run ${desk.write("reference,amount\nP-1,12345\n")} ${payouts} --yes --csv`;
  expect([run.exit, column(run.stdout, "state")]).toEqual([0, ["accepted"]]);
  const [, old = ""] = /Batch ([0-9a-f]{16})/.exec(run.stderr) ?? [];
  const id = keptWith(desk.folder, old, "reference,amount\nP-1,12.345\nP-2,12.345\n");
  const report = await partner`batch report ${id} --csv`;
  expect(column(report.stdout, "state")).toEqual(["unknown", "unsent"]);
  expect(column(report.stdout, "id")).toEqual([column(run.stdout, "id")[0], ""]);
  expect(report.stdout).toContain("; the journal has a transfer of its reference, which is accepted");
  expect(report.exit).toBe(0);
  const status = await partner`batch status ${id} --json`;
  expect(JSON.parse(status.stdout)).toMatchObject({ accepted: 0, unknown: 1, unsent: 1 });
});

/** A copy of a kept batch with another file. */
function keptWith(folder: string, old: string, content: string): string {
  const pathOf = (id: string, ending: string) => join(folder, "state", "batches", `${id}.${ending}`);
  const description: unknown = JSON.parse(readFileSync(pathOf(old, "json"), "utf8"));
  const { scope, kind, constants, defaults } = Object(description);
  const form = {
    kind,
    constants: new Map<string, string>(Object.entries(constants)),
    defaults: new Map<string, string>(Object.entries(defaults)),
    tagged: true,
  };
  const id = batchId(createHash("sha256").update(content).digest("hex"), form, scope);
  copyFileSync(pathOf(old, "json"), pathOf(id, "json"));
  writeFileSync(pathOf(id, "csv"), content);
  return id;
}
