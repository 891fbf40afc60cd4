import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";

const header = "reference,from,to,amount,description\n";
const csv = "the output is a CSV file to fill in.";
const json = "the output is a JSON file to fill in.";
const script = "the output is a script for a shell.";

test.for([
  ["batch template --kind transfer --json", `--json cannot be used here: ${csv}`, "Leave it out."],
  ["batch template --kind transfer --output ndjson", `--output ndjson cannot be used here: ${csv}`, "Leave it out."],
  ["batch template --kind transfer --columns amount", `--columns cannot be used here: ${csv}`, "Leave it out."],
  [
    "batch template --kind transfer --sort a --no-header --raw",
    `--sort and --no-header and --raw cannot be used here: ${csv}`,
    "Leave them out.",
  ],
  ["remit template --csv", `--csv cannot be used here: ${json}`, "Leave it out."],
  ["remit template --columns a --excel", `--columns and --excel cannot be used here: ${json}`, "Leave them out."],
  ["completion bash --delimiter ;", `--delimiter cannot be used here: ${script}`, "Leave it out."],
])("%s is refused, not ignored", async ([line = "", message, hint]) => {
  const { exit, stdout, stderr } = await run(words(line));
  expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
  expect(stderr.split("\n").slice(0, 2)).toEqual([`Error: ${message}`, `Hint: ${hint}`]);
});

test.for([
  ["batch template --kind transfer", "t.json", csv, ".csv"],
  ["batch template --kind transfer --example", "t.xlsx", csv, ".csv"],
  ["remit template", "d.XLSX", json, ".json"],
  ["remit template", "d.csv", json, ".json"],
])("the file of %s cannot have another format's extension: %s", async ([line = "", name = "", is, ending]) => {
  const folder = temporaryFolder();
  const path = join(folder, name);
  expect(await run(words(`${line} --save ${path}`))).toMatchObject({
    exit: 2,
    stderr: `Error: --save "${path}" cannot be used here: ${is}\nHint: Give the file another ending, such as ${ending}.\n`,
  });
  expect(readdirSync(folder)).toEqual([]);
});

test("flags that match the text are accepted, and PARTNER_OUTPUT does not affect a text", async () => {
  for (const flags of ["--csv", "--output csv", "--output table", ""])
    expect(await run(words(`batch template --kind transfer ${flags}`))).toMatchObject({ exit: 0, stdout: header });
  const environment = { PARTNER_OUTPUT: "json" };
  expect((await run(words("batch template --kind transfer"), { environment })).stdout).toBe(header);
  expect((await run(words("completion bash"), { environment })).stdout).toBe(
    (await run(words("completion bash"))).stdout,
  );
  const excel = await run(words("batch template --kind transfer --excel --delimiter ;"));
  expect(excel.stdout).toBe(`\u{feff}${header.replaceAll(",", ";").replace("\n", "\r\n")}`);
  const draft = await run(words("remit template"));
  expect((await run(words("remit template --json"))).stdout).toBe(draft.stdout);
  const line = (await run(words("remit template --output ndjson"))).stdout;
  expect(line.indexOf("\n")).toBe(line.length - 1);
  expect(JSON.parse(line)).toEqual(JSON.parse(draft.stdout));
});

test("a text may be saved under any other name", async () => {
  const folder = temporaryFolder();
  for (const [line, name] of [
    ["batch template --kind transfer", "salaries"],
    ["remit template", "draft.json"],
    ["completion zsh", "_partner"],
  ]) {
    const path = join(folder, name ?? "");
    expect(await run(words(`${line} --save ${path}`))).toMatchObject({ exit: 0, stdout: "", stderr: "" });
    expect(readFileSync(path, "utf8")).toBe((await run(words(line ?? ""))).stdout);
  }
});
