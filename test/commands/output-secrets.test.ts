import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { afterRequest, serveSockets } from "../host/servers.ts";
import { answer, recorder } from "../contract/recorder.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { environmentAt, leaksIn, planted } from "./served.ts";
import { program } from "../program.ts";

const { secretKey, accessToken, webhookKey } = planted;

/** How a careless service can echo a request, headers and all, in every place that we show. */
const echoes: readonly [string, (head: string) => string][] = [
  ["as text", (head) => answer("502 Bad Gateway", head, "content-type: text/plain\r\n")],
  ["in the message of a 400", (head) => answer("400 Bad Request", JSON.stringify({ statusCode: 400, message: head }))],
  ["in the reason of a 401", (head) => answer("401 Unauthorized", JSON.stringify({ statusCode: 401, reason: head }))],
  ["in the details of a 400", (head) => answer("400 Bad Request", JSON.stringify({ details: { [head]: head } }))],
  [
    "in a list of faults",
    (head) => answer("400 Bad Request", JSON.stringify({ error: "x", details: [{ field: head, message: head }] })),
  ],
  ["in an envelope that says no", (head) => answer("200 OK", JSON.stringify({ success: false, statusCode: head }))],
  ["escaped for a URL", (head) => answer("400 Bad Request", JSON.stringify({ message: encodeURIComponent(head) }))],
  [
    "with its slashes escaped",
    (head) => answer("400 Bad Request", JSON.stringify({ message: head }).replaceAll("/", String.raw`\/`)),
  ],
  [
    "in headers",
    (head) =>
      answer(
        "503 Service Unavailable",
        "",
        `set-cookie: a=${headerIn(head)}\r\nx-echo: ${headerIn(head)}\r\nretry-after: 99\r\n`,
      ),
  ],
  ["in a page that is not JSON", (head) => answer("200 OK", `<html>${head}</html>`)],
  [
    "in a redirect",
    (head) =>
      answer("302 Found", "", `location: https://elsewhere.example/?k=${encodeURIComponent(headerIn(head))}\r\n`),
  ],
];

function headerIn(head: string): string {
  return /(?:x-secret-key|authorization): (?:Bearer )?(.+)/.exec(head)?.[1]?.trim() ?? "";
}

const reads = [
  "wallets list",
  "wallet balance 42",
  "wallet statement 42 --today",
  "account balance 42",
  "account statement 42 --today",
  "institutions",
  "profile check",
];

test.each(echoes)("credentials that the service repeats %s appear in no output", async (_, echo) => {
  const port = await serveSockets((socket) => afterRequest(socket, (head) => socket.end(echo(head))));
  for (const line of reads) {
    for (const flags of ["--debug --output json", "--quiet"]) {
      const environment = environmentAt(`http://127.0.0.1:${port}`);
      const ended = await run(words(`${line} ${flags}`), { environment });
      expect([1, 0]).not.toContain(ended.exit);
      expect(leaksIn(ended)).toEqual([]);
      // Not even their first or last character.
      expect(ended.stdout + ended.stderr).not.toMatch(/c\[secret\]|\[secret\]=/);
    }
  }
});

test.each(["PARTNER_SECRET_KEY", "PARTNER_WEBHOOK_KEY", "PARTNER_JOURNAL_URL"])(
  "half of a character in %s neither ends a run by accident nor shows what is beside it",
  async (name) => {
    const secret = "c2VjcmV0\ud800planted";
    const environment = {
      ...environmentAt("http://127.0.0.1:9"),
      PARTNER_CONFIG_DIR: temporaryFolder(),
      [name]: name === "PARTNER_JOURNAL_URL" ? `postgres://amina:${secret}@h/d` : secret,
    };
    for (const line of ["wallets list", "journal list", "webhook verify -"]) {
      const ended = await run(words(line), { environment });
      expect(ended.exit).not.toBe(1);
      expect(leaksIn(ended)).toEqual([]);
      expect(ended.stderr).not.toContain("c2VjcmV0");
    }
  },
);

