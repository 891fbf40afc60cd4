import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkTranscript } from "../../scripts/transcript/play.ts";

const root = join(import.meta.dirname, "../..");
const installed = { node: process.execPath, program: join(root, "bin/partner.js") };
const transcripts = globSync("*.txt", { cwd: import.meta.dirname }).toSorted();

test("the build is as new as the sources: npm run build", () => {
  const built = join(root, "dist/main.cjs");
  const sources = globSync(["src/**/*.ts", "scripts/build/*.ts", "rolldown.config.ts"], { cwd: root });
  const newest = Math.max(...sources.map((path) => statSync(join(root, path)).mtimeMs));
  expect(existsSync(built) && statSync(built).mtimeMs >= newest).toBe(true);
});

// The shell is the reader's, and /bin/sh is not on Windows.
test.skipIf(process.platform === "win32").each(transcripts)("%s happens as written", async (name) => {
  const source = readFileSync(join(import.meta.dirname, name), "utf8");
  expect(await checkTranscript(source, installed)).toEqual([]);
});
