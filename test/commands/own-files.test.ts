import { linkSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { ask } from "./served.ts";

test.for([
  ["remit --yes --from-file", "--save names the file of --from-file; nothing was sent."],
  ["remit --yes --sender-from", "--save names the file of --sender-from; nothing was sent."],
  ["journal verify --export", "--save names the exported history itself; nothing was written."],
  ["webhook verify other.json", "--save names the webhook itself; nothing was written."],
] as const)("%s: --save never overwrites the input file", async ([line, words]) => {
  const folder = temporaryFolder();
  const [file, twin] = [join(folder, "input.json"), join(folder, "twin.json")];
  writeFileSync(file, "{}\n");
  linkSync(file, twin);
  const { exit, stdout, stderr, requests } = await ask(`${line} ${file} --save ${twin}`);
  expect({ exit, stdout, requests }).toEqual({ exit: 2, stdout: "", requests: [] });
  expect(stderr).toContain(words);
  expect(readFileSync(file, "utf8")).toBe("{}\n");
});
