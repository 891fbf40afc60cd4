"use strict";
// Loads the files of the build with the code that earlier runs compiled. Node's own cache has the functions that are
// compiled when a file is loaded; those that are compiled when they are called are a quarter of a start.

const fs = require("fs");
const path = require("path");
const vm = require("vm");

const wrapperStart = "(function (exports, require, module, __filename, __dirname) {";
const wrapperEnd = "\n})";
const fileMode = 0o600;
/** A command's first run is not like its later ones: it makes a journal that they read. */
const keepingRuns = 4;
/** V8 copies code that does not begin at a multiple of it. */
const alignment = 8;
const headerBytes = 8 * alignment;
/** More than twice what the largest file of the build and what is kept of it take. */
const roomBytes = 4 * 1024 * 1024;

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
    const text = source.toString("latin1");
    const script = new vm.Script(text, { filename: file, cachedData: code });
    compiled.push({ script, kept, text, runs: script.cachedDataRejected === true ? 0 : runs });
    return script;
  }

  return (file) => load(path.join(root, file));
}

/**
 * Where each file and what is kept of it are read: memory that was not touched before costs more than reading does. V8
 * has taken what it needs when it has compiled.
 */
let room = Buffer.allocUnsafeSlow(roomBytes);

/** The file as the body of a module's function, at the start of the room. The build has ASCII alone. */
function readWrapped(file) {
  const size = readInto(file, wrapperStart.length);
  const end = wrapperStart.length + size;
  room.write(wrapperStart, 0, "latin1");
  room.write(wrapperEnd, end, "latin1");
  return room.subarray(0, end + wrapperEnd.length);
}

function readInto(file, start) {
  const handle = fs.openSync(file);
  try {
    const { size } = fs.fstatSync(handle);
    const end = start + size + wrapperEnd.length;
    if (end > room.length) room = Buffer.concat([room], end);
    // Less than all of it is no module, and is said where it is compiled.
    return fs.readSync(handle, room, start, size, 0);
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
  const start = Math.ceil(source.length / alignment) * alignment;
  let size;
  try {
    size = readInto(kept, start);
  } catch {
    return { runs: 0 };
  }
  // The room still holds what was read before.
  if (size < headerBytes + source.length) return { runs: 0 };
  const codeStart = start + headerBytes;
  const end = start + size;
  const sourceStart = end - source.length;
  const copyStart = codeStart + (sourceStart - codeStart) / 2;
  const [label, count] = room.toString("latin1", start, codeStart).trimEnd().split("|");
  const runs = Number(count);
  const code = room.subarray(codeStart, copyStart);
  const isOfThis = runs > 0 && label === nodeLabel() && source.equals(room.subarray(sourceStart, end));
  return isOfThis && code.equals(room.subarray(copyStart, sourceStart)) ? { runs, code } : { runs: 0 };
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
    for (const { script, kept, text, runs } of compiled) {
      const code = script.createCachedData();
      const header = Buffer.alloc(headerBytes, " ");
      header.write(`${nodeLabel()}|${Math.min(runs + 1, keepingRuns)}`);
      const draft = `${kept}.${process.pid}.tmp`;
      fs.writeFileSync(draft, Buffer.concat([header, code, code, Buffer.from(text, "latin1")]), { mode: fileMode });
      fs.renameSync(draft, kept);
    }
  } catch {
    // A disk that is full, or may only be read: the next start is slower, nothing else.
  }
}

module.exports = { loaderFor };
