import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { credentials } from "../../src/simulator/credentials.ts";
import { start as startServer } from "../host/servers.ts";
import { program } from "../program.ts";
import { run, words } from "../partner.ts";
import { receiver } from "../webhooks/receiver.ts";
import { whileRunning } from "./while-running.ts";

// What a simulator prints on stderr while it serves requests.

const headers = {
  "x-account-id": credentials.accountId,
  "x-secret-key": credentials.secretKey,
  "x-request-id": "1",
  "content-type": "application/json",
};
const collection = (callbackUrl: string, reference = "ORDER-42") =>
  `{"msisdn":"255712345678","channel":"TZ-TIGO-C2B","amount":1500,"narration":"lunch","transactionRef":"${reference}","transactionDate":"2026-03-31 11:59:00","callbackUrl":"${callbackUrl}"}`;
const post = (url: string, body: string) => fetch(url, { method: "POST", headers, body });

test("each request and each delivery is printed as a line, without the base path", async () => {
  const hook = await receiver(() => 200);
  onTestFinished(() => hook.stop());
  const callback = hook.url.replace("/webhook", "/hook");
  const ended = await whileRunning(
    `simulator start --path /tembo/v1 --webhook-url ${hook.url}`,
    async (origin, said) => {
      const base = `${origin}/tembo/v1`;
      await fetch(`${base}/wallet`, { headers });
      await fetch(`${base}/wallet`, { headers, method: "HEAD" });
      await fetch(`${base}/wallet`);
      await post(`${base}/wallet/balance`, '{"accountNo":"42"}');
      await post(`${base}/wallet/statement`, '{"accountNo":"9000112233","startDate":"2026-03-01"}');
      await fetch(`${origin}/wallet?x=1`, { headers });
      await post(`${base}/transaction/transfer-local`, "{");
      await post(`${base}/collection`, collection(callback));
      await post(`${base}/collection`, collection(callback));
      await expect.poll(said).toMatch(/→.*\n.*→.*\n/);
    },
  );
  const lines = ended.stderr.trimEnd().split("\n");
  expect(lines.slice(0, 9)).toEqual([
    "GET /wallet 200",
    "HEAD /wallet 200",
    "GET /wallet 401 INVALID_CREDENTIALS",
    "POST /wallet/balance 404 NOT_FOUND",
    'POST /wallet/statement 400 VALIDATION_ERROR: "endDate" is required',
    "GET /wallet 404 Not Found",
    'POST /transaction/transfer-local 400 VALIDATION_ERROR: "body" is not valid JSON',
    "POST /collection 200 ORDER-42 PENDING_ACK",
    "POST /collection 409 ORDER-42 DUPLICATE_REQUEST",
  ]);
  expect(lines.slice(9).toSorted()).toEqual([`callback → ${callback} 200`, `webhook → ${hook.url} 200`]);
});

test("a failed delivery is printed with its reason and the next attempt", async () => {
  const hook = await receiver((index) => [503, undefined, 404][index]);
  onTestFinished(() => hook.stop());
  const ended = await whileRunning("simulator start", async (origin, said) => {
    await post(`${origin}/partner/v1/collection`, collection(hook.url));
    await expect.poll(said).toMatch(/not tried again\n$/);
  });
  expect(ended.stderr.split("\n").slice(1)).toEqual([
    `callback → ${hook.url} 503 failed: the receiver did not take it; it is tried again in 2s`,
    expect.stringMatching(/^callback → \S+ failed: \S.*[^.]; it is tried again in 4s$/),
    `callback → ${hook.url} 404 failed: the receiver did not take it; it is not tried again`,
    "",
  ]);
});

test("an unreachable receiver is printed with the system's reason", async () => {
  const ended = await whileRunning("simulator start", async (origin, said) => {
    await post(`${origin}/partner/v1/collection`, collection("http://127.0.0.1:9/hook"));
    await expect.poll(said).toContain("callback");
  });
  expect(ended.stderr).toMatch(
    /\ncallback → http:\/\/127\.0\.0\.1:9\/hook failed: Could not connect to 127\.0\.0\.1:9 \(ECONNREFUSED\); it is tried again in 2s\n/,
  );
});

test("line breaks in a reference are printed escaped", async () => {
  const ended = await whileRunning("simulator start", async (origin) => {
    await post(
      `${origin}/partner/v1/collection`,
      collection("https://127.0.0.1:1/", String.raw`A\nPOST /x 200 \u001b[31m`),
    );
  });
  expect(ended.stderr).toMatch(/^POST \/collection 200 A\\nPOST \/x 200 \\u001b\[31m PENDING_ACK\n/);
});

test("--quiet prints no request", async () => {
  const ended = await whileRunning("simulator start --quiet", async (origin) => {
    await fetch(`${origin}/partner/v1/wallet`, { headers });
  });
  expect(ended.stderr).toBe("");
});

test("the simulator does not block when its stderr is not read", async () => {
  const child = spawn(process.execPath, [program, "simulator", "start"], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = await once(child.stdout, "data");
  const [, origin = ""] = /account-base-url (\S+)/.exec(String(said)) ?? [];
  // Nothing reads stderr: its pipe holds 64 KiB, these are 200.
  const path = "x".repeat(10_000);
  for (let count = 0; count < 20; count += 1) expect((await fetch(`${origin}/${path}`)).status).toBe(404);
  child.kill("SIGTERM");
  child.stderr.resume();
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("--ca-cert applies to callbacks", async () => {
  const fixtures = join(import.meta.dirname, "../host/fixtures");
  const certificate = join(fixtures, "localhost-certificate.pem");
  const paths: (string | undefined)[] = [];
  const server = createServer(
    { cert: readFileSync(certificate), key: readFileSync(join(fixtures, "test-only-key.pem")) },
    (request, response) => {
      paths.push(request.url);
      response.end("{}");
    },
  );
  const url = `https://localhost:${await startServer(server)}/hook`;
  const ended = await whileRunning(`simulator start --ca-cert ${certificate}`, async (origin, said) => {
    await post(`${origin}/partner/v1/collection`, collection(url));
    await expect.poll(said).toContain("callback");
    expect(paths).toEqual(["/hook"]);
  });
  expect(ended.stderr).toContain(`callback → ${url} 200\n`);
  expect(await run(words("simulator start --ca-cert /nowhere.pem"))).toMatchObject({ exit: 2, stdout: "" });
});

test.for([
  ["--path tembo", '--path "tembo" isn\'t a valid path'],
  ["--path /a/../b", '--path "/a/../b" isn\'t a valid path'],
  ["--path //", '--path "//" isn\'t a valid path'],
  ["--listen 4010", '--listen "4010" isn\'t a valid address'],
  ["--listen 127.0.0.1:0 --port 0", "--listen and --port contradict each other."],
] as const)("%s is refused", async ([flags = "", says]) => {
  const ended = await run(words(`simulator start ${flags}`));
  expect(ended).toMatchObject({ exit: 2, stdout: "", stderr: expect.stringContaining(says ?? "") });
});

test("--listen 0.0.0.0 prints an address that works locally", async () => {
  const ended = await whileRunning("simulator start --listen 0.0.0.0:0", async (origin) => {
    const { port } = new URL(origin);
    expect((await fetch(`http://127.0.0.1:${port}/partner/v1/wallet`, { headers })).status).toBe(200);
  });
  expect(ended.stdout).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+\/partner\/v1 /);
});
