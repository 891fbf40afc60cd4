"use strict";
// Loads the files of the build with the code that earlier runs compiled. Node's own cache has the functions that are
// compiled when a file is loaded; those that are compiled when they are called are a quarter of a start.

const fs = require("fs");
const { enableCompileCache, isBuiltin } = require("module");
const path = require("path");
const vm = require("vm");
const zlib = require("zlib");

const wrapperStart = "(function (exports, require, module, __filename, __dirname) {";
const wrapperEnd = "\n})";
const lineEnd = 10;
const fileMode = 0o600;

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
    const wrapped = readWrapped(file);
    const label = [process.version, process.arch, wrapped.length, zlib.crc32(wrapped)].join(" ");
    const name = path.relative(root, file).replace(/[\\/]/g, "-");
    const kept = path.join(folder, `${process.version}-${process.arch}-${name}.code`);
    const cachedData = read(kept, label);
    const script = new vm.Script(wrapped.toString("latin1"), { filename: file, cachedData });
    compiled.push({ script, kept, label, isNew: cachedData === undefined || script.cachedDataRejected === true });
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

/** Node itself, or a package that is installed beside this one, which Node's own cache is good for. */
function requireOther(wanted, folder) {
  if (!isBuiltin(wanted)) enableCompileCache(folder);
  return require(wanted);
}

/** What was kept of that file; undefined where it is of another file or Node, or no longer what was written. */
function read(kept, label) {
  let bytes;
  try {
    bytes = fs.readFileSync(kept);
  } catch {
    return undefined;
  }
  const end = bytes.indexOf(lineEnd);
  const code = bytes.subarray(end + 1);
  return bytes.toString("latin1", 0, Math.max(end, 0)) === labelled(label, code) ? code : undefined;
}

/** V8 looks at no more than lengths: what a disk has damaged would be run. */
function labelled(label, code) {
  return `${label} ${code.length} ${zlib.crc32(code)}`;
}

/** A run that compiled one of its files keeps all that it compiled, and so what this command calls in others' files. */
function keep(compiled) {
  if (!compiled.some(({ isNew }) => isNew)) return;
  try {
    for (const { script, kept, label } of compiled) {
      const code = script.createCachedData();
      const draft = `${kept}.${process.pid}.tmp`;
      fs.writeFileSync(draft, Buffer.concat([Buffer.from(`${labelled(label, code)}\n`), code]), { mode: fileMode });
      fs.renameSync(draft, kept);
    }
  } catch {
    // A disk that is full, or may only be read: the next start is slower, nothing else.
  }
}

module.exports = { loaderFor };
