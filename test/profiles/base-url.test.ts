import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkUrl, joinUrl, plainUrl, showUrl } from "../../src/profiles/base-url.ts";

test.each([
  "https://api.example",
  "https://api.example/",
  "https://sandbox.example/tembo/v1",
  "HTTPS://Sandbox.Example:8443/tembo/v1/",
  "http://localhost:8080",
  "http://127.0.0.1:1/base",
  "http://127.1.2.3",
  "http://[::1]:9",
])("%s is a base URL", (url) => {
  expect(checkUrl(url)).toBeUndefined();
});

test.each([
  ["", "is empty"],
  ["api.example", "must start with https:// (or http:// for this machine)"],
  ["ftp://api.example", "must start with https:// (or http:// for this machine)"],
  ["file:///etc/passwd", "must start with https:// (or http:// for this machine)"],
  ["https:api.example", "must start with https:// (or http:// for this machine)"],
  ["https://", "isn't a valid address"],
  ["https://api.example:99999", "isn't a valid address"],
  ["https://exa<mple", "isn't a valid address"],
  ["http://api.example", "must start with https://: http:// is only for this machine (localhost, 127.0.0.1, [::1])"],
  [
    "http://localhost.example",
    "must start with https://: http:// is only for this machine (localhost, 127.0.0.1, [::1])",
  ],
  ["http://0.0.0.0", "must start with https://: http:// is only for this machine (localhost, 127.0.0.1, [::1])"],
  ["https://user:pa55@api.example", "holds a user name or password: leave them out"],
  ["https://@api.example", "holds a user name or password: leave them out"],
  ["https://api.example?key=pa55", "holds a ? or a #: leave out what comes after the path"],
  ["https://api.example/v1?", "holds a ? or a #: leave out what comes after the path"],
  ["https://api.example/#pa55", "holds a ? or a #: leave out what comes after the path"],
  [" https://api.example", "contains white space, a backslash or a control character"],
  ["https://api.example\n", "contains white space, a backslash or a control character"],
  [String.raw`https:\\api.example`, "contains white space, a backslash or a control character"],
  [`https://api.example/${"a".repeat(2_048)}`, "is longer than 2048 characters"],
])("%j isn't a base URL", (text, problem) => {
  expect(checkUrl(text)).toBe(problem);
});

test("a path is appended as text, whether the base ends with a slash or not", () => {
  expect(joinUrl("https://sandbox.example/tembo/v1", "/wallet")).toBe("https://sandbox.example/tembo/v1/wallet");
  expect(joinUrl("https://sandbox.example/tembo/v1/", "/wallet")).toBe("https://sandbox.example/tembo/v1/wallet");
  expect(joinUrl("http://127.0.0.1:8080", "/wallet")).toBe("http://127.0.0.1:8080/wallet");
});

test("all spellings of an address have one plain form", () => {
  expect(plainUrl("HTTPS://Api.Example:443/v1//")).toBe("https://api.example/v1");
  expect(plainUrl("https://api.example/")).toBe("https://api.example");
  expect(plainUrl("https://api.example/V1")).not.toBe(plainUrl("https://api.example/v1"));
});

test("an address that could hold a password is not shown", () => {
  expect(showUrl("https://user:pa55@api.example")).toBe("(not shown: it isn't a usable address)");
  expect(showUrl("https://api.example/v1")).toBe("https://api.example/v1");
});

test("the check throws for no text, and an accepted address leads to its own host", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.webUrl(),
        fc.string().map((text) => `https://${text}`),
      ),
      (text) => {
        if (checkUrl(text) !== undefined) return;
        const url = new URL(text);
        expect([url.username, url.password, url.search, url.hash]).toEqual(["", "", "", ""]);
        expect(new URL(joinUrl(text, "/wallet")).origin).toBe(url.origin);
        expect(plainUrl(plainUrl(text))).toBe(plainUrl(text));
      },
    ),
  );
});
