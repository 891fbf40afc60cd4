import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../src/journal/requests/request-hash.ts";
import { collectionService, post, says } from "../commands/collection-service.ts";
import { column, openDesk, payouts, transfers } from "../commands/batch-service.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { stopTime } from "../stopped-time.ts";
import { vanishing } from "../vanishing.ts";
import { person } from "../person.ts";
import { startRun } from "./child.ts";
import { expectInvariants } from "./invariants.ts";
import { kinds, objectIn } from "./kinds.ts";
import { accept, environmentAt, honest } from "./service.ts";
import { silentTls } from "./silent-tls.ts";
import type { Reaction } from "./teller.ts";
import { saying, teller } from "./teller.ts";
import type { Till } from "./till.ts";
import { hastySqlite, lock, notLocked, openTill } from "./till.ts";

// A known outcome that the journal cannot take: reported as it is, kept next to the journal, entered by the next run.

const [transfer] = kinds;
/** For runs that find the journal locked until they end. */
const sqlite = () => Promise.resolve(hastySqlite());

function slipsIn({ stateFolder }: Till): string[] {
  return readdirSync(stateFolder)
    .filter((name) => name.startsWith("slip-"))
    .map((name) => join(stateFolder, name));
}

/** Runs a line whose answer arrives while the journal is locked; `stop` ends the wait for it. */
async function locked(line: string, then: Reaction = accept) {
  const till = openTill({});
  const { host, stop } = person();
  let unlock = notLocked;
  const told = await teller({
    react(socket, request) {
      unlock = lock(till);
      stop("SIGTERM");
      then(socket, request);
    },
  });
  Object.assign(till.environment, environmentAt(told.origin));
  const first = await till.run(line, { host: { ...host, sqlite } });
  told.react(accept);
  return { till, told, first, unlock };
}

/** A slip next to the journal, and its till. */
async function slipped(then?: Reaction) {
  const { till, told, first, unlock } = await locked(transfer.line("R-1"), then);
  unlock();
  const [path = expect.unreachable("No slip was left")] = slipsIn(till);
  return { till, told, first, path };
}

