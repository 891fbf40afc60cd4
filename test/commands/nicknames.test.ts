import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { environmentFor } from "../../src/simulator/ready.ts";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "./nicknamed.ts";
import { ask, ok } from "./served.ts";

const onTerminal = { terminal: { stdout: true }, columns: 120 };

describe("a nickname replaces an account number", () => {
  test("as an argument, in a list, and in --from, --to and --account", async ({ named }) => {
    expect((await named.type("wallet balance main --csv --columns accountNo --no-header")).stdout).toBe("9000112233\n");
    expect((await named.type("wallet balance main 9000112244 pay --csv --columns accountNo")).stdout).toBe(
      "accountNo\n9000112233\n9000112244\n",
    );
    const paid = await named.type("transfer --from main --to pay --amount 5000 --description rent --yes --json");
    expect(JSON.parse(paid.stdout).request).toMatchObject({ from: "9000112233", to: "9000112244" });
    const drawn = await named.type("withdraw --account main --amount 5 --narration x --yes --json");
    expect(JSON.parse(drawn.stdout).request).toMatchObject({ accountNo: "9000112233" });
    const statement = await named.type("wallet statement main --today --csv --columns amountDebited");
    expect(statement.stdout).toBe("amountDebited\n5000\n5\n");
    expect((await named.type("reconcile --account main --today --json")).stdout).toContain('"account": "9000112233"');
  });

  test("and a transfer from a wallet to its own nickname is refused", async ({ named }) => {
    const { exit, stderr } = await named.type("transfer --from main --to 9000112233 --amount 5 --description x --yes");
    expect(exit).toBe(2);
    expect(stderr).toContain("--to");
  });

  test("and unknown nicknames end with exit 2, all named with the nearest matches", async ({ named }) => {
    const line = "transfer --from mian --to payy --amount 5 --description x --yes";
    const { exit, stdout, stderr } = await named.type(line);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toBe(
      'Error: --from "mian" is neither a number nor a nickname of profile shop. --to "payy" is neither a number nor a nickname of profile shop.\nNo money moved.\nHint: Did you mean main? Its nicknames are main, pay. Did you mean pay? Its nicknames are main, pay.\n',
    );
    expect((await named.type("wallet balance 9000112299")).exit).toBe(4);
  });

  const reads = ["wallet balance WORD", "ledger statement WORD --today", "report cash --today --account WORD"];
  test.for(reads)("and %s never takes an unknown nickname for a number", async (line, { named, simulator }) => {
    for (const word of ["mian", "Mian", "ma_in"]) {
      const { exit, stdout, stderr } = await named.type(line.replace("WORD", word));
      expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
      expect(stderr).toContain(`"${word}" is neither a number nor a nickname of profile shop.`);
      expect(stderr).toContain("Did you mean main? Its nicknames are main, pay.");
      const alone = await named.type(line.replace("WORD", word), { environment: environmentFor(simulator) });
      expect({ exit: alone.exit, stdout: alone.stdout }).toEqual({ exit: 2, stdout: "" });
      expect(alone.stderr).toContain(`"${word}" isn't an account number, and only profiles have nicknames.`);
    }
  });

  test("but a number with letters in it stays a number, with a profile or without", async ({ named, simulator }) => {
    for (const environment of [{}, environmentFor(simulator)]) {
      const { stdout } = await named.type("wallet balance 015A8XX787600 --csv --columns accountNo", { environment });
      expect(stdout).toBe("accountNo\n015A8XX787600\n");
      expect((await named.type("wallet balance main12345", { environment })).exit).toBe(4);
    }
  });

  test("but a wallet number without digits is accepted once wallets list has shown it", async () => {
    const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
    const balance = '{"accountNo":"SAVINGS","availableBalance":5,"currencyCode":"TZS"}';
    const before = await ask("wallet balance SAVINGS", [], { environment });
    expect({ exit: before.exit, sent: before.requests.length }).toEqual({ exit: 2, sent: 0 });
    await ask("wallets list", ok('[{"accountNo":"SAVINGS","accountName":"S","currency":"TZS"}]'), {
      environment,
      ...onTerminal,
    });
    expect((await ask("wallet balance SAVINGS --csv", ok(balance), { environment })).exit).toBe(0);
  });

  test("and a profile without nicknames explains how to set one", async ({ named }) => {
    await named.type("profile set shop account.main= account.pay=");
    const { exit, stderr } = await named.type("wallet balance main");
    expect(exit).toBe(2);
    expect(stderr).toContain("partner profile set shop account.main=NUMBER");
  });

  test("but variables that name another account cannot use the profile's nicknames", async ({ named, simulator }) => {
    const environment = { ...environmentFor(simulator), PARTNER_ACCOUNT_ID: "other", PARTNER_PROFILE: "shop" };
    const { exit, stderr } = await named.type("wallet balance main", { environment });
    expect(exit).toBe(2);
    expect(stderr).toContain("ACCOUNT main is a nickname of profile shop, and variables name another account.");
    const { PARTNER_PROFILE: _left, ...alone } = environment;
    expect((await named.type("wallet balance 9000112233 -p shop", { environment: alone })).exit).toBe(0);
  });

  test("and a batch accepts it as a flag but not inside its file", async ({ named }) => {
    const file = join(named.folder, "b.csv");
    writeFileSync(file, "reference,to,amount,description\nA,9000112244,5,x\n");
    const all = await named.type(`batch run ${file} --kind transfer --from main --yes --csv --columns reference,state`);
    expect(all).toMatchObject({ exit: 0, stdout: "reference,state\nA,accepted\n" });
    const kept = JSON.parse((await named.type("journal show A --json")).stdout);
    expect(kept.request).toMatchObject({ from: "9000112233", to: "9000112244" });
    writeFileSync(file, "reference,from,to,amount,description\nBY-NAME,main,pay,5,x\n");
    const { exit, stderr } = await named.type(`batch check ${file} --kind transfer`);
    expect(exit).toBe(2);
    expect(stderr).toContain('"main" is a nickname: write the number 9000112233');
    expect(stderr).toContain('"pay" is a nickname: write the number 9000112244');
    expect(await named.type(`batch run ${file} --kind transfer --yes`)).toMatchObject({ exit: 2, stdout: "" });
    expect(await named.type("journal show BY-NAME")).toMatchObject({ exit: 4, stdout: "" });
  });
});

