import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";
import { expect } from "vitest";
import { diet } from "../../scripts/build/diet.ts";
import { lazyOclif } from "../../scripts/build/lazy.ts";
import { withPlainExports } from "../../scripts/build/plain-exports.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import { startRun } from "../movements/child.ts";
import { openTill } from "../movements/till.ts";
import { program } from "../program.ts";
import { test } from "../simulated.ts";

const dist = join(import.meta.dirname, "../../dist");
/** The lines by which a file of the bundle loads others as soon as it is loaded itself. */
const loadLine = /^(?:const|let|var) \w+ = (?:\/\* @__PURE__ \*\/ )?(?:\w+\.__toESM\()?require\("([^"]+)"\)/gm;

test.each([
  ["a line without a command", ["main.cjs"]],
  ["`profile list`", ["main.cjs", "cli/oclif-config.cjs", "commands/profile/list.cjs"]],
  ["`wallets list`", ["main.cjs", "cli/oclif-config.cjs", "commands/wallets/list.cjs"]],
])("%s loads few files, and only cheap parts of Node", (_line, files) => {
  const loaded = loadedBy(files);
  expect(loaded.filter((name) => name.startsWith("node:"))).not.toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^node:(?:fs\/promises|stream|crypto|http|tty|net|perf_hooks|sqlite)$/),
    ]),
  );
  expect(loaded.filter((name) => name.endsWith(".cjs")).length).toBeLessThanOrEqual(12);
  expect(loaded.includes("shared/oclif.cjs")).toBe(files.length > 1);
});

test("an order loads the code that all orders share as one file, and a command that only reads does not", () => {
  const order = loadedBy(["main.cjs", "cli/oclif-config.cjs", "commands/transfer.cjs"]);
  expect(order).toContain("shared/order.cjs");
  expect(order.filter((name) => name.endsWith(".cjs")).length).toBeLessThanOrEqual(24);
  for (const name of ["wallets/list", "wallet/statement", "journal/list", "journal/show"])
    expect(loadedBy([`commands/${name}.cjs`])).not.toContain("shared/order.cjs");
});

test("an order after the first one loads neither undici nor Node's promises of files nor a prompt", async ({
  simulator,
}) => {
  expect(program, "the sources are newer than the build: npm run build").toMatch(/partner\.js$/);
  const till = openTill(environmentFor(simulator));
  const order = "transfer --from 9000112233 --to 9000112244 --amount 500 --description rent --yes --quiet";
  expect(await startRun(`${order} --reference FIRST`, till).run).toMatchObject({ exit: 0 });
  const list = join(till.stateFolder, "loaded.cjs");
  writeFileSync(
    list,
    `const fs = require("fs");
    const { openSync } = fs;
    const files = [];
    fs.openSync = (...call) => (files.push(call[0]), openSync(...call));
    process.on("exit", () => {
      fs.openSync = openSync;
      fs.writeFileSync(__dirname + "/loaded", [...process.moduleLoadList, ...files].join("\\n"));
    });`,
  );
  till.environment["NODE_OPTIONS"] = `--require ${list}`;
  expect(await startRun(`${order} --reference SECOND --again`, till).run).toMatchObject({ exit: 0 });
  const loaded = readFileSync(join(till.stateFolder, "loaded"), "utf8").split("\n");
  expect(loaded).toContain("NativeModule sqlite");
  expect(loaded).toContain(join(dist, "shared/order.cjs"));
  expect(loaded.filter((name) => name.includes("undici"))).toEqual([]);
  expect(loaded).not.toContain("NativeModule internal/fs/promises");
  expect(loaded).not.toContain("NativeModule internal/readline/interface");
});

test("no file of the build has a character beyond ASCII, because Node would read it as twice its size", () => {
  const files = globSync("**/*.cjs", { cwd: dist });
  expect(files.filter((file) => /[^\p{ASCII}]/u.test(readFileSync(join(dist, file), "utf8")))).toEqual([]);
});

test.each([diet(), lazyOclif()])("the build fails when $name no longer finds the code that it cuts", ({ buildEnd }) => {
  if (typeof buildEnd !== "function") throw new Error("It does not look at the end of the build.");
  expect(() => Reflect.apply(buildEnd, undefined, [])).toThrow(/any more|no longer/);
});

test("no file of the build exports with a getter, and a variable assigned later is refused", () => {
  const files = globSync("**/*.cjs", { cwd: dist }).map((file) => readFileSync(join(dist, file), "utf8"));
  expect(files.filter((code) => withPlainExports(code) !== code)).toEqual([]);
  expect(withPlainExports(`const one = 1;\n${getter("one")}`)).toBe("const one = 1;\nexports.one = one;");
  expect(() => withPlainExports(`let one = 1;\n${getter("one")}`)).toThrow(
    "one is exported, and may be assigned later",
  );
  expect(() => withPlainExports(`var one = 1;\n one = 2;\n${getter("one")}`)).toThrow("one is exported");
});

test("no file of the build uses import(), because an executable cannot", () => {
  const files = globSync("**/*.cjs", { cwd: dist });
  expect(files.length).toBeGreaterThan(100);
  // Its loader of plugins imports ES modules; a build with a catalog of its own has none.
  const others = files.filter((file) => file !== join("shared", "oclif.cjs"));
  expect(others.filter((file) => imports(readFileSync(join(dist, file), "utf8")))).toEqual([]);
  expect(imports('const { readFile } = await import("node:fs/promises");')).toBe(true);
});

/** The code by which rolldown exports a name. */
function getter(name: string): string {
  return `Object.defineProperty(exports, "${name}", {\n\tenumerable: true,\n\tget: function() {\n\t\treturn ${name};\n\t}\n});`;
}

function imports(code: string): boolean {
  let found = false;
  new Visitor({ ImportExpression: () => (found = true) }).visit(parseSync("file.mjs", code).program);
  return found;
}

/** All files that these files load with them, by their names in the bundle. */
function loadedBy(files: readonly string[], known = new Set<string>()): string[] {
  for (const file of files) {
    if (known.has(file)) continue;
    known.add(file);
    if (!file.endsWith(".cjs")) continue;
    const code = readFileSync(join(dist, file), "utf8");
    const wanted = [...code.matchAll(loadLine)].flatMap(([, name]) => name ?? []);
    loadedBy(
      wanted.map((name) => (name.startsWith(".") ? posix.join(posix.dirname(file), name) : name)),
      known,
    );
  }
  return [...known];
}
