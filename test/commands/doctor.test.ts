import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { answer } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run } from "../partner.ts";
import { dated, examined, now, ownFolders, secrets, served } from "../doctor/examined.ts";

const everything = [
  "node",
  "config folder",
  "state folder",
  "journal",
  "config file",
  "credentials file",
  "profile",
  "environment",
  "base URL",
  "account base URL",
  "account id",
  "callback URL",
  "secret key",
  "access token",
  "webhook key",
  "proxy",
  "certificates",
  "service",
  "clock",
  "account service",
];

test("when all is well, every row is ok and --strict exits with 0", async () => {
  const { exit, stderr, found } = await examined({ environment: await served() }, "--strict");
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(Object.keys(found)).toEqual(everything);
  expect(Object.values(found).filter(({ result }) => result !== "ok")).toEqual([]);
});

test("each value says where it comes from, and no secret is printed", async () => {
  const environment: Record<string, string> = { ...(await served()), PARTNER_ENVIRONMENT: "sandbox" };
  const { found, stdout, stderr } = await examined({ environment }, "--debug");
  expect(found["environment"]?.detail).toBe("sandbox (PARTNER_ENVIRONMENT)");
  expect(found["base URL"]?.detail).toBe(`${environment["PARTNER_BASE_URL"]} (PARTNER_BASE_URL)`);
  expect(found["account id"]?.detail).toBe("vendor-7 (PARTNER_ACCOUNT_ID)");
  expect(found["secret key"]?.detail).toBe("from PARTNER_SECRET_KEY");
  expect(found["access token"]?.detail).toBe("from PARTNER_ACCESS_TOKEN");
  expect(stderr).toContain("> GET http");
  for (const secret of Object.values(secrets)) expect(stdout + stderr).not.toContain(secret);
});

test("every format has the three columns", async () => {
  const environment = await served();
  const [csv, table, ndjson] = await Promise.all(
    ["csv", "table", "ndjson"].map((format) => run(["doctor", "--output", format], { now, environment })),
  );
  expect(csv?.stdout).toMatch(/^check,result,detail\nnode,ok,\d+\.\d+\.\d+\nconfig folder,ok,/);
  expect(table?.stdout).toMatch(/^check +result +detail\nnode +ok +\d/);
  expect(
    ndjson?.stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => Object.keys(JSON.parse(line))),
  ).toEqual(everything.map(() => ["check", "result", "detail"]));
});

test("a narrow terminal does not cut the hints", async () => {
  const { stdout } = await run(["doctor"], { now, terminal: { stdout: true }, columns: 40 });
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("partner simulator run -- partner wallets list ");
});

test("no folder is created", async () => {
  const { config, state, environment } = ownFolders();
  const { found } = await examined({ environment });
  expect(found["config folder"]).toEqual({ result: "ok", detail: `${config} will be made when it is needed` });
  expect(found["config file"]).toEqual({ result: "ok", detail: `${config}/config.json: none yet` });
  expect([existsSync(config), existsSync(state)]).toEqual([false, false]);
});

test("a missing profile is a row with exit 0, and the service is not asked", async () => {
  const { exit, stderr, found } = await examined();
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
  expect(found["profile"]?.result).toBe("problem");
  expect(found["profile"]?.detail).toContain("partner profile add NAME");
  expect(found["service"]).toEqual({ result: "warning", detail: "not asked: see profile." });
});

test("--strict prints the rows and exits with 9 when one of them is a problem", async () => {
  const { exit, stderr, found } = await examined({}, "--strict");
  expect(exit).toBe(9);
  expect(found["profile"]?.result).toBe("problem");
  expect(JSON.parse(stderr.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({
    error: { ending: "mismatch", message: "There is a problem: profile.", money: "none" },
  });
});

test("--strict exits with 0 for a warning", async () => {
  const { exit, found } = await examined({ environment: await served(), now: now + 120_000 }, "--strict");
  expect(found["clock"]?.result).toBe("warning");
  expect(exit).toBe(0);
});

test("--save writes the rows even when --strict ends with 9", async () => {
  const file = join(temporaryFolder(), "health.csv");
  expect(await run(["doctor", "--strict", "--save", file], { now })).toMatchObject({ exit: 9, stdout: "" });
  expect(readFileSync(file, "utf8")).toMatch(/^check,result,detail\n/);
});

test("a version of Node that is too old is a problem", async () => {
  const { found } = await examined({ machine: { nodeVersion: "20.19.0" } });
  expect(found["node"]).toMatchObject({ result: "problem" });
  expect(found["node"]?.detail).toContain("partner needs ^22.22.3 || ^24.15.0 || >=26");
});

test("an unreachable service is a problem, and its clock is not compared", async () => {
  const environment = { ...(await served()), PARTNER_BASE_URL: "http://127.0.0.1:1/" };
  const { exit, found } = await examined({ environment });
  expect(exit).toBe(0);
  expect(found["service"]?.result).toBe("problem");
  expect(found["service"]?.detail).toContain("127.0.0.1:1");
  expect(found["clock"]?.result).toBe("warning");
  expect(found["account service"]?.result).toBe("ok");
});

test("an answer that breaks off is a problem", async () => {
  const { found } = await examined({ environment: await served("HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[") });
  expect(found["service"]?.result).toBe("problem");
});

test("credentials that the service does not accept are a problem", async () => {
  const refusal = answer("401 Unauthorized", '{"message":"Unauthorized","statusCode":401}', dated);
  const { found } = await examined({ environment: await served(refusal) });
  expect(found["service"]?.result).toBe("problem");
  expect(found["clock"]?.result).toBe("ok");
});

test("without a secret key the service is asked without one, and a 401 is ok", async () => {
  const { PARTNER_BASE_URL = "", PARTNER_ACCESS_TOKEN = "" } = await served(answer("401 Unauthorized", "{}", dated));
  const { found } = await examined({
    environment: { PARTNER_BASE_URL, PARTNER_ACCESS_TOKEN },
  });
  expect(found["secret key"]?.result).toBe("warning");
  expect(found["service"]).toMatchObject({ result: "ok" });
  expect(found["account service"]).toBeUndefined();
});

test("an invalid base URL is a problem, and its password is not printed", async () => {
  const environment = { ...(await served()), PARTNER_BASE_URL: "https://ada:hunter2@api.example" };
  const { exit, found, stdout, stderr } = await examined({ environment });
  expect(exit).toBe(0);
  expect(found["profile"]?.result).toBe("problem");
  expect(found["profile"]?.detail).toContain("PARTNER_BASE_URL");
  expect(stdout + stderr).not.toContain("hunter2");
});

test("a proxy that can't be reached is named without its password", async () => {
  const environment = {
    ...(await served()),
    PARTNER_BASE_URL: "https://api.example",
    HTTPS_PROXY: "http://ada:hunter2@127.0.0.1:1",
  };
  const { found, stdout, stderr } = await examined({ environment }, "--debug");
  expect(found["proxy"]?.detail).toContain("api.example:443 through 127.0.0.1:1 (HTTPS_PROXY, with a user name)");
  expect(found["service"]?.detail).toContain("The proxy 127.0.0.1:1 failed");
  expect(stdout + stderr).not.toContain("hunter2");
});

test("Ctrl-C ends the run without a result", async () => {
  const environment = await served();
  const outcome = await run(["doctor"], { now, environment, host: { signal: AbortSignal.abort("SIGINT") } });
  expect(outcome).toMatchObject({ exit: 130, stdout: "" });
});
