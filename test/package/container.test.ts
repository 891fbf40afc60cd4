import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { memoryHost } from "../memory-host.ts";
import { configFolder, stateFolder } from "../../src/profiles/folders.ts";
import { words } from "../partner.ts";
import { whileRunning } from "../commands/while-running.ts";

const recipe = readFileSync(join(import.meta.dirname, "../../Dockerfile"), "utf8").replaceAll(/\\\n\s*/g, "");
const [, last = ""] = recipe.split(/^FROM (?=gcr)/m);
const instruction = (name: string) => new RegExp(`^${name} (.*)$`, "m").exec(last)?.[1] ?? "";
const environment = Object.fromEntries(
  words(instruction("ENV").replaceAll('"', "")).map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]),
);

test("the image has no shell and no home, and its folders belong to its numeric user", () => {
  expect(last).toMatch(/^gcr\.io\/distroless\/cc-debian12\n/);
  expect(last).not.toMatch(/^(?:RUN|ADD) /m);
  expect(instruction("USER")).toBe("65532:65532");
  expect(recipe).toContain("install --directory --mode 700 --owner 65532 --group 65532 /parts/config /parts/state");
  const host = memoryHost({ environment });
  expect([configFolder(host), stateFolder(host)]).toEqual(["/config", "/state"]);
});

test("the image runs a simulator that can be reached from outside", async () => {
  const command: string[] = JSON.parse(instruction("CMD"));
  expect(JSON.parse(instruction("ENTRYPOINT"))).toEqual(["/usr/bin/partner"]);
  const port = instruction("EXPOSE");
  expect(command.at(-1)).toBe(`0.0.0.0:${port}`);
  const line = command.join(" ").replace(`:${port}`, ":0");
  const ended = await whileRunning(line, async (origin) => {
    expect((await fetch(`http://127.0.0.1:${new URL(origin).port}/partner/v1/wallet`)).status).toBe(401);
  });
  expect(ended).toMatchObject({ exit: 0, stderr: "GET /wallet 401 INVALID_CREDENTIALS\n" });
});
