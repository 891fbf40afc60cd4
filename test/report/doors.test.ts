import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Run one after the other in a process of its own, with the heavy packages loaded after each step. */
const steps = [
  { options: { format: "json" }, cell: 'q"日', loaded: [] },
  { options: { format: "ndjson" }, cell: 'q"日', loaded: [] },
  { options: { format: "csv" }, cell: "日", loaded: [] },
  { options: { format: "table" }, cell: "plain", loaded: [] },
  { options: { format: "csv" }, cell: "two\nlines", loaded: ["csv-stringify"] },
  { options: { format: "table" }, cell: "日", loaded: ["csv-stringify", "cli-table3"] },
];

const script = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({
    resolve(specifier, context, next) {
      const heavy = /^(cli-table3|csv-stringify)/.exec(specifier);
      if (heavy) loaded.add(heavy[1]);
      return next(specifier, context);
    },
  });
  const { stdoutOf, rowsReport } = await import(process.argv[1]);
  const columns = [{ name: "a", kind: "text" }, { name: "b", kind: "amount" }];
  const after = [];
  for (const { options, cell } of JSON.parse(process.argv[2])) {
    await stdoutOf(rowsReport(columns, [{ a: cell, b: "1.00" }]), options);
    after.push([...loaded]);
  }
  console.log(JSON.stringify(after));`;

test("JSON loads no package; CSV and tables load theirs only for a cell that needs it", () => {
  const render = join(import.meta.dirname, "render.ts");
  const argv = ["--input-type=module", "-e", script, render, JSON.stringify(steps)];
  const after: unknown = JSON.parse(execFileSync(process.execPath, argv, { encoding: "utf8" }));
  expect(after).toEqual(steps.map(({ loaded }) => loaded));
});
