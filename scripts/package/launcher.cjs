"use strict";
// The first file of the standalone executable, where the package has bin/partner.js: finds the files of the build
// inside the executable, and loads each when it is first required.

const path = require("node:path");
const sea = require("node:sea");
const vm = require("node:vm");

const wrapperStart = "(function (exports, require, module, __filename, __dirname) {";
const wrapperEnd = "\n})";
const modules = new Map();

function load(name) {
  const known = modules.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  modules.set(name, module);
  const fileName = path.join(path.dirname(process.execPath), name);
  const requireFrom = (wanted) =>
    wanted.startsWith(".") ? load(path.posix.join(path.posix.dirname(name), wanted)) : require(wanted);
  const run = compile(name).runInThisContext();
  run.call(module.exports, module.exports, requireFrom, module, fileName, path.dirname(fileName));
  return module.exports;
}

/** With the code that was compiled when the executable was made, where it was made for its own kind of machine. */
function compile(name) {
  const code = `${name}.code`;
  const cachedData = assets.has(code) ? new Uint8Array(sea.getRawAsset(code)) : undefined;
  return new vm.Script(wrapperStart + sea.getAsset(name, "utf8") + wrapperEnd, { filename: name, cachedData });
}

function start(argv) {
  // Node would open a debugger, through which any program of this user could read secrets and send orders.
  process.on("SIGUSR1", () => {});
  const pjson = JSON.parse(sea.getAsset("package.json", "utf8"));
  const manifest = async () => JSON.parse(sea.getAsset("oclif.manifest.json", "utf8"));
  void load("dist/main.cjs").start(argv, { pjson, manifest, schema }).then(endWith);
}

async function schema(id) {
  const name = `docs/schemas/${id.replaceAll(":", "-")}.json`;
  return assets.has(name) ? sea.getAsset(name, "utf8") : undefined;
}

/** Never process.exit: what is still on its way to a pipe would be lost. */
function endWith(exit) {
  process.exitCode = exit;
}

const assets = new Set(sea.getAssetKeys());
start(process.argv.slice(2));
