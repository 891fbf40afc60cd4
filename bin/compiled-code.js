"use strict";
// Loads the files of the build with the code that earlier runs compiled. Node's own cache has the functions that are
// compiled when a file is loaded; those that are compiled when they are called are a quarter of a start.

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const wrapperStart = "(function (exports, require, module, __filename, __dirname) {";
const wrapperEnd = "\n})";
const lineEnd = 10;
const fileMode = 0o600;
/** A command's first run is not like its later ones: it makes a journal that they read. */
const keepingRuns = 4;

/**
 * What requires files of the build.
 * @param folder where compiled code is kept: only its owner may write there
 * @returns takes a path from the root
 */
function loaderFor(root, folder) {
  const modules = new Map();
  const compiled = [];
  process.on("exit", () => keep(compiled));

  function load(file) {
    const known = modules.get(file);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    modules.set(file, module);
    const folderOfFile = path.dirname(file);
    const requireFrom = (wanted) =>
      wanted.startsWith(".") ? load(path.join(folderOfFile, wanted)) : requireOther(wanted, folder);
    const run = compile(file).runInThisContext();
    run.call(module.exports, module.exports, requireFrom, module, file, folderOfFile);
    return module.exports;
  }

  function compile(file) {
    const source = readWrapped(file);
    const name = path.relative(root, file).replace(/[\\/]/g, "-");
    const kept = path.join(folder, `${process.version}-${process.arch}-${name}.code`);
    const { runs, code } = read(kept, source);
    const script = new vm.Script(source.toString("latin1"), { filename: file, cachedData: code });
    compiled.push({ script, kept, source, runs: script.cachedDataRejected === true ? 0 : runs });
    return script;
  }

  return (file) => load(path.join(root, file));
}

/**
 * The file as one text in the parameters of a module. Joined as text it would be held twice, and Node would clear its
 * memory up for that in the middle of a start. The build has ASCII alone.
 */
function readWrapped(file) {
  const handle = fs.openSync(file);
  try {
    const { size } = fs.fstatSync(handle);
    const start = wrapperStart.length;
    const bytes = Buffer.alloc(start + size + wrapperEnd.length);
    bytes.write(wrapperStart, 0, "latin1");
    // Less than all of it is no module, and is said where it is compiled.
    fs.readSync(handle, bytes, start, size, 0);
    bytes.write(wrapperEnd, start + size, "latin1");
    return bytes;
  } finally {
    fs.closeSync(handle);
  }
}

/** Node itself, or the one package that is installed beside this one, which Node's own cache is good for. */
function requireOther(wanted, folder) {
  if (wanted.startsWith("@")) require("module").enableCompileCache(folder);
  return require(wanted);
}

/**
 * What was kept of that file: in how many runs, and the compiled code; no run where it is of another file or Node, or no
 * longer what was written. V8 looks at no more than lengths: what a disk has damaged would be run. So the file holds
 * its source, and the code twice: Node's checksums take longer to load than both take to read.
 */
function read(kept, source) {
  let bytes;
  try {
    bytes = fs.readFileSync(kept);
  } catch {
    return { runs: 0 };
  }
  const start = bytes.indexOf(lineEnd) + 1;
  const [label, count] = bytes.toString("latin1", 0, Math.max(start - 1, 0)).split("|");
  const runs = Number(count);
  const codeStart = start + source.length;
  const copyStart = codeStart + (bytes.length - codeStart) / 2;
  const code = bytes.subarray(codeStart, copyStart);
  const isOfThis = runs > 0 && label === nodeLabel() && source.equals(bytes.subarray(start, codeStart));
  return isOfThis && code.equals(bytes.subarray(copyStart)) ? { runs, code } : { runs: 0 };
}

function nodeLabel() {
  return `${process.version} ${process.arch}`;
}

/**
 * A run that is among the first of one of its files keeps all that it compiled, and so what this command calls in
 * others' files.
 */
function keep(compiled) {
  if (compiled.every(({ runs }) => runs >= keepingRuns)) return;
  try {
    for (const { script, kept, source, runs } of compiled) {
      const code = script.createCachedData();
      const label = Buffer.from(`${nodeLabel()}|${Math.min(runs + 1, keepingRuns)}\n`);
      const draft = `${kept}.${process.pid}.tmp`;
      fs.writeFileSync(draft, Buffer.concat([label, source, code, code]), { mode: fileMode });
      fs.renameSync(draft, kept);
    }
  } catch {
    // A disk that is full, or may only be read: the next start is slower, nothing else.
  }
}

module.exports = { loaderFor };
