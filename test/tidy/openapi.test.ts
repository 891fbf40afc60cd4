import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import spectral from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";
import { expect, test } from "vitest";
import { openApi } from "../../scripts/openapi/document.ts";
import { yamlOf } from "../../scripts/openapi/yaml.ts";
import { endpoints } from "../../src/contract/endpoints.ts";
import { extensions } from "../../src/contract/extensions/extensions.ts";
import { temporaryFolder } from "../memory-host.ts";

const root = join(import.meta.dirname, "../..");
const redocly = createRequire(import.meta.url).resolve("@redocly/cli/bin/cli.js");

test("docs/openapi.yaml matches the contract's table: npm run openapi", () => {
  expect(readFileSync(join(root, "docs/openapi.yaml"), "utf8")).toBe(yamlOf(openApi()));
});

test("redocly reads the document as it was meant, and finds nothing wrong with it", () => {
  expect(linted("docs/openapi.yaml")).toMatchObject({ status: 0, stderr: expect.stringContaining("valid") });
  const bundled = join(temporaryFolder(), "openapi.json");
  expect(play("bundle", "docs/openapi.yaml", "--output", bundled)).toMatchObject({ status: 0 });
  expect(JSON.parse(readFileSync(bundled, "utf8"))).toEqual(JSON.parse(JSON.stringify(openApi())));
});

test("spectral finds nothing wrong with it, not even a hint", async () => {
  expect(await spectralFindings(openApi())).toEqual([]);
});

test("spectral finds fault with a document without answers", async () => {
  const { paths: _, ...others } = openApi();
  expect(await spectralFindings({ ...others, paths: { "/wallet": { get: { operationId: "a b" } } } })).not.toEqual([]);
});

test("every endpoint is in it, under its path and method, with the credentials of its group", () => {
  const found = operationsOf(openApi()).map(([route, { security = [] }]) => [route, Object.keys(security[0] ?? {})]);
  const wanted = [...endpoints, ...extensions].map(({ method, path, auth }) => [
    `${method} ${path}`,
    auth === "A" ? ["accountId", "secretKey"] : ["accessToken"],
  ]);
  expect(found).toEqual(wanted);
});

test("each extension is marked, with its setting and what it does to money", () => {
  const operations = operationsOf(openApi()).map(([route, operation]) => {
    const { tags, "x-extension": setting, "x-effect": effect } = operation;
    return [route, tags.includes("Extensions"), setting, effect];
  });
  expect(operations.filter(([, isBeyond, setting]) => isBeyond === true || setting !== undefined)).toEqual([
    ["POST /payment/wallet-to-mobile", true, "payout", "moves money"],
    ["POST /payment/bank", true, "payout", "moves money"],
    ["POST /collection/status", true, "collection-status", "reads"],
    ["POST /payment/status", true, "payment-status", "reads"],
    ["POST /wallet/main-balance", true, "wallets", "reads"],
    ["POST /wallet/collection-balance", true, "wallets", "reads"],
    ["POST /wallet/main-statement", true, "wallets", "reads"],
    ["POST /wallet/collection-statement", true, "wallets", "reads"],
    ["GET /wallet/{accountNo}", true, "wallets", "reads"],
  ]);
});

interface Operation {
  readonly tags: readonly string[];
  readonly security?: readonly object[];
  readonly "x-extension"?: string;
  readonly "x-effect": string;
}

function operationsOf(document: Readonly<Record<string, unknown>>): readonly [route: string, operation: Operation][] {
  const paths: Record<string, Record<string, Operation>> = Object(document["paths"]);
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  );
}

function linted(path: string) {
  return play("lint", path);
}

function play(...words: readonly string[]) {
  const env = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { status, stderr } = spawnSync(process.execPath, [redocly, ...words], { cwd: root, encoding: "utf8", env });
  return { status, stderr };
}

async function spectralFindings(document: object): Promise<readonly string[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset(new spectral.Ruleset({ extends: [rulesets.oas] }));
  const findings = await linter.run(JSON.parse(JSON.stringify(document)));
  return findings.map(({ code, message, path }) => `${path.join(".")}: ${message} (${code})`);
}