for (const kind of kinds) {
  test(`${kind.kind}: an outcome that a locked journal does not take is reported, kept, and entered by the next run`, async () => {
    const { till, told, first, unlock } = await locked(kind.line("R-1"));
    expect(first).toMatchObject({ exit: 0, stdout: expect.stringContaining(`"state": "${kind.state}"`) });
    const [path = "", ...others] = slipsIn(till);
    expect(others).toEqual([]);
    expect(first.stderr).toContain(`It is kept in ${path}, and the next run enters it.`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    unlock();
    expect(objectIn((await till.run("journal show R-1 --json")).stdout)["state"]).toBe(kind.state);
    const again = await till.run(kind.line("R-1"));
    expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
    expect(again.stderr).toContain("is in the journal now");
    expect(slipsIn(till)).toEqual([]);
    await expectInvariants(first, { kind, reference: "R-1", till, service: honest(told) });
    const { stdout } = await till.run("journal show R-1 --json");
    const history = objectIn(stdout)["history"];
    expect(history).toMatchObject([{ step: "claim" }, { step: "send" }, { step: "settle", evidence: "answer" }]);
  });
}

test("a slip that another run enters and removes meanwhile isn't reported as damaged", async () => {
  const { till } = await slipped();
  const away = await till.run("journal list --csv", { host: { files: vanishing(/slip-[^/]*$/) } });
  expect([away.exit, away.stderr]).toEqual([0, ""]);
});

test.each([
  [
    "a refusal",
    saying("400 Bad Request", '{"statusCode":400,"reason":"INSUFFICIENT_FUNDS","details":{}}'),
    4,
    "refused",
  ],
  ["a lost answer", ((socket) => socket.destroy()) satisfies Reaction, 6, "unknown"],
] as const)("%s that the journal does not take ends with its usual exit code", async (_, then, exit, state) => {
  const { till, told, first } = await slipped(then);
  expect(first).toMatchObject({ exit, stdout: expect.stringContaining(`"state": "${state}"`) });
  const again = await till.run(`journal list --state ${state} --json`);
  expect(JSON.parse(again.stdout)).toMatchObject([
    { reference: "R-1", requestId: objectIn(first.stdout)["requestId"] },
  ]);
  await till.run(`${transfer.line("R-2")} --again`);
  expect(slipsIn(till)).toEqual([]);
  expect(await till.movements()).toMatchObject([{ state, reference: "R-1" }, { state: "accepted" }]);
  expect(told.requests).toHaveLength(2);
});

test("an order whose connection was never made is unsent, also when the journal is locked", async () => {
  const { origin, flags, requests, dialled, heal } = await silentTls(1);
  const till = openTill(environmentAt(origin));
  till.flags = flags;
  const { host, stop } = person();
  const running = till.run(transfer.line("R-1"), { host: { ...host, sqlite } });
  await dialled;
  const unlock = lock(till);
  stop("SIGINT");
  expect(await running).toMatchObject({ exit: 130, stdout: expect.stringContaining('"state": "unsent"') });
  unlock();
  heal();
  expect((await till.run(transfer.line("R-1"))).exit).toBe(0);
  expect(slipsIn(till)).toEqual([]);
  expect(requests).toHaveLength(1);
});

test("an outcome is written again, and leaves no slip when the journal takes it in the end", async () => {
  const till = openTill({});
  let unlock: (() => void) | undefined;
  const told = await teller({
    react(socket, request) {
      unlock = lock(till);
      accept(socket, request);
    },
  });
  Object.assign(till.environment, environmentAt(told.origin));
  const first = await till.run(transfer.line("R-1"), { host: { sqlite }, meanwhile: () => unlock?.() });
  expect(first.exit).toBe(0);
  expect(first.stderr).not.toContain("journal");
  expect(slipsIn(till)).toEqual([]);
  expect(await till.movements()).toMatchObject([{ state: "accepted" }]);
});

test("it is tried for as long as the money timeout allows, and no longer", async () => {
  const till = openTill({});
  const told = await teller({
    react(socket, request) {
      lock(till);
      accept(socket, request);
    },
  });
  Object.assign(till.environment, environmentAt(told.origin));
  stopTime();
  const first = await run(words(`${transfer.line("R-1")} --timeout 2500ms`), {
    host: { sqlite },
    environment: till.environment,
  });
  expect(first.exit).toBe(0);
  expect(first.host.clock.sleeps).toEqual(Array.from({ length: 10 }, () => 250));
  expect(first.stderr).toContain("trying for 2s 500ms at most");
  expect(first.stderr).toContain("It is kept in");
});

test("a process that is killed while it tries has saved the outcome", async () => {
  const till = openTill({});
  let unlock = notLocked;
  const told = await teller({
    react(socket, request) {
      unlock = lock(till);
      accept(socket, request);
    },
  });
  Object.assign(till.environment, environmentAt(told.origin));
  const child = startRun(transfer.line("R-1"), till);
  await expect.poll(() => existsSync(till.stateFolder) && slipsIn(till).length > 0).toBe(true);
  child.kill("SIGKILL");
  await child.run;
  unlock();
  const again = await till.run(transfer.line("R-1"));
  expect(again).toMatchObject({ exit: 0, stdout: expect.stringContaining('"state": "accepted"') });
  expect(told.requests).toHaveLength(1);
});

test("processes that find the same slip enter it once", async () => {
  const { till, told } = await slipped();
  const runs = await Promise.all([1, 2, 3, 4].map(() => startRun(transfer.line("R-1"), till).run));
  expect(runs.map(({ exit }) => exit)).toEqual([0, 0, 0, 0]);
  const { stdout } = await till.run("journal show R-1 --json");
  expect(objectIn(stdout)["history"]).toMatchObject([{ step: "claim" }, { step: "send" }, { step: "settle" }]);
  expect(told.requests).toHaveLength(1);
});

describe("a command that only reads", () => {
  test("shows the outcome, and says where it is", async () => {
    const { till, path } = await slipped();
    for (const line of ["journal list --json", "journal show R-1 --json", "journal export --json"]) {
      const { stdout, stderr } = await till.run(line);
      expect(stdout).toContain('"state": "accepted"');
      expect(stderr).toContain(`The outcome of the transfer R-1 (accepted) is in ${path}`);
    }
    expect(await till.run("journal list --state unknown --fail-if-any")).toMatchObject({ exit: 0 });
    expect(JSON.parse((await till.run("journal list --state accepted --limit 5 --json")).stdout)).toHaveLength(1);
    expect(existsSync(path)).toBe(true);
  });

  test("such as doctor reports it", async () => {
    const { till, path } = await slipped();
    const checks: unknown = JSON.parse((await till.run("doctor --json")).stdout);
    expect(checks).toContainEqual({
      check: "journal",
      result: "warning",
      detail: expect.stringContaining(`The outcome of the transfer R-1 (accepted) is in ${path}`),
    });
  });
});

describe("a slip that cannot be entered", () => {
  const spoiled: Readonly<Record<string, (path: string) => string>> = {
    "cut off": (path) => {
      writeFileSync(path, readFileSync(path).subarray(0, -40));
      return "it is damaged, or was cut off";
    },
    empty: (path) => {
      writeFileSync(path, "");
      return "it is damaged, or was cut off";
    },
    "with a letter that is another one": (path) => {
      writeFileSync(path, readFileSync(path, "utf8").replace("accepted", "refused_"));
      return "it is damaged, or was cut off";
    },
    "of a later version": (path) => {
      const [json = ""] = readFileSync(path, "utf8").split("\n");
      rewrite(path, json.replace('"version":1', '"version":2'));
      return "it was written by a later version of partner";
    },
    "that others may change": (path) => {
      chmodSync(path, 0o666);
      return "others may change it";
    },
    "of another journal": (path) => {
      const [json = ""] = readFileSync(path, "utf8").split("\n");
      rewrite(path, json.replace(/"journal":"[^"]+"/, '"journal":"another"'));
      return "for another journal";
    },
    "of an order that the journal does not have": (path) => {
      const [json = ""] = readFileSync(path, "utf8").split("\n");
      rewrite(path, json.replace(/"movement":"[^"]+"/, '"movement":"another"'));
      return "an order that this journal does not know";
    },
    "with a claim that nobody had": (path) => {
      const [json = ""] = readFileSync(path, "utf8").split("\n");
      rewrite(path, json.replace(/"claim":"1\.[^"]+"/, '"claim":"1.guessed"'));
      return "an order that this journal does not know";
    },
  };

  test.each(Object.keys(spoiled))("%s is reported and kept, and orders go on", async (name) => {
    const { till, told, path } = await slipped();
    const says = spoiled[name]?.(path) ?? "";
    const content = readFileSync(path);
    for (const reference of ["R-2", "R-3"]) {
      const run = await till.run(`${transfer.line(reference)} --again`);
      expect(run.exit).toBe(0);
      expect(run.stderr).toContain(path);
      expect(run.stderr).toContain(says);
    }
    expect(readFileSync(path)).toEqual(content);
    expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 6 });
    expect((await till.run("journal list")).stderr).toContain(path);
    expect(told.requests).toHaveLength(3);
  });

  test.runIf(process.getuid?.() === 0)("of another user is reported and kept", async () => {
    const { till, path } = await slipped();
    chownSync(path, 65_534, 65_534);
    expect((await till.run(`${transfer.line("R-2")} --again`)).stderr).toContain("it belongs to another user");
    expect(existsSync(path)).toBe(true);
  });

  test("is kept while the journal is still locked", async () => {
    const { till, path } = await slipped();
    const unlock = lock(till);
    expect((await till.run(transfer.line("R-1"), { host: { sqlite } })).exit).toBe(5);
    unlock();
    expect(existsSync(path)).toBe(true);
    expect((await till.run(transfer.line("R-1"))).exit).toBe(0);
  });
});

describe("an order that others have decided about meanwhile", () => {
  test("and called refused, though it was paid, is unknown, with the contradiction in its history", async () => {
    const { till, path } = await slipped();
    await decided(path, () => till.run("journal resolve R-1 --as refused --evidence ticket-7"));
    const run = await till.run(`${transfer.line("R-2")} --again`);
    expect(run.stderr).toContain("The outcome of the transfer R-1 (accepted) is in the journal now");
    expect(slipsIn(till)).toEqual([]);
    expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 6 });
    const { stdout } = await till.run("journal show R-1 --json");
    expect(objectIn(stdout)).toMatchObject({ state: "unknown", note: expect.stringMatching(/^ticket-7\. HTTP 200/) });
    expect(objectIn(stdout)["history"]).toContainEqual(expect.objectContaining({ step: "contradict", to: "accepted" }));
  });

  test("and sent again keeps the outcome of the second attempt", async () => {
    const { till, told, path } = await slipped(saying("500 Internal Server Error", ""));
    await decided(path, async () => {
      await till.run("journal resolve R-1 --as refused --evidence ticket-7");
      expect((await till.run(transfer.line("R-1"))).exit).toBe(0);
    });
    expect(await till.run(transfer.line("R-1"))).toMatchObject({ exit: 0 });
    expect(await till.movements()).toMatchObject([{ state: "accepted" }]);
    expect(slipsIn(till)).toEqual([]);
    expect(told.requests).toHaveLength(2);
  });

  test("and gave the same outcome is left as it is", async () => {
    const { till, path } = await slipped();
    const copy = readFileSync(path);
    expect((await till.run(transfer.line("R-1"))).exit).toBe(0);
    writeFileSync(path, copy, { mode: 0o600 });
    expect((await till.run(transfer.line("R-1"))).exit).toBe(0);
    expect(slipsIn(till)).toEqual([]);
    const { stdout } = await till.run("journal show R-1 --json");
    expect(objectIn(stdout)["history"]).toHaveLength(3);
  });
});

