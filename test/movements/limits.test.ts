import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import type { MovementKind, MovementState } from "../../src/journal/movement.ts";
import { temporaryFolder } from "../memory-host.ts";
import { now, test } from "../simulated.ts";
import type { GuardedTill } from "./guarded.ts";
import { guardedTill, remit, transfer, withdraw } from "./guarded.ts";

/** Expects that the line is stopped with exit 2 and these words, and that no order is kept. */
async function stopped(till: GuardedTill, line: string, ...said: readonly string[]): Promise<void> {
  const [before, count] = [till.balance(), (await till.movements()).length];
  const run = await till.type(line);
  expect({ line, exit: run.exit, stdout: run.stdout }).toEqual({ line, exit: 2, stdout: "" });
  for (const words of said) expect(run.stderr).toContain(words);
  expect(run.stderr).toContain("No money moved.\n");
  expect([till.balance(), (await till.movements()).length]).toEqual([before, count]);
}

/** A file of transfers. */
function batch(rows: readonly string[]): string {
  const file = join(temporaryFolder(), "rows.csv");
  writeFileSync(file, ["reference,from,to,amount,description", ...rows].map((line) => `${line}\n`).join(""));
  return file;
}

const row = (reference: string, amount: number) => `${reference},9000112233,9000112244,${amount},x`;
const kenyan = (reference: string, amount: number) => `${reference},9000445566,9000445577,${amount},x`;
const dry = (amount: number) => `${transfer(amount, "B")} --dry-run`;
const shillings = (senderAmount: number) => ({ senderCurrency: "TZS", senderAmount });

async function sent(till: GuardedTill, line: string): Promise<void> {
  const { exit, stderr } = await till.type(line);
  expect({ line, exit, stderr }).toMatchObject({ line, exit: 0 });
}

describe("limit.day counts what left today, or may have", () => {
  const leaving: readonly MovementKind[] = ["transfer", "withdraw", "remit"];
  const counting: readonly MovementState[] = ["prepared", "sending", "accepted", "pending", "unknown"];
  const cases = leaving.flatMap((kind) => counting.map((state) => [kind, state] as const));

  test.for(cases)("a %s that is %s", async ([kind, state], { simulator }) => {
    const till = await guardedTill(simulator, "limit.day=10000");
    await till.put(kind, state, 9000);
    await stopped(till, transfer(1001, "A"), "limit.day: 9,000.00 left today already, and 1,001.00 more");
    await sent(till, transfer(1000, "A"));
  });

  test.for(["refused", "unsent"] as const)("and nothing that is %s", async (state, { simulator }) => {
    const till = await guardedTill(simulator, "limit.day=10000");
    for (const kind of leaving) await till.put(kind, state, 9000);
    await till.put("collect", "accepted", 9000);
    await sent(till, transfer(10000, "A"));
  });

  // Noon in Dar es Salaam is `now`.
  const moments: readonly (readonly [when: string, hours: number, counts: boolean])[] = [
    ["at midnight", -12, true],
    ["a moment before midnight", -12 - 1e-6, false],
    ["a minute before the next day", 12 - 1 / 60, true],
    ["tomorrow, by a clock that was ahead", 30, true],
  ];
  test.for(moments)("and decides about orders placed %s", async ([, hours, counts], { simulator }) => {
    const till = await guardedTill(simulator, "limit.day=10000");
    await till.put("withdraw", "accepted", 9000, Math.floor(now + hours * 3_600_000));
    if (counts) await stopped(till, transfer(1001, "A"), "limit.day: 9,000.00 left today already");
    else await sent(till, transfer(10000, "A"));
  });

  test("orders from another profile of the account, whatever name it has for the service", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.day=10000");
    const { baseUrl, accountId, secretKey } = simulator;
    const elsewhere = `--environment live --base-url ${baseUrl.replace("127.0.0.1", "localhost")}/`;
    const add = `profile add other ${elsewhere} --account-id ${accountId} --secrets-from -`;
    expect(await till.type(add, JSON.stringify({ secretKey }))).toMatchObject({ exit: 0 });
    await sent(till, `${transfer(9000, "A")} -p other`);
    await stopped(till, `${transfer(1001, "B")} -p shop`, "limit.day: 9,000.00 left today already");
    await sent(till, `${transfer(1001, "B")} -p other`);
  });

  test("orders of every kind, before an order of every kind", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.day=252000");
    await sent(till, transfer(1000, "A"));
    await sent(till, withdraw(1000, "B"));
    await sent(till, remit("C"));
    for (const line of [transfer(1, "D"), withdraw(1, "D"), remit("D", { receiverAmount: 1000 })])
      await stopped(till, line, "limit.day of profile shop stops this", "252,000.00 left today already");
  });
});

