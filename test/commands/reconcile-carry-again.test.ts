import { expect, test } from "vitest";
import { carryDesk } from "./carry-desk.ts";
import type { Line } from "./month.ts";

// An earlier month is reconciled again after later ones, which do not have the items that are open in it now.

const bank: readonly Line[] = [
  ["SALE-9", "2026-09-05", "+5.00"],
  ["SALE-10", "2026-10-05", "+7.00"],
  ["SALE-11", "2026-11-05", "+9.00"],
];
const book = "SALE-9,5.00,2026-09-05\nSALE-10,7.00,2026-10-05\nSALE-11,9.00,2026-11-05\n";
const corrected = book.replace("SALE-9,5.00,2026-09-05\n", "");

test("an item that opens when September is reconciled again is not lost between October and November", async () => {
  const { reconcile, openIn } = carryDesk();
  expect(await reconcile("2026-09", bank, book)).toMatchObject({ exit: 0 });
  expect(await reconcile("2026-10", bank, book)).toMatchObject({ exit: 0 });
  // The entry was a mistake and is gone.
  expect(await reconcile("2026-09", bank, corrected)).toMatchObject({
    exit: 9,
    stdout: "only in statement,SALE-9,5.00,,\n",
    stderr: expect.stringContaining(
      "2026-10 continues another result of 2026-09 than the one in the file: reconcile it and the months after it again.",
    ),
  });
  const refused = await reconcile("2026-11", bank, corrected);
  expect(refused).toMatchObject({ exit: 2, stdout: "", asked: [] });
  expect(refused.stderr).toContain("2026-10 continues another result of 2026-09 than the one in the file.");
  expect(refused.stderr).toContain("--month 2026-10");
  const open = "only in statement,SALE-9,5.00,,carried from 2026-09\n";
  expect((await reconcile("2026-10", bank, corrected)).stdout).toContain(open);
  expect((await reconcile("2026-11", bank, corrected)).stdout).toContain(open);
  expect(openIn("2026-11")).toMatchObject([{ reference: "SALE-9", since: "2026-09" }]);
});

test("reconciling a month with a wrong book and again with the right one changes nothing", async () => {
  const { reconcile } = carryDesk();
  await reconcile("2026-09", bank, book);
  await reconcile("2026-10", bank, book);
  await reconcile("2026-09", bank, corrected);
  const again = await reconcile("2026-09", bank, book);
  expect(again).toMatchObject({ exit: 0, stderr: expect.not.stringContaining("continues another") });
  expect(await reconcile("2026-11", bank, book)).toMatchObject({ exit: 0, stdout: expect.stringContaining("SALE-11") });
});

test("items open before the first carried month are not lost when that month is reconciled later", async () => {
  const { reconcile, openIn } = carryDesk();
  await reconcile("2026-10", bank, corrected);
  expect((await reconcile("2026-09", bank, corrected)).stderr).toContain("2026-10 continues another result of 2026-09");
  expect((await reconcile("2026-11", bank, corrected)).stderr).toContain("--month 2026-10");
  await reconcile("2026-10", bank, corrected);
  await reconcile("2026-11", bank, corrected);
  expect(openIn("2026-11")).toMatchObject([{ reference: "SALE-9", since: "2026-09" }]);
});

test("only the months after a changed month must be reconciled again, in order", async () => {
  const { reconcile } = carryDesk();
  for (const month of ["2026-08", "2026-09", "2026-10", "2026-11"]) await reconcile(month, bank, book);
  expect((await reconcile("2026-09", bank, corrected)).stderr).toContain("2026-10 continues another");
  expect((await reconcile("2026-12", bank, corrected)).stderr).toContain("--month 2026-10");
  expect((await reconcile("2026-10", bank, corrected)).stderr).toContain("2026-11 continues another");
  expect((await reconcile("2026-12", bank, corrected)).stderr).toContain("--month 2026-11");
});