describe("merchant accounts, which the service does not list", () => {
  test("are reconciled by --all through nicknames, and a missing one fails only in its own row", async ({
    named,
    simulator,
  }) => {
    const [merchant = ""] = simulator.accounts;
    await named.type(`profile set shop account.till=${merchant}`);
    const line = "reconcile --all --last-month --csv --columns account,exit,currency";
    const { stdout } = await named.type(line);
    expect(stdout.split("\n").slice(1, -1)).toHaveLength(simulator.wallets.length + 1);
    expect(stdout).toMatch(new RegExp(`^${merchant},\\d,TZS$`, "m"));
    await named.type("profile set shop account.gone=77777");
    const gone = await named.type(line);
    expect(gone.stdout).toMatch(/^77777,4,$/m);
    expect(gone.stdout).toMatch(new RegExp(`^${merchant},`, "m"));
  });
});

describe("nicknames are shown", () => {
  test("beside the number on terminals, but not in files, JSON and pipes", async ({ named }) => {
    expect((await named.type("wallets list", onTerminal)).stdout).toContain("9000112233 (main)");
    expect((await named.type("wallet balance main", onTerminal)).stdout).toContain("9000112233 (main)");
    expect((await named.type("wallets list --json", onTerminal)).stdout).not.toContain("main");
    for (const format of ["csv", "json", "table"]) {
      const file = join(named.folder, `wallets-as-${format}`);
      expect(await named.type(`wallets list --output ${format} --save ${file}`, onTerminal)).toMatchObject({ exit: 0 });
      expect(readFileSync(file, "utf8")).toContain("9000112233");
      expect(readFileSync(file, "utf8")).not.toContain("main");
    }
    expect((await named.type("wallets list")).stdout).not.toContain("(main)");
    const look = await named.type("transfer --from main --to pay --amount 5 --description x --dry-run");
    expect(look.stdout + look.stderr).toContain("9000112244");
  });

  test("in ledger status on the line with the balance, on 80 columns", async ({ named }) => {
    await named.type("profile set shop account.pay= account.salaries-and-wages=9000112244");
    await named.type("ledger sync");
    const { stdout } = await named.type("ledger status", { terminal: { stdout: true }, columns: 80 });
    expect(stdout).toMatch(/^…2244 \(salaries-and-wages\) .*\d\.\d\d .*proved$/m);
    expect(stdout).not.toMatch(/^ +account/m);
  });

  test("in the question before money moves", async ({ named }) => {
    const person = { terminal: { stdin: true, stdout: true, stderr: true }, answers: [false] };
    const { stderr } = await named.type("transfer --from main --to pay --amount 5 --description x", person);
    expect(stderr).toMatch(/from +9000112233 \(main\) .*TZS/);
    expect(stderr).toMatch(/to +9000112244 \(pay\) .*TZS/);
  });

  test("in Tab completion, with number and name", async ({ named }) => {
    await named.type("wallets list", onTerminal);
    const { stdout } = await named.type("complete fish wallet balance :m");
    expect(stdout).toMatch(/^main\t9000112233 \S/);
    expect((await named.type("complete fish transfer --to :pa")).stdout).toContain("pay\t9000112244 ");
    expect((await named.type("complete fish account balance :ma")).stdout).toContain("main\t");
  });

  test("in profile show", async ({ named }) => {
    expect((await named.type("profile show shop --csv")).stdout).toContain(
      "account.main,9000112233,profile shop\naccount.pay,9000112244,profile shop\n",
    );
  });
});

