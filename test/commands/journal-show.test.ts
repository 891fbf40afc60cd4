import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { test } from "../simulated.ts";

const line = "--from 9000112233 --to 9000112244 --amount 5 --description rent --reference R-1 --yes";

test("journal show prints the history of an order as rows, and in JSON as objects", async ({ partnerIn, faults }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  faults.loseNextAnswer();
  await partner`transfer ${line}`;
  expect(await partner`journal resolve R-1`).toMatchObject({ exit: 0 });
  const { stdout } = await partner`journal show R-1`;
  const [fields = "", history = ""] = stdout.split("\n\n");
  expect(fields).toMatch(/^state +accepted$/m);
  expect(fields).not.toContain("history");
  const rows = history.trimEnd().split("\n");
  expect(rows.map((row) => row.split(/ {2,}/).slice(0, 3))).toEqual([
    ["at", "step", "to"],
    ["2026-03-31T12:00:00+03:00", "claim", "prepared"],
    ["2026-03-31T12:00:00+03:00", "send", "sending"],
    ["2026-03-31T12:00:00+03:00", "settle", "unknown"],
    ["2026-03-31T12:00:00+03:00", "resolve", "accepted"],
  ]);
  expect(history).not.toContain("{");
  const { history: events } = JSON.parse((await partner`journal show R-1 --json`).stdout);
  expect(events).toMatchObject([{ step: "claim", from: null, to: "prepared" }, {}, {}, { to: "accepted" }]);
});

test("journal show prints the rows that prove an order, as the service sent them", async ({ partnerIn, faults }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  faults.loseNextAnswer();
  await partner`transfer ${line}`;
  expect(JSON.parse((await partner`journal show R-1 --json`).stdout)).not.toHaveProperty("proofs");
  await partner`journal resolve R-1`;
  const [row] = JSON.parse((await partner`wallet statement 9000112233 --today --json`).stdout).slice(-1);
  expect(row).toMatchObject({ narration: "rent [R-1]" });
  expect(JSON.parse((await partner`journal show R-1 --json`).stdout)).toMatchObject({ proofs: [row] });
  const [, , proofs = ""] = (await partner`journal show R-1`).stdout.split("\n\n");
  expect(proofs).toMatch(/^reference .*narration .*debit +balance$/m);
  expect(proofs).toContain("rent [R-1]");
});

test("on a terminal, state and amount come first, and empty fields are left out", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  await partnerIn({ environment })`transfer ${line}`;
  await partnerIn({ environment })`wallets list`;
  const { stdout } = await partnerIn({ environment, terminal: { stdout: true } })`journal show R-1`;
  const lines = stdout.split("\n").map((text) => text.split(/ {2,}/));
  expect(lines.slice(0, 6)).toEqual([
    ["state", "accepted"],
    ["amount", "5.00 TZS"],
    ["from", "9000112233"],
    ["to", "9000112244"],
    ["reference", "R-1"],
    ["kind", "transfer"],
  ]);
  expect(lines.filter(([name = "", value]) => name !== "" && value === undefined)).toEqual([]);
  const machine = await partnerIn({ environment })`journal show R-1`;
  expect(machine.stdout).toMatch(/^id +[^\n]+\nkind +transfer\nstate +accepted\n/);
});

test("on a terminal, a long value continues below itself, and no word is broken", async ({ partnerIn }) => {
  const environment = { PARTNER_CONFIG_DIR: temporaryFolder() };
  const description = "pay for the shop at the corner, Uhuru Street 4";
  await partnerIn({ environment })`transfer ${line.replace("rent", `"${description}"`)}`;
  for (const columns of [80, 60, 40]) {
    const { stdout } = await partnerIn({ environment, terminal: { stdout: true }, columns })`journal show R-1`;
    const [fields = ""] = stdout.split("\n\n");
    const lines = fields.split("\n");
    expect(lines.filter((each) => each.length > columns && /\S +\S/.test(each.trim()))).toEqual([]);
    expect(fields.replaceAll(/\s+/g, " ")).toContain(description);
    expect(fields).toMatch(/^opened +2026-03-31\s+12:00:00$/m);
  }
});

test("the history says nothing about clocks when the service's clock agrees", async ({ partnerIn }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`transfer ${line}`;
  const [placed] = JSON.parse((await partner`journal show R-1 --json`).stdout).history;
  expect(placed).toMatchObject({ step: "claim" });
  expect(JSON.stringify(placed)).not.toContain("clock");
});

test("--columns history prints only the history, and drops columns on a narrow terminal", async ({ partnerIn }) => {
  const world = { environment: { PARTNER_CONFIG_DIR: temporaryFolder() } };
  await partnerIn(world)`transfer ${line}`;
  const { stdout } = await partnerIn(world)`journal show R-1 --columns history --no-header`;
  expect(stdout.split("\n").map((row) => row.split(/ {2,}/)[1])).toEqual(["claim", "send", "settle", undefined]);
  const narrow = partnerIn({ ...world, terminal: { stdout: true }, columns: 60 });
  const shown = await narrow`journal show R-1 --columns history`;
  expect(Math.max(...shown.stdout.split("\n").map(({ length }) => length))).toBeLessThanOrEqual(60);
  expect(shown.stderr).toContain("left out");
});

test("an empty journal is distinguished from one without matching orders", async ({ partner }) => {
  expect(await partner`journal list`).toMatchObject({ exit: 0, stdout: "", stderr: "The journal has no order yet.\n" });
  expect(await partner`journal list --state unknown --fail-if-any`).toMatchObject({
    exit: 0,
    stdout: "",
    stderr: "The journal has no such order.\n",
  });
});

test("a reference in another letter case gets a suggestion, for an order and for a row of a batch", async ({
  partnerIn,
}) => {
  const folder = temporaryFolder();
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: folder } });
  await partner`transfer ${line}`;
  const file = join(folder, "pay.csv");
  writeFileSync(file, "reference,from,to,amount,description\nL-1,9000112233,9000112244,7,lunch\n");
  expect(await partner`batch run ${file} --kind transfer --yes`).toMatchObject({ exit: 0 });
  for (const command of ["show", "receipt", "prove", "resolve"])
    for (const [typed, meant] of [
      ["l-1", "L-1"],
      ["r-1", "R-1"],
    ] as const) {
      const ended = await partner`journal ${command} ${typed}`;
      expect(ended).toMatchObject({ exit: 4, stdout: "" });
      expect(ended.stderr).toContain(`The journal has no order "${typed}".\nHint: Did you mean ${meant}?\n`);
    }
  expect((await partner`journal show L-7`).stderr).toContain("Hint: See which there are: partner journal list\n");
});
