import { existsSync, readdirSync } from "node:fs";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

const period = "--month 2026-03";

test.for([
  ["w-{mont}.csv", "{mont}", "Did you mean {month}? "],
  ["w-{Account}-{date}.csv", "{Account}", "Did you mean {account}? "],
  ["w-{}.csv", "{}", ""],
  ["{acount}-{month}-{dat}.csv", "{acount} and {dat}", "Did you mean {account}? "],
])(
  "%s in --save is refused with a suggestion before anything is read",
  async ([name = "", words, meant], { partner }) => {
    const folder = temporaryFolder();
    const first = /\{(.*)\}/.exec((words ?? "").replace(/ .*/, ""))?.[1];
    const told = `Error: --save "${folder}/${name}" has ${words} in it, which has no meaning.
Hint: ${meant}There are {account}, {month} and {date}. For a name that has braces in it, double them: {{${first}}}.
`;
    for (const line of ["--all", "42", "--all --since-last --start-date 2026-03-01", "42 --since-last"]) {
      const ended =
        await partner`wallet statement ${line} ${line.includes("since") ? "" : period} --save ${folder}/${name}`;
      const noted = line === "42" ? "Period: 2026-03-01 to 2026-03-31\n" : "";
      expect(ended).toMatchObject({ exit: 2, stdout: "", stderr: noted + told });
    }
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("a file name may have braces, doubled around a word and single around anything else", async ({ partner }) => {
  const folder = temporaryFolder();
  const [accountNo = ""] = (await partner`wallets list --csv --no-header --columns accountNo`).stdout.split("\n");
  const ended =
    await partner`wallet statement ${accountNo} ${period} --save ${folder}/{{account}}-{2026}-{{x}}-{account}.csv`;
  expect(ended).toMatchObject({ exit: 0, stdout: "" });
  expect(existsSync(`${folder}/{account}-{2026}-{x}-${accountNo}.csv`)).toBe(true);
  expect((await partner`wallet statement --all ${period} --save ${folder}/{{account}}.csv`).stderr).toContain(
    "needs a name for them",
  );
});

test("the file name of a reconciliation follows the same rules", async ({ partner }) => {
  const folder = temporaryFolder();
  const line = `reconcile --account 9000112233 ${period} --save ${folder}`;
  expect(await partner`${line}/{account}-{mont}.csv`).toMatchObject({
    exit: 2,
    stdout: "",
    stderr: expect.stringContaining("{mont} in it, which has no meaning.\nHint: Did you mean {month}?"),
  });
  expect((await partner`${line}/{account}-{month}.csv`).exit).toBe(9);
  expect(readdirSync(folder)).toEqual(["9000112233-2026-03.csv"]);
});