describe("a second copy of a slip of an order that ended long ago", () => {
  const later = { now: Date.UTC(2027, 4, 31, 9) };
  test.for([
    ["redacted", "journal redact --older-than 400d --yes"],
    ["archived", "journal archive --before 2027-01-01 --save FILE"],
  ] as const)("changes nothing about an order that was %s", async ([, line]) => {
    const { till, told, path } = await slipped();
    const copy = readFileSync(path);
    expect((await till.run(transfer.line("R-1"))).exit).toBe(0);
    const over = await till.run(line.replace("FILE", join(temporaryFolder(), "2026.ndjson")), later);
    expect(over.exit).toBe(0);
    const kept = await till.run("journal show R-1 --json", later);
    writeFileSync(path, copy, { mode: 0o600 });
    expect((await till.run(transfer.line("R-1"), later)).exit).toBe(0);
    expect(slipsIn(till)).toEqual([]);
    expect((await till.run("journal show R-1 --json", later)).stdout).toBe(kept.stdout);
    expect(told.requests).toHaveLength(1);
  });
});

describe("a batch", () => {
  test("goes on when the journal takes the outcome in the end", async () => {
    const { first } = await lockedBatch((unlock) => unlock);
    expect(first.exit).toBe(0);
    expect(column(first.stdout, "state")).toEqual(["accepted", "accepted", "accepted"]);
  });

  test("whose journal stays locked says where the outcome is, and continues later", async () => {
    let unlock = notLocked;
    const { till, told, first, line } = await lockedBatch((release) => void (unlock = release));
    expect(first).toMatchObject({ exit: 8, stdout: "" });
    expect(first.stderr).toMatch(/the outcome of the transfer R-2 \(accepted\), id \S+, request \S+, transaction \S+/);
    expect(first.stderr).toContain("2 accepted, 1 unsent");
    unlock();
    const next = await till.run(line);
    expect(next.exit).toBe(0);
    expect(column(next.stdout, "state")).toEqual(["accepted", "accepted", "accepted"]);
    expect(told.requests).toHaveLength(3);
  });
});