/** Results that repeat the request in one of their texts. */
const echoingReads: readonly [string, (head: string) => object][] = [
  ["wallets list", (head) => [{ accountNo: "42", accountName: head, balance: 5 }]],
  ["wallet balance 42", (head) => ({ accountNo: "42", accountName: head, availableBalance: 5 })],
  ["wallet statement 42 --date 2026-03-31", (head) => [{ tranRefNo: "A", narration: head, amountCredited: 5 }]],
  ["account balance 42", (head) => ({ success: true, statusCode: "SUCCESS", result: { accountNo: head } })],
  [
    "account statement 42 --date 2026-03-31",
    (head) => ({ success: true, statusCode: "SUCCESS", result: { statement: [{ reference: "A", narration: head }] } }),
  ],
  ["institutions", (head) => [{ institutionCode: "A", name: head }]],
  ["api GET /wallet", (head) => [{ accountNo: head }]],
];

test.each(echoingReads)("%s shows and saves no credentials that the result repeats", async (line, echo) => {
  for (const spelled of [JSON.stringify, (document: object) => JSON.stringify(document).replaceAll("/", "\\/")]) {
    const port = await serveSockets((socket) =>
      // In two parts; the first one ends within the secret.
      afterRequest(socket, (head) => {
        const whole = answer("200 OK", spelled(echo(head)));
        const within = /c2VjcmV0|planted\.a/.exec(whole)?.index ?? 0;
        socket.write(whole.slice(0, within + 5), () => setImmediate(() => socket.end(whole.slice(within + 5))));
      }),
    );
    const environment = environmentAt(`http://127.0.0.1:${port}`);
    const saved = join(temporaryFolder(), "saved.json");
    const shown = await run(words(`${line} --json`), { environment });
    const kept = await run(words(`${line} --save ${saved} --debug`), { environment });
    expect([shown.exit, kept.exit]).toEqual([0, 0]);
    expect(shown.stdout).toContain("[secret]");
    for (const output of [shown, kept, { stdout: readFileSync(saved, "latin1"), stderr: "" }])
      expect(leaksIn(output)).toEqual([]);
  }
});

test.each(echoes)(
  "an order whose answer repeats our credentials %s keeps them out of journal and output",
  async (_, echo) => {
    const port = await serveSockets((socket) =>
      afterRequest(socket, (head) =>
        socket.end(head.startsWith("POST /transaction") ? echo(head) : answer("200 OK", "[]")),
      ),
    );
    const folder = temporaryFolder();
    const state = join(folder, "state");
    const environment = {
      ...environmentAt(`http://127.0.0.1:${port}`),
      PARTNER_CONFIG_DIR: folder,
      PARTNER_STATE_DIR: state,
    };
    const order =
      "transfer --from 9000112233 --to 9000112244 --amount 5 --description rent --reference R-1 --yes --json --check-statement never";
    for (const line of [
      order,
      "journal show R-1 --json",
      "journal show R-1",
      "journal export --json",
      "journal export --events",
    ])
      expect(leaksIn(await run(words(line), { environment }))).toEqual([]);
    const journal = readFileSync(join(state, "journal.db"), "latin1");
    expect(leaksIn({ stdout: journal, stderr: "" })).toEqual([]);
  },
);

test("a transcript shows each header of a request with secrets masked", async () => {
  const service = await recorder(answer("200 OK", "[]"));
  onTestFinished(() => service.stop());
  const environment = environmentAt(service.origin);
  const groupA = await run(words("wallets list --debug"), { environment });
  expect(groupA.stderr).toMatch(/> GET http:.*\n(> [a-z-]+: .*\n)+/);
  expect(groupA.stderr).toContain("> x-secret-key: [secret]\n");
  expect(groupA.stderr).toContain("> x-account-id: vendor-7\n");
  const groupB = await run(words("account statement 42 --today --debug"), { environment });
  expect(groupB.stderr).toContain("> authorization: [secret]\n");
  for (const ended of [groupA, groupB]) expect(leaksIn(ended)).toEqual([]);
});

const wrongPlaces: readonly [string, Record<string, string>][] = [
  ["wallets list", { PARTNER_BASE_URL: `https://clerk:${accessToken}@service.example` }],
  ["wallets list", { PARTNER_BASE_URL: secretKey }],
  ["wallets list", { PARTNER_ACCOUNT_BASE_URL: accessToken }],
  ["account balance 1", { PARTNER_ACCOUNT_BASE_URL: `http://${accessToken}` }],
  ["wallets list", { PARTNER_ENVIRONMENT: secretKey }],
  ["wallets list", { PARTNER_SECRET_KEY: `${secretKey}\n${accessToken}` }],
  ["account balance 1", { PARTNER_ACCESS_TOKEN: `Bearer ${accessToken}` }],
  ["wallets list", { PARTNER_SECRET_KEY: `${secretKey}ü` }],
  ["wallets list", { PARTNER_ACCOUNT_ID: `${secretKey}\u0007` }],
  ["wallets list", { HTTPS_PROXY: `http://clerk:${accessToken}@127.0.0.1:1`, PARTNER_BASE_URL: "https://a.invalid" }],
  ["wallets list", { HTTPS_PROXY: `nonsense ${accessToken}`, PARTNER_BASE_URL: "https://a.invalid" }],
];