describe("limits by currency", () => {
  test("a remittance counts in each currency with its own side", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.transfer=250000,USD=100");
    await sent(till, remit("A"));
    await stopped(till, remit("B", { senderAmount: 100.01 }), "limit.transfer: 100.01 USD is more than 100.00 USD");
    await stopped(
      till,
      remit("B", { receiverAmount: 250001 }),
      "limit.transfer: 250,001.00 TZS is more than 250,000.00 TZS",
    );
    await sent(till, remit("B", { senderCurrency: "KES", senderAmount: 999999 }));
  });

  test("when both sides of a remittance have one currency, the larger one counts", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.transfer=255000", "limit.day=510000");
    await stopped(till, remit("A", shillings(255001)), "limit.transfer: 255,001.00 is more than 255,000.00");
    await sent(till, remit("A", shillings(255000)));
    await sent(till, remit("B", shillings(255000)));
    await stopped(
      till,
      transfer(1, "C"),
      "limit.day: 510,000.00 left today already, and 1.00 more is beyond 510,000.00",
    );
  });

  test("limit.day adds up each currency by itself", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.day=600000,USD=150");
    await sent(till, remit("A"));
    await stopped(
      till,
      remit("B"),
      "limit.day: 100.00 USD left today already, and 100.00 USD more is beyond 150.00 USD",
    );
    await sent(till, remit("B", { senderAmount: 50 }));
    await stopped(till, transfer(100001, "C"), "500,000.00 TZS left today already, and 100,001.00 TZS more");
    await sent(till, transfer(100000, "C"));
  });

  const wallets: readonly (readonly [limit: string, fits: number, words: string])[] = [
    ["1000", 1000, "1,001.00 is more than 1,000.00"],
    ["1000,USD=5", 1000, "1,001.00 TZS is more than 1,000.00 TZS"],
    ["1000,KES=2000", 2000, "2,001.00 KES is more than 2,000.00 KES"],
    ["KES=2000", 2000, "2,001.00 KES is more than 2,000.00 KES"],
  ];
  test.for(wallets)("limit.transfer=%s allows %d from a wallet in KES", async ([limit, fits, words], { simulator }) => {
    const till = await guardedTill(simulator, `limit.transfer=${limit}`);
    const [from, to] = ["9000445566", "9000445577"];
    await stopped(till, transfer(fits + 1, "A", to, from), words);
    await stopped(till, withdraw(fits + 1, "A", from), words);
    await sent(till, transfer(fits, "A", to, from));
  });

  test("limit.day keeps wallets of two currencies apart when both have a limit", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.day=1000,KES=2000");
    await sent(till, transfer(1500, "A", "9000445577", "9000445566"));
    await sent(till, transfer(1000, "B"));
    await stopped(till, transfer(1, "C"), "1,000.00 TZS left today already");
    await stopped(till, withdraw(501, "D", "9000445577"), "1,500.00 KES left today already, and 501.00 KES more");
    await sent(till, withdraw(500, "D", "9000445577"));
  });

  test("a limit in one currency doesn't apply to another", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.transfer=USD=1", "limit.day=USD=1");
    await sent(till, transfer(1000, "A"));
    await stopped(till, remit("B"), "limit.transfer and limit.day of profile shop stop this remittance");
  });

  test("when the wallets' currencies cannot be read, nothing is sent: exit 5", async ({ simulator, faults }) => {
    const till = await guardedTill(simulator, "limit.transfer=1000,USD=5");
    faults.plan("fail-request=list-wallets");
    const [before, run] = [till.balance(), await till.type(`${transfer(5, "A")} --retries 0`)];
    expect(run).toMatchObject({ exit: 5, stdout: "" });
    expect(run.stderr).toContain("A limit of the profile names a currency, and those of the wallets are not known");
    expect(till.balance()).toBe(before);
    expect(await till.type(`batch run ${batch([row("A", 5)])} --kind transfer --yes --retries 0`)).toMatchObject({
      exit: 5,
      stdout: "",
    });
    expect(await till.movements()).toEqual([]);
    faults.clear();
    await sent(till, transfer(5, "A"));
  });

  test("a limit in shillings alone makes no request for currencies", async ({ simulator, faults }) => {
    const till = await guardedTill(simulator, "limit.transfer=TZS=1000");
    faults.plan("fail-request=list-wallets");
    await stopped(till, `${transfer(1001, "A")} --retries 0`, "limit.transfer: 1,001.00 is more than 1,000.00");
    await sent(till, `${transfer(1000, "A")} --retries 0`);
  });

  test("limits that differ by currency stop a wallet whose currency the service does not name", async ({
    simulator,
  }) => {
    const till = await guardedTill(simulator, "limit.day=1000000,USD=500");
    await stopped(
      till,
      withdraw(5, "A", "404404"),
      "limit.day: the service does not name the currency of wallet 404404",
    );
  });
});

