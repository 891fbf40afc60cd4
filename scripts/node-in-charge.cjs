"use strict";
// Scripts run on the Node that npm installs with the project, whatever the machine has. Where npm was told not to run
// install scripts, that Node has no binary and the machine's own is in charge: say so instead of failing on TypeScript.

var version = process.versions.node.split(".").map(Number);
if (version[0] < 24 || (version[0] === 24 && version[1] < 15)) {
  console.error(
    "Node " +
      process.versions.node +
      " is in charge here, and the scripts need 24.15 or newer.\n" +
      "The project brings its own: npm ci --ignore-scripts=false",
  );
  process.exitCode = 1;
}
