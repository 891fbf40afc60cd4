import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { test } from "./nicknamed.ts";

// Every place of a command line that takes an account takes a nickname.

interface Described {
  readonly flags: Readonly<Record<string, { readonly helpValue?: string }>>;
  readonly args: Readonly<Record<string, unknown>>;
}

const manifest: { commands: Record<string, Described> } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../oclif.manifest.json"), "utf8"),
);

const places = Object.entries(manifest.commands).flatMap(([id, { flags, args }]) => [
  ...(Object.hasOwn(args, "account") ? [`${id} ACCOUNT`] : []),
  ...Object.entries(flags).flatMap(([name, { helpValue = "" }]) =>
    ["A", "ACCOUNT"].includes(helpValue) ? [`${id} --${name}`] : [],
  ),
]);

/** A command line for each place. Nothing leaves: orders are dry runs. */
const lines: Readonly<Record<string, string>> = {
  "account:balance ACCOUNT": "account balance WORD",
  "account:statement ACCOUNT": "account statement WORD --today",
  "batch:check --from": "batch check TRANSFERS --kind transfer --from WORD",
  "batch:check --account": "batch check WITHDRAWALS --kind withdraw --account WORD --json",
  "batch:run --from": "batch run TRANSFERS --kind transfer --from WORD --dry-run",
  "batch:run --account": "batch run WITHDRAWALS --kind withdraw --account WORD --dry-run",
  "batch:submit --from": "batch submit TRANSFERS --kind transfer --from WORD",
  "batch:submit --account": "batch submit WITHDRAWALS --kind withdraw --account WORD",
  "ledger:accept ACCOUNT": "ledger accept WORD --row R-1 --evidence ticket",
  "ledger:statement ACCOUNT": "ledger statement WORD --today",
  "ledger:sync ACCOUNT": "ledger sync WORD --start-date 2026-03-01",
  "payout --from": "payout --from WORD --to 255712000111 --name A --amount 5 --narration x --reference P-1 --dry-run",
  "reconcile --account": "reconcile --account WORD --today --json",
  "report --account": "report cash --today --account WORD",
  "rules:check --account": "rules check --rules RULES --account WORD",
  "transfer --from": "transfer --from WORD --to pay --amount 5 --description x --reference T-1 --dry-run",
  "transfer --to": "transfer --from pay --to WORD --amount 5 --description x --reference T-1 --dry-run",
  "wallet:balance ACCOUNT": "wallet balance 9000112244 WORD",
  "wallet:statement ACCOUNT": "wallet statement WORD --today",
  "webhook:listen --account": "webhook listen --account WORD --count 1",
  "withdraw --account": "withdraw --account WORD --amount 5 --narration x --reference W-1 --dry-run",
};

test("the lines below are for every place that takes an account", () => {
  expect(Object.keys(lines).toSorted()).toEqual(places.toSorted());
});

describe.each(Object.values(lines))("%s", (line) => {
  test("means the number by its nickname, and refuses a word that is neither", async ({ named }) => {
    const write = (name: string, content: string) => {
      writeFileSync(join(named.folder, name), content);
      return join(named.folder, name);
    };
    const files = {
      TRANSFERS: write("transfers.csv", "reference,to,amount,description\nA,9000112244,5,x\n"),
      WITHDRAWALS: write("withdrawals.csv", "reference,amount,narration\nA,5,x\n"),
      RULES: write("rules.json", '{"rules":[]}'),
    };
    const type = async (word: string) => {
      const typed = Object.entries({ WORD: word, ...files }).reduce((all, [name, is]) => all.replace(name, is), line);
      const { exit, stdout, stderr } = await named.type(typed, { environment: { PARTNER_EXTENSIONS: "payout" } });
      return { exit, stdout, stderr };
    };
    const byNumber = await type("9000112233");
    expect(byNumber.stderr).not.toContain("Unknown flag");
    expect(await type("main")).toEqual(byNumber);
    const refused = await type("mian");
    expect(refused).toMatchObject({ exit: 2, stdout: "" });
    expect(refused.stderr).toContain('"mian" is neither a number nor a nickname of profile shop.');
    expect(refused.stderr).toContain("Did you mean main?");
  });
});
