"use strict";
// Compiles the files of the build for the executable, run by the Node that goes into it:
//
//     node --random-seed=1 code-cache.cjs PACKAGE-FOLDER OUT-FOLDER
//
// Runs the executable's own launcher on files instead of what an executable carries, a few commands long: functions
// that a usual run needs are then in the code, which a third of a start saves, and others are compiled when they are
// called. The seed makes the same code each time; nothing here reaches a network.

const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const [packageFolder, outFolder] = process.argv.slice(2);
const launcher = fs.readFileSync(path.join(__dirname, "launcher.cjs"), "utf8");
const order = "--from 1 --to 2 --amount 1 --description rent --reference R-1 --yes --check-statement never";
const runs = [
  "--help",
  "wallets list --retries 0",
  "wallets list --output json --retries 0",
  "profile list",
  `transfer ${order} --retries 0`,
  "journal list",
].map((line) => line.split(" "));
const scripts = new Map();

const onFiles = {
  "node:sea": {
    getAsset: (name) => fs.readFileSync(path.join(packageFolder, name), "utf8"),
    getAssetKeys: () => [],
  },
  "node:vm": {
    Script: function (source, { filename }) {
      if (!scripts.has(filename)) scripts.set(filename, new vm.Script(source, { filename }));
      return scripts.get(filename);
    },
  },
};

/** Called when nothing is left to do; a run that waits for nothing would be the last one, without more to come. */
function runNext() {
  setImmediate(() => undefined);
  const words = runs.shift();
  if (words === undefined) return finish();
  process.argv = [process.execPath, "partner", ...words];
  const run = vm.compileFunction(launcher, ["require"]);
  run((name) => onFiles[name] ?? require(name));
}

function finish() {
  process.off("beforeExit", runNext);
  process.exitCode = 0;
  for (const [name, script] of scripts) {
    const file = path.join(outFolder, `${name}.code`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, script.createCachedData());
  }
}

process.on("beforeExit", runNext);
