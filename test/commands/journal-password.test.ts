import { spawn } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readFileSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { createServer } from "node:tls";
import { expect, onTestFinished } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { postgresCertificate } from "../postgres.ts";
import { program } from "../program.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import type { Trick } from "./impostor.ts";
import { impostor } from "./impostor.ts";

const isRoot = process.getuid?.() === 0;
const stranger = 65_534;

const tricks: readonly (readonly [Trick, string])[] = [
  ["asks for it", "asks for the password without having proved who it is"],
  ["asks for its MD5", "asks for the password without having proved who it is"],
  ["asks for a cheap proof", "a proof of the password that would give the password away"],
  ["proves nothing itself", "without proving that it knows the password"],
];
test.for(tricks)(
  "a server in the database's place that %s does not get the password",
  async ([trick, words], { partnerIn }) => {
    const { port, heard } = await impostor(trick);
    const address = `postgres://amina:verysecret@localhost:${port}/journal`;
    const { exit, stdout, stderr } = await partnerIn({ environment: { PARTNER_JOURNAL_URL: address } })`journal list`;
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
    expect(stderr).toContain(words);
    expect(heard.join("")).not.toContain("verysecret");
    expect(heard.join("")).not.toMatch(/md5|,p=/);
  },
);

const spoilings = [
  ["of this user", () => undefined, true],
  ["that is a stranger's", (_folder: string, socket: string) => chownSync(socket, stranger, stranger), false],
  ["in a stranger's folder", (folder: string) => chownSync(folder, stranger, stranger), false],
  ["in a folder where strangers may write", (folder: string) => chmodSync(folder, 0o777), false],
] as const;
test.for(isRoot ? spoilings : [])(
  "over a Unix socket %s, the server gets the password only if the socket is safe",
  async ([, spoil, isOwn], { partnerIn }) => {
    const folder = join(temporaryFolder(), "run");
    mkdirSync(folder, { mode: 0o755 });
    const socket = join(folder, ".s.PGSQL.5432");
    const { heard } = await impostor("asks for it", socket);
    spoil(folder, socket);
    const address = `postgres://amina:verysecret@localhost/journal?host=${folder}`;
    const { exit, stderr } = await partnerIn({ environment: { PARTNER_JOURNAL_URL: address } })`journal list`;
    expect(exit).toBe(3);
    expect(heard.join("").includes("verysecret")).toBe(isOwn);
    expect(stderr.includes("belongs to a user who is not root, postgres or you")).toBe(!isOwn);
  },
);

test("TLS older than 1.2 is refused, whatever Node's options are", async () => {
  const key = readFileSync(join(import.meta.dirname, "../host/fixtures/test-only-key.pem"));
  const weak = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL@SECLEVEL=0" } as const;
  const server = createServer({ key, cert: readFileSync(postgresCertificate), ...weak });
  let agreed = 0;
  server.on("secureConnection", (socket) => {
    agreed += 1;
    socket.destroy();
  });
  server.on("tlsClientError", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const folder = temporaryFolder();
  const environment = {
    PATH: process.env["PATH"],
    HOME: folder,
    NODE_OPTIONS: "--tls-min-v1.0 --tls-cipher-list=ALL@SECLEVEL=0",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
    PARTNER_BASE_URL: `https://localhost:${port}`,
    PARTNER_ACCOUNT_ID: "A",
    PARTNER_SECRET_KEY: "secret-key-0001",
    PARTNER_ACCESS_TOKEN: "token-0001",
    PARTNER_ENVIRONMENT: "sandbox",
  };
  const child = spawn(process.execPath, [program, "wallets", "list", "--ca-cert", postgresCertificate], {
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (bytes: Buffer) => void (stderr += bytes.toString()));
  await once(child, "close");
  expect(stderr).toMatch(/TLS|protocol/);
  expect(agreed).toBe(0);
});

withPostgres("a shared journal's password", (server) => {
  test("is proved to a server of this machine without TLS, which does not get the password on request", async ({
    partnerIn,
  }) => {
    const address = await server.newDatabase();
    const partner = partnerIn({ environment: { PARTNER_JOURNAL_URL: address } });
    expect(await partner`journal migrate`).toMatchObject({ exit: 0 });
    expect(await partner`journal list`).toMatchObject({ exit: 0 });
    const { port, heard } = await impostor("asks for it");
    const asking = Object.assign(new URL(address), { port }).href;
    const { exit, stderr } = await partnerIn({ environment: { PARTNER_JOURNAL_URL: asking } })`journal list`;
    expect(exit).toBe(3);
    expect(stderr).toContain("asks for the password without having proved who it is");
    expect([server.password, heard]).toEqual([expect.stringMatching(/./), []]);
  });
});
