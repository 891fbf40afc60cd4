import { readFileSync, writeFileSync } from "node:fs";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../../src/values/failure.ts";
import { addProfile } from "../../src/profiles/edit.ts";
import { resolveAccount } from "../../src/profiles/resolve.ts";
import { profileWorld, shop } from "./fixture.ts";

const runs = 150;
const values = { environment: "sandbox", baseUrl: "https://api.example", accountId: "vendor" };
const { host, configPath, credentialsPath } = profileWorld(shop);

/** Does what every command would do: succeeds, or throws a Failure that does not repeat the marker in the file. */
async function isFine(use: () => Promise<unknown>): Promise<boolean> {
  try {
    await use();
    return true;
  } catch (error) {
    if (!(error instanceof Failure) || error.ending !== "setup") throw error;
    expect(error.message + error.hint).not.toContain("HUNTER2");
    return false;
  }
}

function isUsable(path: string, content: string | Uint8Array): Promise<boolean> {
  writeFileSync(path, content);
  return isFine(async () => {
    const account = await resolveAccount(host, { profile: "shop" });
    await account.groupA();
    await account.groupB();
    await account.webhookKeys();
  });
}

/** An unreadable file is not edited, and stays as it is. */
async function expectUntouched(path: string, content: string | Uint8Array): Promise<void> {
  expect(await isFine(() => addProfile(host, { name: "other", values, replace: true }))).toBe(false);
  expect(readFileSync(path).equals(Buffer.from(content))).toBe(true);
}

/** JSON of any shape, mostly close to the right one. */
const anyJson = fc.jsonValue({ maxDepth: 3 });
const nearly = (good: object) =>
  fc.record(
    Object.fromEntries(
      Object.entries(good).map(([key, value]) => [
        key,
        fc.oneof(
          { weight: 3, arbitrary: fc.constant(value) },
          { weight: 1, arbitrary: anyJson },
          fc.constant("HUNTER2"),
        ),
      ]),
    ),
    { requiredKeys: [] },
  );

for (const [title, path, good] of [
  ["config.json", configPath, shop.config],
  ["credentials.json", credentialsPath, shop.credentials],
] as const) {
  const text = JSON.stringify(good);

  test(`${title} cut off at any byte is damaged, and is left as it is`, async () => {
    for (let length = 0; length < text.length; length++)
      expect(await isUsable(path, text.slice(0, length))).toBe(false);
    await isUsable(path, text.slice(0, 30));
    await expectUntouched(path, text.slice(0, 30));
    expect(await isUsable(path, text)).toBe(true);
  });

  test(`${title} of random bytes is damaged, and is left as it is`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(await isUsable(path, bytes)).toBe(false);
        await expectUntouched(path, bytes);
      }),
      { numRuns: runs },
    );
    await isUsable(path, text);
  });

  test(`${title} with any byte changed is used or refused, and never rewritten`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(text.length - 1), fc.nat(255), async (at, byte) => {
        const bytes = Buffer.from(text);
        bytes[at] = byte;
        await isUsable(path, bytes);
        expect(readFileSync(path).equals(bytes)).toBe(true);
      }),
      { numRuns: runs },
    );
    await isUsable(path, text);
  });

  test(`${title} of any other JSON is used or refused, and never rewritten`, async () => {
    const profiles = fc.dictionary(
      fc.constantFrom("shop", "constructor", "__proto__", "My Shop"),
      nearly(good.profiles.shop),
    );
    const whole = fc.oneof(
      anyJson,
      nearly({ ...good, profiles: {} }),
      fc.record({ version: fc.constantFrom(1, 2, "1"), profiles }),
    );
    await fc.assert(
      fc.asyncProperty(whole, async (content) => {
        await isUsable(path, JSON.stringify(content));
        expect(readFileSync(path, "utf8")).toBe(JSON.stringify(content));
      }),
      { numRuns: runs },
    );
    await isUsable(path, text);
  });
}
