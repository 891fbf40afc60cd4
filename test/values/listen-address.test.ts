import { expect, test } from "vitest";
import { parseListenAddress } from "../../src/values/addresses/listen-address.ts";
import { failureOf } from "./failure-of.ts";

test.each([
  ["127.0.0.1:8080", { host: "127.0.0.1", port: 8080 }],
  ["localhost:0", { host: "localhost", port: 0 }],
  ["[::1]:443", { host: "::1", port: 443 }],
  ["0.0.0.0:65535", { host: "0.0.0.0", port: 65535 }],
])("%s is an address to listen on", (text, address) => {
  expect(parseListenAddress(text, "--listen")).toEqual(address);
});

test.each([
  "",
  ":8080",
  "8080",
  "127.0.0.1",
  "127.0.0.1:",
  "127.0.0.1:65536",
  "::1:80",
  "a b:80",
  "http://a:80",
  "[::1]",
])("%s isn't an address to listen on", (text) => {
  expect(failureOf(() => parseListenAddress(text, "--listen"))).toMatchObject({
    ending: "usage",
    hint: expect.stringContaining("--listen 127.0.0.1:8080"),
  });
});
