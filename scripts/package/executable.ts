import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { signForMac } from "./mac-signature.ts";
import { stripBinary } from "./strip.ts";
import { withoutSignature } from "./windows-signature.ts";

const launcher = join(import.meta.dirname, "launcher.cjs");
const codeCache = join(import.meta.dirname, "code-cache.cjs");
/** What the commands that are run for it load. */
const fewestCompiled = 20;
const attemptsMaxCount = 9;

/** What an executable is made of. */
export interface Recipe {
  /** The folder with package.json, the manifest and the build. */
  readonly packageFolder: string;
  /** The Node that goes in. */
  readonly node: string;
  /** The same Node for this machine, which puts it together. */
  readonly builder: string;
  readonly output: string;
}

/**
 * One file that is the whole program, Node included. The build's files go in as they are, each of them loaded when it
 * is first needed, as from the package. Code that is compiled beforehand goes in where the executable is for this kind
 * of machine: no other kind would take it.
 */
export function buildExecutable({ packageFolder, node, builder, output }: Recipe): void {
  const work = mkdtempSync(join(tmpdir(), "partner-executable-"));
  try {
    const files = [
      "package.json",
      "oclif.manifest.json",
      ...globSync(["dist/**/*.cjs", "docs/schemas/*.json"], { cwd: packageFolder }),
    ];
    const assets = assetsIn(packageFolder, files);
    if (node === builder) Object.assign(assets, compile(packageFolder, builder, join(work, "code")));
    const stripped = join(work, "node");
    writeFileSync(stripped, withoutSignature(stripBinary(readFileSync(node))));
    const recipe = {
      main: launcher,
      executable: stripped,
      output,
      disableExperimentalSEAWarning: true,
      // Its bytes would differ from one build to the next; the launcher is small.
      useCodeCache: false,
      // What NODE_OPTIONS says is meant for Node, and its users need not know that there is one in here.
      execArgvExtension: "none",
      execArgv: [`--min-semi-space-size=${youngMemoryMb}`],
      assets,
    };
    const recipeFile = join(work, "recipe.json");
    writeFileSync(recipeFile, JSON.stringify(recipe));
    mkdirSync(dirname(output), { recursive: true });
    execFileSync(builder, ["--build-sea", recipeFile], { stdio: ["ignore", "ignore", "inherit"] });
    const made = readFileSync(output);
    const signed = signForMac(made, "partner");
    if (signed !== made) writeFileSync(output, signed);
    chmodSync(output, 0o755);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Sorted, so that the same files give the same bytes. */
function assetsIn(folder: string, files: readonly string[]): Record<string, string> {
  const names = files.map((file) => file.replaceAll("\\", "/")).toSorted();
  return Object.fromEntries(names.map((name) => [name, join(folder, name)]));
}

/**
 * MB that a run may take before Node clears its memory up for the first time. Its own default of one is reached four
 * times while an order is placed, a tenth of the time that this takes; what is not used is not taken from the machine.
 */
const youngMemoryMb = 16;

/**
 * V8 notes in what it compiles how long a function was not called when its memory was last looked through, which is a
 * matter of time: what has come out the same twice is taken.
 */
function compile(packageFolder: string, node: string, folder: string): Record<string, string> {
  const seen = new Set<string>();
  const agreed = new Map<string, string>();
  for (let attempt = 1; attempt <= attemptsMaxCount; attempt += 1) {
    const made = compileOnce(packageFolder, node, join(folder, String(attempt)));
    const names = Object.keys(made);
    if (names.length < fewestCompiled) throw new Error(`Only ${names.length} files were compiled beforehand`);
    for (const [name, path] of Object.entries(made)) {
      const content = `${name} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
      if (seen.has(content) && !agreed.has(name)) agreed.set(name, path);
      seen.add(content);
    }
    if (names.every((name) => agreed.has(name)))
      return Object.fromEntries(names.map((name) => [name, agreed.get(name) ?? ""]));
  }
  throw new Error("The code that is compiled beforehand comes out another way each time");
}

function compileOnce(packageFolder: string, node: string, folder: string): Record<string, string> {
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  execFileSync(node, ["--random-seed=1", codeCache, packageFolder, folder], {
    // A service that nobody runs: the commands end where they would wait for the network.
    env: {
      HOME: home,
      PARTNER_BASE_URL: "http://127.0.0.1:1",
      PARTNER_ACCOUNT_ID: "nobody",
      PARTNER_SECRET_KEY: "none",
    },
    stdio: "ignore",
  });
  return assetsIn(folder, globSync("**/*.code", { cwd: folder }));
}
