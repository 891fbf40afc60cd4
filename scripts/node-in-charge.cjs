"use strict";
// Scripts run on the Node that npm installs with the project (scripts/node/package.json), whatever the machine has. On a
// kind of machine for which there is none, the machine's own is in charge: an old one is said, and does not fail on TypeScript.

var version = process.versions.node.split(".").map(Number);
if (version[0] < 24 || (version[0] === 24 && version[1] < 15)) {
  console.error(
    "Node " +
      process.versions.node +
      " is in charge here, and the scripts need 24.15 or newer.\n" +
      "The project brings its own for Linux and Windows: npm ci. Elsewhere, install a newer one.",
  );
  process.exitCode = 1;
}
