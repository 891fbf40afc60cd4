#!/usr/bin/env node
"use strict";
// Runs the sources as they stand, without a build: node bin/dev.js wallets list

async function start() {
  const program = await import("../src/start.ts");
  process.exitCode = await program.start(process.argv.slice(2));
}

void start();
