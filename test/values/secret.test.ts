import { format, inspect } from "node:util";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Secret, mask } from "../../src/values/secret.ts";

const key = "cGFydG5lci10ZXN0LWhhc2gta2V5";

test("a secret returns its text only by reveal", () => {
  expect(new Secret(key).reveal()).toBe(key);
});

test("printing, inspecting or serialising a secret never shows it", () => {
  const secret = new Secret(key);
  const profile = { name: "live", secretKey: secret, list: [secret], map: new Map([["key", secret]]) };
  const shown = [
    String(secret),
    ["key:", secret].join(" "),
    JSON.stringify(profile),
    inspect(profile, { depth: 9, showHidden: true }),
    format("%s %o %j", secret, secret, secret),
    Object.entries(secret).join(),
  ];
  expect(shown.filter((text) => text.includes(key.slice(0, 8)))).toEqual([]);
  expect(JSON.stringify(profile)).toBe('{"name":"live","secretKey":"[secret]","list":["[secret]"],"map":{}}');
});

test("a mask shows the last four characters of a long secret and nothing of a short one", () => {
  expect(mask(key)).toBe("********a2V5");
  expect(mask("hunter2")).toBe("********");
  expect(mask("")).toBe("********");
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(mask(text).length).toBeLessThanOrEqual(12);
      expect(text.length >= 20 || mask(text) === "********").toBe(true);
    }),
  );
});
