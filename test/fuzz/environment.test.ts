import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { unplugged } from "./unplugged.ts";

const secret = "fuzzed+secret/key==";
const file = join(temporaryFolder(), "value");
writeFileSync(file, `${secret}\n`);

const ours = "PROFILE BASE_URL ACCOUNT_BASE_URL ENVIRONMENT ACCOUNT_ID SECRET_KEY ACCESS_TOKEN WEBHOOK_KEY".split(" ");
const names = [
  ...ours.flatMap((name) => [`PARTNER_${name}`, `PARTNER_${name}_FILE`]),
  ..."PARTNER_OUTPUT PARTNER_NO_INPUT PARTNER_CONFIG_DIR PARTNER_STATE_DIR HOME XDG_CONFIG_HOME".split(" "),
  ..."HTTPS_PROXY HTTP_PROXY NO_PROXY NO_COLOR FORCE_COLOR TERM TZ LANG LC_ALL".split(" "),
];
const values = fc.oneof(
  fc.constantFrom("", "shop", "live", "sandbox", "simulator", "json", "0", "1", "/", "/nowhere", ".", "dumb", file),
  fc.constantFrom("https://a.example/x/", "http://localhost:1", "http://a.example", `https://u:${secret}@a.example`),
  fc.constantFrom(secret, `${secret}\n`, `Bearer ${secret}`, "cGFydG5lci10ZXN0LWhhc2gta2V5LTAxMjM0NTY3ODk="),
  fc.string({ unit: "binary" }).map((text) => text.replaceAll("\0", "")),
);
const environments = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), values), {
  selector: ([name]) => name,
  maxLength: 8,
  size: "max",
});
const isShown = /_(PROFILE|OUTPUT|ACCOUNT_ID|DIR|(PROFILE|URL|ENVIRONMENT|ACCOUNT_ID)_FILE)$|^HOME$/;
const lines = [
  "wallets list",
  "account balance 1",
  "institutions",
  "profile show",
  "profile list",
  "wallet statement 1 --today",
];

test("any environment leads to a documented exit code other than 1, without a secret in the output", async () => {
  const property = fc.asyncProperty(fc.constantFrom(...lines), environments, async (line, pairs) => {
    const world = unplugged({ status: 200, body: "[]" });
    const complete = { PARTNER_BASE_URL: "https://a.example", PARTNER_ACCOUNT_ID: "v", PARTNER_SECRET_KEY: secret };
    // A secret in a variable for something else is repeated to the person who put it there.
    const misplaced = pairs.some(([name, value]) => isShown.test(name) && (value.includes(secret) || value === file));
    for (const environment of [Object.fromEntries(pairs), { ...complete, ...Object.fromEntries(pairs) }]) {
      const ended = await run(words(`${line} --debug`), { ...world, environment });
      expect([0, 2, 3, 5]).toContain(ended.exit);
      expect(ended.stdout === "" || ended.exit === 0).toBe(true);
      expect(!misplaced && `${ended.stdout}${ended.stderr}`.includes(secret)).toBe(false);
    }
  });
  await fc.assert(property, { numRuns: 150 });
});
