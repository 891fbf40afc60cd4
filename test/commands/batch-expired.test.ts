import { expect } from "vitest";
import { test } from "../simulated.ts";
import { column, openDesk } from "./batch-service.ts";

test("an id that expires after its remittance was sent does not change the outcome of the row", async ({
  partnerIn,
}) => {
  const desk = openDesk();
  const onDay = (day: number) => partnerIn({ ...desk, now: Date.UTC(2026, 2, day, 9) });
  const example = (await onDay(30)`batch template --kind remit --example`).stdout;
  const [header = "", first = ""] = example.replaceAll("2030-12-31", "2026-03-30").split("\n");
  const file = desk.write(`${header}\n${first}\n`);
  const sent = await onDay(30)`batch run ${file} --kind remit --yes --csv`;
  expect(sent).toMatchObject({ exit: 0 });
  const [, id = ""] = /Batch ([0-9a-f]{16})/.exec(sent.stderr) ?? [];
  expect(await onDay(31)`batch report ${id} --csv`).toMatchObject({ exit: 0, stdout: sent.stdout });
  expect(await onDay(31)`batch status ${id} --csv`).toMatchObject({ exit: 0 });
  expect(await onDay(31)`batch run ${file} --kind remit --yes --csv`).toMatchObject({ exit: 0, stdout: sent.stdout });
  const later = desk.write(`${header}\n${first}\n${first.replace("-1,", "-2,")}\n`, "later.csv");
  const refused = await onDay(31)`batch run ${later} --kind remit --yes --csv --allow-repeats`;
  expect(refused).toMatchObject({ exit: 2, stdout: "" });
  expect(refused.stderr).toContain("line 3, sender.idExpiryDate: has passed");
  expect(refused.stderr).not.toContain("line 2");
  expect(column(sent.stdout, "reference")).toEqual(["INV-2026-0042-1"]);
});
