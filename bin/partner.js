#!/usr/bin/env node
"use strict";
// Written so that any Node from 10 on can read it: an old one gets a sentence, not a syntax error.

var fs = require("fs");
var os = require("os");
var path = require("path");

function start(args) {
  // Node would open a debugger, through which any program of this user could read secrets and send orders.
  process.on("SIGUSR1", function () {});
  if (!isSupported(process.versions.node.split(".").map(Number))) {
    console.error(
      "partner needs Node.js 22.22.3, 24.15.0 or 26 (or a newer one of these lines); this is " +
        process.version +
        ".\nInstall one of them, then run the same command again: https://nodejs.org/en/download",
    );
    process.exitCode = 3;
    return;
  }
  // Until the program listens itself: a terminal that closes while it is loaded ends it as TERM does.
  process.on("SIGHUP", function () {
    process.exit(143);
  });
  void loader()("dist/main.cjs").start(args).then(endWith);
}

/** Never process.exit: what is still on its way to a pipe would be lost. */
function endWith(exit) {
  process.exitCode = exit;
}

/** The same range as `engines` in package.json; a test compares the two. */
function isSupported(version) {
  var major = version[0];
  var minor = version[1];
  var patch = version[2];
  if (major === 22) return minor > 22 || (minor === 22 && patch >= 3);
  if (major === 24) return minor >= 15;
  return major >= 26;
}

/**
 * What loads a file of the build: with code that is kept from run to run, which takes a third from each start. Whoever
 * can write to the folder can run code as us, so it is a private one of our own: a shared temporary folder would not do.
 */
function loader() {
  var root = path.dirname(__dirname);
  try {
    // A user that the machine does not know has no home, and Node says so by throwing.
    var folder = cacheFolder();
    if (folder !== undefined && keepsCode()) {
      makeFolder(folder, 2);
      if (isPrivate(fs.lstatSync(folder))) return require("./compiled-code.js").loaderFor(root, folder);
    }
  } catch {
    // A read-only home: the start is slower, nothing else.
  }
  return function (file) {
    return require(path.join(root, file));
  };
}

/** Node's own word for it. What is called cannot be counted in code that was compiled before. */
function keepsCode() {
  return process.env.NODE_DISABLE_COMPILE_CACHE === undefined && process.env.NODE_V8_COVERAGE === undefined;
}

/**
 * The folder, and its parent where that is missing. Node's own `recursive` never comes back where a parent takes no
 * folder, as `/proc` does.
 */
function makeFolder(folder, levels) {
  try {
    fs.mkdirSync(folder, 448); // 0o700
  } catch (error) {
    if (error.code === "EEXIST") return;
    if (error.code !== "ENOENT" || levels === 1) throw error;
    makeFolder(path.dirname(folder), levels - 1);
    makeFolder(folder, 1);
  }
}

function cacheFolder() {
  var base = process.platform === "win32" ? process.env.LOCALAPPDATA : process.env.XDG_CACHE_HOME;
  if (base === undefined || !path.isAbsolute(base)) {
    var home = process.env.HOME === undefined ? os.homedir() : process.env.HOME;
    if (!path.isAbsolute(home) || path.resolve(home) === path.parse(home).root) return undefined;
    base = path.join(home, ".cache");
  }
  return path.join(base, "partner");
}

/** Permission bits and owners say nothing on Windows, where the folder inherits the user's own. */
function isPrivate(facts) {
  if (process.getuid === undefined) return facts.isDirectory();
  return facts.isDirectory() && facts.uid === process.getuid() && (facts.mode & 18) === 0; // 0o022
}

start(process.argv.slice(2));