test.each(wrongPlaces)("%s does not print a secret set in the wrong variable: %j", async (line, environment) => {
  for (const flags of ["--debug --json", "--debug"]) {
    const ended = await run(words(`${line} ${flags}`), {
      environment: { ...environmentAt("http://127.0.0.1:1"), ...environment },
    });
    expect([3, 5]).toContain(ended.exit);
    expect(leaksIn(ended)).toEqual([]);
  }
});

test("an internal error with a secret in its message is shown without the secret", async () => {
  const service = await recorder(answer("200 OK", "[]"));
  onTestFinished(() => service.stop());
  const ended = await run(words("wallets list --debug --json"), {
    environment: environmentAt(service.origin),
    host: { transport: async () => () => Promise.reject(new Error(`header ${secretKey} is odd`)) },
  });
  expect(ended.exit).toBe(1);
  expect(ended.stderr).toContain("header [secret] is odd");
  expect(leaksIn(ended)).toEqual([]);
});

/** The real program with every debugging variable that libraries and Node itself read. */
async function debugged(line: string, environment: Record<string, string>, nodeDebug: string, stdin = "") {
  const child = spawn(process.execPath, [program, ...words(line)], {
    env: { PATH: process.env["PATH"], HOME: temporaryFolder(), DEBUG: "*", NODE_DEBUG: nodeDebug, ...environment },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const parts: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => parts.push(part));
  child.stdin.end(stdin);
  const [exit] = await once(child, "close");
  return { exit, stdout: Buffer.concat(parts).toString("latin1"), stderr: "" };
}

describe("with DEBUG=* and NODE_DEBUG no secret is printed", () => {
  const secrets = JSON.stringify({ secretKey, accessToken, webhookKey });
  const talkative = "http,net,tls,child_process,undici,fetch,stream,timer,crypto";

  test("by a read", async () => {
    const service = await recorder(answer("200 OK", "[]"));
    onTestFinished(() => service.stop());
    const ended = await debugged("wallets list --debug", environmentAt(service.origin), "*");
    expect(ended.exit).toBe(0);
    for (const talker of ["HTTP", "NET", "STREAM", "TIMER"])
      expect(ended.stdout).toMatch(new RegExp(`^${talker} \\d+: `, "m"));
    expect(ended.stdout).toContain("x-secret-key: [secret]");
    expect(leaksIn(ended)).toEqual([]);
  });

  test("by profile add", async () => {
    const flags = "--environment live --base-url https://a.example --account-id v --secrets-from -";
    const ended = await debugged(`profile add shop ${flags}`, {}, talkative, secrets);
    expect(ended.exit).toBe(0);
    expect(leaksIn(ended)).toEqual([]);
  });

  test("by a credential command, which does not inherit secrets from the environment", async () => {
    const folder = temporaryFolder();
    const service = await recorder(answer("200 OK", '{"result":{}}'));
    onTestFinished(() => service.stop());
    const script = join(folder, "secrets.sh");
    writeFileSync(script, `#!/bin/sh\nprintf '%s' '${secrets.replace("{", '{"version":1,')}'\n`);
    chmodSync(script, 0o700);
    const profile = {
      environment: "live",
      baseUrl: service.origin,
      accountId: "v",
      secretStore: "command",
      credentialCommand: script,
    };
    const config = { version: 1, current: "shop", profiles: { shop: profile } };
    writeFileSync(join(folder, "config.json"), JSON.stringify(config), { mode: 0o600 });
    const environment = { PARTNER_CONFIG_DIR: folder, PARTNER_ACCOUNT_ID: "v", PARTNER_SECRET_KEY: secretKey };
    const ended = await debugged("account balance 1 --debug", environment, talkative);
    expect(ended.exit).toBe(0);
    expect(ended.stdout).toContain("CHILD_PROCESS");
    expect(leaksIn(ended)).toEqual([]);
  });
});
