import { expect, test } from "vitest";
import { namePostgres, readPostgresUrl } from "../../src/values/addresses/postgres-url.ts";
import type { PostgresWords } from "../../src/values/addresses/postgres-words.ts";

const good: readonly (readonly [string, string, boolean])[] = [
  ["postgres://h/d", "postgres://h:5432/d", true],
  ["postgresql://user:p%40ss@h:6000/d", "postgres://h:6000/d", true],
  ["postgres://[2001:db8::1]/d", "postgres://[2001:db8::1]:5432/d", true],
  ["postgres://h/d?sslmode=require", "postgres://h:5432/d", true],
  ["postgres://127.0.0.1/d", "postgres://127.0.0.1:5432/d", false],
  ["postgres://localhost/d?sslmode=verify-full", "postgres://localhost:5432/d", true],
  ["postgres://[::1]/d?sslmode=disable", "postgres://[::1]:5432/d", false],
  ["postgres:///d?host=/run/postgresql", "postgres://%2Frun%2Fpostgresql:5432/d", false],
  ["postgres://one,two:6000/d", "postgres://one:5432,two:6000/d", true],
  ["postgres://[::1]:1,localhost:2/d?sslmode=disable", "postgres://[::1]:1,localhost:2/d", false],
  ["postgres://%2Frun%2Fpostgresql:6000/d", "postgres://%2Frun%2Fpostgresql:6000/d", false],
  ["postgres://a@b:c@h/d?target_session_attrs=read-write&connect_timeout=3", "postgres://h:5432/d", true],
];
test.each(good)("%s is %s, encrypted: %s", (text, name, isEncrypted) => {
  const url = readPostgresUrl(text);
  if (typeof url === "string") throw new Error(url);
  expect([namePostgres(url), url.servers.every(({ isEncrypted }) => isEncrypted)]).toEqual([name, isEncrypted]);
});

const bad: readonly (readonly [string, RegExp])[] = [
  ["mysql://h/d", /must start with postgres/],
  ["postgres://h", /name of a database/],
  ["postgres://h/d/e", /name of a database/],
  ["postgres:///d", /names no host/],
  ["postgres://h:0/d", /no host or port/],
  ["postgres://h:99999/d", /isn't a valid address/],
  ["postgres://hunter2:%zz@h/d", /without a character/],
  ["postgres://h/d%00x", /without a character/],
  ["postgres://h/d#x", /contains white space/],
  ["postgres://h/d?sslmode=prefer", /sslmode that is not known/],
  ["postgres://h/d?sslmode=disable", /only this machine/],
  [
    "postgres://h/d?options=-csearch_path%3Devil",
    /has the parameter options, which is not known here: it may have host,/,
  ],
  ["postgres://h/d?sslmode=require&sslmode=disable", /has the parameter sslmode twice/],
  [
    "postgres:///d?host=/run/p&port=6000",
    /has the parameter port: write it before the database, as in :PORT\/DATABASE/,
  ],
  // A password with a question mark in it ends the address for us: no part of it is repeated.
  ["postgres://u:pass?word@h/d", /has a parameter that is not known here: it may have host,/],
  ["postgres://localhost,h/d?sslmode=disable", /only this machine/],
  ["postgres://h/d?target_session_attrs=master", /target_session_attrs that is not known/],
  ["postgres://h/d?connect_timeout=soon", /connect_timeout/],
  ["postgres://h/d?sslcert=/a", /certificate needs its key/],
  ["postgres://one,/d", /names no host/],
  // Each would reach another host than the one checked for TLS.
  ["postgres://127.0.0.1/d?host=elsewhere.example.com", /other than the folder of a Unix socket/],
  ["postgres://localhost/d?host=elsewhere.example.com&sslmode=disable", /other than the folder of a Unix socket/],
];
test.each(bad)("%s is refused without being repeated", (text, problem) => {
  const found = readPostgresUrl(text);
  expect(found).toMatch(problem);
  expect(found).not.toContain("hunter2");
});

const left: readonly (readonly [string, PostgresWords, string])[] = [
  ["postgres:///", { host: "h", port: "6000", dbname: "d" }, "postgres://h:6000/d"],
  ["postgres:///e", { host: "one,two", port: "1,2", dbname: "d" }, "postgres://one:1,two:2/e"],
  ["postgres://h/", { host: "other", port: "6000", dbname: "d" }, "postgres://h:5432/d"],
  ["postgres:///d", { host: "/run/postgresql", sslmode: "prefer" }, "postgres://%2Frun%2Fpostgresql:5432/d"],
];
test.each(left)("%s takes the rest from %j", (text, defaults, name) => {
  const url = readPostgresUrl(text, defaults);
  if (typeof url === "string") throw new Error(url);
  expect(namePostgres(url)).toBe(name);
});

test("the environment cannot switch off TLS for an address off this machine", () => {
  expect(readPostgresUrl("postgres://h/d", { sslmode: "disable" })).toMatch(/only this machine/);
  expect(readPostgresUrl("postgres://h/d", { sslmode: "prefer" })).toMatchObject({ servers: [{ isEncrypted: true }] });
});
