import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { carryDesk } from "./carry-desk.ts";
import type { Line } from "./month.ts";

test("a row ignored in September explains the gap between the balances until it is reversed", async () => {
  const rules = join(temporaryFolder(), "rules.json");
  writeFileSync(rules, '{"rules":[{"when":{"reference":"TEST"},"then":{"ignore":true,"label":"our own test"}}]}');
  const { reconcile } = carryDesk();
  const bank: readonly Line[] = [
    ["SALE-9", "2026-09-05", "+5.00"],
    ["TEST", "2026-09-10", "+100.00"],
    ["SALE-10", "2026-10-05", "+7.00"],
    ["SALE-11", "2026-11-05", "+9.00"],
    ["TEST", "2026-11-06", "-100.00"],
    ["SALE-12", "2026-12-01", "+1.00"],
  ];
  const book = "SALE-9,5.00,2026-09-05\nSALE-10,7.00,2026-10-05\nSALE-11,9.00,2026-11-05\nSALE-12,1.00,2026-12-01\n";
  const balances: readonly object[] = [
    { closingPerBook: 1_000_005, ignored: 100, ignoredBefore: 0, unexplained: 0 },
    { closingPerBook: 1_000_012, ignored: 0, ignoredBefore: 100, unexplained: 0 },
    { closingPerBook: 1_000_021, ignored: -100, ignoredBefore: 100, unexplained: 0 },
    { closingPerBook: 1_000_022, ignored: 0, ignoredBefore: 0, unexplained: 0 },
  ];
  const openings = ["1000000", "1000005", "1000012", "1000021"];
  for (const [index, month] of ["2026-09", "2026-10", "2026-11", "2026-12"].entries()) {
    const flags = `--rules ${rules} --book-opening ${openings[index]} --quiet`;
    const ended = await reconcile(month, bank, book, `${flags} --json`);
    expect(JSON.parse(ended.stdout)).toMatchObject(balances[index] ?? {});
    expect(ended.exit).toBe(0);
  }
  const shown = await reconcile("2026-10", bank, book, `--rules ${rules} --book-opening 1000005`);
  expect(shown.stdout).toMatch(/^ignored before +-100\.00$/m);
});
