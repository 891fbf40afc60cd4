import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

/** A book without rows, for a month without movements. */
function emptyBook(): string {
  const path = join(temporaryFolder(), "book.csv");
  writeFileSync(path, "reference,amount,date\n");
  return path;
}

// An account without movements keeps its balance: a book with another balance does not agree with the bank.
describe("a month without movements", () => {
  test("has the account's balance, and agrees with a book that has the same", async ({ partner }) => {
    const book = emptyBook();
    const ask = (flags: string) =>
      partner`reconcile --account 9000445566 --month 2020-01 --book ${book} ${flags} --json`;
    const held = JSON.parse((await ask("")).stdout);
    expect(held.opening).toBeGreaterThan(0);
    expect(held).toMatchObject({ closing: held.opening, closingPerBook: null, unexplained: 0, addsUp: true });
    const same = await ask(`--book-closing=${held.closing}`);
    expect([same.exit, JSON.parse(same.stdout)]).toMatchObject([0, { closingPerBook: held.closing, unexplained: 0 }]);
    const other = await ask(`--book-opening=${held.opening + 1}`);
    expect([other.exit, JSON.parse(other.stdout)]).toMatchObject([9, { unexplained: -1 }]);
    expect(other.stderr).toContain("do not agree: 1.00 is unexplained.");
  });

  test("has the balance of a merchant account, too", async ({ partner }) => {
    const { exit, stdout } =
      await partner`reconcile --account 0150387654321 --account-kind merchant --month 2020-01 --book ${emptyBook()} --json`;
    const { opening, closing } = JSON.parse(stdout);
    expect([exit, closing]).toEqual([0, opening]);
    expect(opening).toBeGreaterThan(0);
  });

  test("cannot be compared with the book's balance when the service does not give the account's balance", async ({
    partner,
    faults,
  }) => {
    faults.plan("fail-request=wallet-balance");
    const { exit, stdout, stderr } =
      await partner`reconcile --account 0720011223344 --today --book ${emptyBook()} --book-closing=0 --json`;
    expect([exit, JSON.parse(stdout).closing]).toEqual([9, null]);
    expect(stderr).toContain("do not agree: the statement gives no balance.");
  });
});