test("collections are not limited", async ({ simulator }) => {
  const till = await guardedTill(simulator, "limit.transfer=1", "limit.day=1", "allow.to=1");
  const collect = "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration x";
  await sent(till, `${collect} --callback-url http://127.0.0.1:1/x --yes`);
});

test("a dry run keeps to the limits as well, and makes no request", async ({ simulator, faults }) => {
  const till = await guardedTill(simulator, "limit.transfer=1000,USD=5", "limit.day=1500");
  faults.plan("fail-request=any");
  await stopped(till, dry(1001), "limit.transfer: 1,001.00 TZS is more than 1,000.00 TZS");
  await stopped(till, `${remit("C")} --dry-run`, "100.00 USD is more than 5.00 USD");
  await sent(till, dry(1000));
  await till.put("withdraw", "unknown", 1000);
  await stopped(till, dry(501), "limit.day: 1,000.00 left today already");
});

describe("batches", () => {
  test.for(["batch check", "batch run --yes", "batch run --dry-run"])(
    "%s names each row that breaks a limit, alone or together with earlier rows",
    async (line, { simulator }) => {
      const till = await guardedTill(simulator, "limit.transfer=1000", "limit.day=1500");
      const file = batch([row("A", 1001), row("B", 400), row("C", 100)]);
      const run = await till.type(`${line} ${file} --kind transfer`);
      expect(run).toMatchObject({ exit: 2, stdout: "" });
      expect(run.stderr).toContain("line 2, limit.transfer: 1,001.00 is more than 1,000.00\n");
      expect(run.stderr).toContain(
        "line 4, limit.day: 1,401.00 left today already, and 100.00 more is beyond 1,500.00\n",
      );
      expect(run.stderr).not.toContain("line 3");
      expect(await till.movements()).toEqual([]);
    },
  );

  test("money that left before the file counts, and a file within the limit is sent", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.day=1500,USD=1");
    await till.put("withdraw", "pending", 1000);
    const file = batch([row("A", 300), row("B", 200), row("C", 1)]);
    const run = await till.type(`batch check ${file} --kind transfer`);
    expect(run.exit).toBe(2);
    expect(run.stderr).toContain("line 4, limit.day: 1,500.00 TZS left today already");
    await sent(till, `batch run ${batch([row("A", 300), row("B", 200)])} --kind transfer --yes`);
  });

  test("wallets in another currency have their own limit", async ({ simulator }) => {
    const till = await guardedTill(simulator, "limit.day=1000,KES=700");
    const run = await till.type(
      `batch check ${batch([row("A", 1000), kenyan("B", 600), kenyan("C", 101)])} --kind transfer`,
    );
    expect(run.exit).toBe(2);
    expect(run.stderr).toContain("line 4, limit.day: 600.00 KES left today already, and 101.00 KES more");
    expect(run.stderr).not.toContain("line 3");
  });
});

describe("how limits are written", () => {
  const wrong = [
    "-1",
    "1,000",
    "5,000,000",
    "1e3",
    "USD",
    "USD=",
    "=5",
    "usd=5",
    "USD=5,USD=6",
    "5,TZS=5",
    "UDS=5",
    "USD=1.",
    "5,",
  ];
  test.for(wrong)("limit.day=%s is refused, with an example of a valid limit", async (limit, { simulator }) => {
    const till = await guardedTill(simulator);
    for (const key of ["limit.day", "limit.transfer"]) {
      const run = await till.type(`profile set shop ${key}=${limit}`);
      expect(run).toMatchObject({ exit: 2, stdout: "" });
      expect(run.stderr).toContain("5000000,USD=500");
    }
  });

  test.for(["0", "5000000", "5000000.50", "TZS=5000000", "5000000,USD=500", "USD=500.25,KES=60000,5000000"])(
    "limit.day=%s is accepted, and shown as it was written",
    async (limit, { simulator }) => {
      const till = await guardedTill(simulator, `limit.day=${limit}`, `limit.transfer=${limit}`);
      const shown = (await till.type("profile show --csv --delimiter ;")).stdout;
      expect(shown).toContain(`\nlimit.day;${limit};profile shop\n`);
      expect(shown).toContain(`\nlimit.transfer;${limit};profile shop\n`);
    },
  );
});