test("slips move with their journal to another folder", async () => {
  const { till, told } = await slipped();
  const folder = join(temporaryFolder(), "state");
  renameSync(till.stateFolder, folder);
  const next = openTill(
    { ...till.environment, PARTNER_CONFIG_DIR: temporaryFolder(), PARTNER_STATE_DIR: folder },
    temporaryFolder(),
  );
  expect((await next.run(transfer.line("R-1"))).exit).toBe(0);
  expect(told.requests).toHaveLength(1);
});

describe("the word of a callback", () => {
  const line = kinds[2]?.line("INV-1").replace(/--callback-url \S+/, "--wait --wait-for 5s") ?? "";

  /** A collection whose callback arrives while the journal is locked. */
  async function called(word: string) {
    const till = openTill({});
    let unlock = notLocked;
    const calling = Promise.withResolvers<string>();
    const service = await collectionService(async ({ callbackUrl }) => {
      calling.resolve(callbackUrl);
      return says("PENDING_ACK");
    });
    Object.assign(till.environment, service.environment);
    const { host, stop } = person();
    let isCalled = false;
    const meanwhile = async () => {
      if (isCalled) return;
      isCalled = true;
      unlock = lock(till, "writers");
      await post(await calling.promise, says(word));
      stop("SIGTERM");
    };
    const first = await till.run(line, { host: { ...host, sqlite }, meanwhile });
    unlock();
    return { till, first };
  }

  test.each([
    ["PAYMENT_ACCEPTED", 0, "accepted"],
    ["PAYMENT_REJECTED", 4, "refused"],
  ])("%s is reported, kept, and entered by the next run", async (word, exit, state) => {
    const { till, first } = await called(word);
    expect(first.exit).toBe(exit);
    expect(objectIn(first.stdout)).toMatchObject({ state, evidence: "callback" });
    expect(slipsIn(till)).toHaveLength(1);
    const shown = await till.run("journal show INV-1 --json");
    expect(objectIn(shown.stdout)).toMatchObject({ state, evidence: "callback" });
    await till.run(
      line.replace("INV-1", "INV-2").replace("--wait --wait-for 5s", "--callback-url http://127.0.0.1:1/"),
    );
    expect(slipsIn(till)).toEqual([]);
    expect(await till.movements()).toMatchObject([{ state, evidence: "callback" }, { reference: "INV-2" }]);
  });

  test("is recorded after the answer that the journal did not take before", async () => {
    const till = openTill({});
    let unlock: (() => void) | undefined;
    const calling = Promise.withResolvers<string>();
    const service = await collectionService(async ({ callbackUrl }) => {
      unlock = lock(till);
      calling.resolve(callbackUrl);
      return says("PENDING_ACK");
    });
    Object.assign(till.environment, service.environment);
    let triesLeft = 4;
    const meanwhile = async () => {
      if (triesLeft < 0 || unlock === undefined) return;
      triesLeft -= 1;
      if (triesLeft >= 0) return;
      unlock();
      expect(slipsIn(till)).toHaveLength(1);
      expect(await post(await calling.promise, says("PAYMENT_ACCEPTED"))).toMatchObject({ status: 200 });
    };
    stopTime();
    const { exit, stdout } = await till.run(`${line} --timeout 1s`, { host: { sqlite }, meanwhile });
    expect({ exit, ...objectIn(stdout) }).toMatchObject({ exit: 0, state: "accepted", evidence: "callback" });
    const { history } = objectIn((await till.run("journal show INV-1 --json")).stdout);
    expect(history).toMatchObject([
      { step: "claim" },
      { step: "send" },
      { step: "settle", to: "pending", evidence: "answer" },
      { to: "accepted", evidence: "callback" },
    ]);
  });
});

/** Decides while the slip is away, and puts it back. */
async function decided(path: string, act: () => Promise<unknown>): Promise<void> {
  renameSync(path, `${path}.away`);
  await act();
  renameSync(`${path}.away`, path);
}

/** Three rows; the journal is locked when the answer to the second one arrives. */
async function lockedBatch(after: (unlock: () => void) => (() => void) | undefined) {
  const till = openTill({});
  const { host, stop } = person();
  let meanwhile: (() => void) | undefined;
  const told = await teller({
    react(socket, request) {
      if (transfer.referenceIn(request.body) === "R-2") {
        meanwhile = after(lock(till));
        if (meanwhile === undefined) stop("SIGTERM");
      }
      accept(socket, request);
    },
  });
  Object.assign(till.environment, environmentAt(told.origin));
  const line = `batch run ${openDesk().write(transfers(3))} ${payouts} --yes --csv`;
  const first = await till.run(line, { host: { ...host, sqlite }, meanwhile: () => meanwhile?.() });
  return { till, told, first, line };
}

/** Writes a slip again, with the right checksum. */
function rewrite(path: string, json: string): void {
  writeFileSync(path, `${json}\n${sha256(json)}\n`);
}