describe("a nickname", () => {
  const refused: readonly [string, string][] = [
    ["account.9000112233=9000112244", "begin with a letter"],
    ["account.a12345=9000112244", "looks like an account number"],
    ["account.Main=9000112244", "lower-case letters"],
    ["account.=9000112244", "begin with a letter"],
    ["account.till=90 00", "without spaces"],
    ["account.till=..", "without spaces"],
  ];
  test.for(refused)("is refused: %s", async ([change, reason], { named }) => {
    const before = readFileSync(join(named.folder, "config.json"), "utf8");
    const { exit, stderr } = await named.type(`profile set shop "${change}"`);
    expect(exit).toBe(2);
    expect(stderr).toContain(reason);
    expect(readFileSync(join(named.folder, "config.json"), "utf8")).toBe(before);
  });

  test("can be changed and removed, but not set twice in one command", async ({ named }) => {
    expect((await named.type("profile set shop account.x=1 account.x=2")).stderr).toContain("account.x is given twice");
    await named.type("profile set shop account.pay=9000445566");
    expect((await named.type("wallet balance pay --csv --columns accountNo --no-header")).stdout).toBe("9000445566\n");
    await named.type("profile set shop account.pay=");
    expect((await named.type("profile show --csv")).stdout).not.toContain("account.pay");
    expect((await named.type("profile show --csv")).stdout).toContain("account.main");
  });

  test("that equals a wallet's own number is refused as ambiguous", async ({ named }) => {
    await named.type("wallets list", onTerminal);
    const seen = join(named.folder, "state", "wallet-currencies");
    const lines = readFileSync(seen, "utf8");
    writeFileSync(seen, `${lines}${lines.split("\t")[0]}\tmain\tTZS\tOdd\n`);
    const { exit, stderr } = await named.type("wallet balance main");
    expect(exit).toBe(2);
    expect(stderr).toContain("ACCOUNT main is a wallet's own number, and a nickname of 9000112233.");
  });

  test("edited by hand into something unusable ends with exit 3 and is named", async ({ named }) => {
    const path = join(named.folder, "config.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"9000112233"', "9000112233"));
    const { exit, stderr } = await named.type("wallet balance main");
    expect(exit).toBe(3);
    expect(stderr).toContain("The account.main of profile shop must be an account number, as text.");
    expect((await named.type("wallet balance 9000112233")).exit).toBe(0);
  });
});

describe("a config file written by the last release", () => {
  test("accepts nicknames and keeps unknown settings", async ({ named }) => {
    const path = join(named.folder, "config.json");
    const { profiles, ...rest } = JSON.parse(readFileSync(path, "utf8"));
    const { "account.main": _main, "account.pay": _pay, ...old } = profiles.shop;
    writeFileSync(path, JSON.stringify({ ...rest, profiles: { shop: { ...old, later: { a: 1 } } } }), { mode: 0o600 });
    expect((await named.type("profile set shop account.till=9000112244")).exit).toBe(0);
    const { profiles: now } = JSON.parse(readFileSync(path, "utf8"));
    expect(now.shop).toEqual({ ...old, later: { a: 1 }, "account.till": "9000112244" });
    expect((await named.type("wallet balance till")).exit).toBe(0);
  });
});
