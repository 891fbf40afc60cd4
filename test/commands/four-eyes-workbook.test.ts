import { beforeAll, expect } from "vitest";
import { row, xlsx } from "../sheets/xlsx-files.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { column, movedEach, openDesk, payouts } from "./batch-service.ts";
import { hire, openOffice } from "./four-eyes.ts";

withPostgres("four eyes on a workbook", (server) => {
  beforeAll(() => hire(server));

  test("approve, send and report the submitted sheet, on machines without the file", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const sheets = {
      Pay: `${row(1, "reference", "amount")}${row(2, "R-1", 5)}${row(3, "R-2", 7)}`,
      Old: `${row(1, "reference", "amount")}${row(2, "R-3", 9)}`,
    };
    const file = openDesk().write(await xlsx({ sheets }), "pay.xlsx");
    const submitted = await office.at("amina")`batch submit ${file} --sheet Pay ${payouts} --expect-total 12 --json`;
    expect(submitted).toMatchObject({ exit: 0 });
    const { batch } = JSON.parse(submitted.stdout);
    expect(await office.at("baraka")`batch approve ${batch} --yes --expect-count 2`).toMatchObject({ exit: 0 });
    const ran = await office.at("runner")`batch run --approved --yes --json`;
    expect(JSON.parse(ran.stdout)).toMatchObject([{ batch, accepted: 2 }]);
    expect(movedEach(simulator, 3)).toEqual([1, 1, 0]);
    const report = await office.at("amina")`batch report ${batch} --csv`;
    expect(column(report.stdout, "amount")).toEqual(["5", "7"]);
    const other = await office.at("amina")`batch submit ${file} --sheet Old ${payouts} --json`;
    expect(JSON.parse(other.stdout)).toMatchObject({ state: "submitted", rows: 1 });
  });
});
