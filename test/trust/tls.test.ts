import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { compiled, program } from "../program.ts";

// No variable of Node makes a client of ours talk to a server that cannot prove its identity. PostgreSQL's client has
// the same table in test/commands/journal-password.test.ts.

const fixtures = join(import.meta.dirname, "../host/fixtures");
const trusted = join(fixtures, "localhost-certificate.pem");
const key = readFileSync(join(fixtures, "test-only-key.pem"));

/** All settings by which a machine could weaken the check. */
const weakening = {
  NODE_TLS_REJECT_UNAUTHORIZED: "0",
  NODE_OPTIONS: "--tls-min-v1.0 --tls-cipher-list=ALL@SECLEVEL=0 --openssl-shared-config",
  NODE_NO_WARNINGS: "1",
};

const servers: readonly (readonly [what: string, options: object, certificates: readonly string[]])[] = [
  ["of a stranger", { cert: readFileSync(trusted) }, []],
  [
    "of another name",
    { cert: readFileSync(join(fixtures, "elsewhere-certificate.pem")) },
    ["elsewhere-certificate.pem"],
  ],
  ["out of date", { cert: readFileSync(join(fixtures, "expired-certificate.pem")) }, ["expired-certificate.pem"]],
  [
    "of TLS 1.1",
    { cert: readFileSync(trusted), minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" },
    ["localhost-certificate.pem"],
  ],
];

const clients = [
  ["a read of group A", "wallets list"],
  ["a read of group B", "account balance 42"],
  ["money", "transfer --from 1 --to 2 --amount 5 --description Pay --check-statement never --yes"],
  ["a webhook", "webhook send ORIGIN/webhook --max-retries 0"],
] as const;

/** A server that counts its requests. */
async function serve(options: object): Promise<{ readonly port: number; readonly asked: () => number }> {
  let count = 0;
  const server = createServer({ key, ...options }, (_, response) => {
    count += 1;
    response.end("[]");
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no port.");
  return { port: address.port, asked: () => count };
}

async function partnerAt(
  port: number,
  line: string,
  certificate: string | undefined,
  environment: Readonly<Record<string, string>> = {},
) {
  const origin = `https://localhost:${port}`;
  const folder = temporaryFolder();
  const words = line.replace("ORIGIN", origin).split(" ");
  const flags = certificate === undefined ? [] : ["--ca-cert", join(fixtures, certificate)];
  const child = spawn(process.execPath, [program, ...words, ...flags, "--timeout", "5s", "--retries", "0"], {
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      ...compiled,
      ...weakening,
      PARTNER_BASE_URL: origin,
      PARTNER_ACCOUNT_BASE_URL: origin,
      PARTNER_ACCOUNT_ID: "A",
      PARTNER_SECRET_KEY: "secret-key-0001",
      PARTNER_ACCESS_TOKEN: "token-0001",
      PARTNER_WEBHOOK_KEY: "a2V5a2V5a2V5a2V5a2V5a2V5a2V5a2V5",
      PARTNER_ENVIRONMENT: "sandbox",
      ...environment,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => void (stderr += bytes.toString()));
  const [exit]: unknown[] = await once(child, "close");
  return { exit, stderr };
}

for (const [what, options, [certificate]] of servers)
  test.each(clients)(`a server ${what} is sent nothing: %s`, async (_, line) => {
    const { port, asked } = await serve(options);
    const { exit, stderr } = await partnerAt(port, line, certificate);
    expect({ exit, asked: asked() }).toEqual({ exit: 5, asked: 0 });
    expect(stderr).toMatch(/certificate|TLS|protocol/);
  });

/** The settings by which a machine says whom it trusts. OpenSSL takes the folder as the system's store. */
const stores: readonly (readonly [variable: string, path: (folder: string) => string])[] = [
  ["SSL_CERT_FILE", (folder) => join(folder, "ours.pem")],
  ...(process.platform === "linux" ? ([["SSL_CERT_DIR", (folder: string) => folder]] as const) : []),
];

for (const [variable, path] of stores)
  test.each(clients)(`a server trusted by ${variable} gets the request: %s`, async (_, line) => {
    const folder = temporaryFolder();
    copyFileSync(trusted, join(folder, "ours.pem"));
    const { port, asked } = await serve({ cert: readFileSync(trusted) });
    const { stderr } = await partnerAt(port, line, undefined, { [variable]: path(folder) });
    expect({ asked: asked() > 0, stderr }).toMatchObject({ asked: true });
  });

test.each(servers)("a server %s is sent nothing, whatever the system's store", async (_, options) => {
  const { port, asked } = await serve(options);
  const environment = { SSL_CERT_FILE: join(fixtures, "elsewhere-certificate.pem") };
  const { exit } = await partnerAt(port, "wallets list", undefined, environment);
  expect({ exit, asked: asked() }).toEqual({ exit: 5, asked: 0 });
});

test("the same server gets the request when it proves its identity: the table can fail", async () => {
  const { port, asked } = await serve({ cert: readFileSync(trusted) });
  await partnerAt(port, "wallets list", "localhost-certificate.pem");
  expect(asked()).toBe(1);
});
