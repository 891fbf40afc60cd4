import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { addProfile } from "../../src/profiles/edit.ts";
import { failureOf, profileWorld, readJson } from "./fixture.ts";

const values = { environment: "sandbox", baseUrl: "https://sandbox.example", accountId: "vendor" };

test("eight processes with ten edits each lose no profile and no secret", async () => {
  const { folder, configPath, credentialsPath } = profileWorld();
  const script = `${import.meta.dirname}/edit-process.ts`;
  const processes = Array.from({ length: 8 }, (_, index) =>
    spawn(process.execPath, [script, folder, `p${index}`, "10"], { stdio: "inherit" }),
  );
  const exits = await Promise.all(processes.map((child) => once(child, "exit")));
  expect(exits.map(String)).toEqual(Array(8).fill("0,"));
  const names = Array.from({ length: 80 }, (_, index) => `p${Math.floor(index / 10)}-${index % 10}`);
  expect(readJson(configPath)).toEqual({
    version: 1,
    current: expect.stringMatching(/^p\d-0$/),
    profiles: Object.fromEntries(names.map((name) => [name, { ...values, secretStore: "file" }])),
  });
  const withSecret = names.filter((_, index) => index % 5 === 0);
  expect(readJson(credentialsPath)).toEqual({
    version: 1,
    profiles: Object.fromEntries(
      withSecret.map((name) => [name, { secretKey: { value: `key-of-${name}`, boundTo: "https://sandbox.example" } }]),
    ),
  });
  expect(readdirSync(folder).toSorted()).toEqual(["config.json", "credentials.json"]);
});

test("folder and file are made for this user alone", async () => {
  const { host, folder, configPath } = profileWorld();
  await addProfile(host, { name: "shop", values });
  expect([statSync(folder).mode & 0o777, statSync(configPath).mode & 0o777]).toEqual([0o700, 0o600]);
});

test("a lock that is never released is reported, with its holder", async () => {
  const { host, configPath } = profileWorld({ config: { version: 1, profiles: {} } });
  const impatient = { ...host.files, lock: (path: string) => host.files.lock(path, { waitMs: 1, staleMs: 60_000 }) };
  const release = await host.files.lock(`${configPath}.lock`, { waitMs: 1, staleMs: 60_000 });
  const failure = await failureOf(addProfile({ ...host, files: impatient }, { name: "shop", values }));
  await release();
  expect(failure).toMatchObject({
    ending: "setup",
    hint: `Run it again when that one has ended. If there is none: rm ${configPath}.lock`,
  });
  expect(failure.message).toContain(`locked by process ${process.pid}`);
});

test("the lock is released when an edit fails", async () => {
  const { host, configPath } = profileWorld({ config: "damaged" });
  expect((await failureOf(addProfile(host, { name: "shop", values }))).message).toContain("damaged");
  await (
    await host.files.lock(`${configPath}.lock`, { waitMs: 1, staleMs: 60_000 })
  )();
});
