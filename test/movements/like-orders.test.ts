import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodeRequest } from "../../src/contract/request.ts";
import { claimOf, openPlace, send } from "../journal/orders.ts";
import { temporaryFolder } from "../memory-host.ts";
import { startRun } from "./child.ts";
import { movementNouns as nouns } from "../../src/journal/movement.ts";
import type { Kind } from "./kinds.ts";
import { kinds } from "./kinds.ts";
import { accept, environmentAt } from "./service.ts";
import type { Reaction, Teller } from "./teller.ts";
import { saying, teller } from "./teller.ts";
import type { Till } from "./till.ts";
import { openTill } from "./till.ts";

// The same payment under another reference: a duplicate by a person, not by a crash.

const start = Date.UTC(2026, 2, 31, 9);
const [minuteMs, hourMs] = [60_000, 3_600_000];
const common = {
  transfer: "payer, receiver and amount",
  withdraw: "wallet and amount",
  collect: "phone number and amount",
  remit: "receiver and amount",
  payout: "payer, receiver and amount",
};
const nothing = saying("500 Internal Server Error", "");
const refusal = saying("400 Bad Request", '{"statusCode":400,"reason":"VALIDATION_ERROR","details":{"amount":"no"}}');
const pending: Reaction = (socket, request) => {
  const body = /"(?:partnerReference|transactionRef)":"([^"]*)"/.exec(request.body)?.[1] ?? "";
  saying(
    "201 Created",
    `{"statusCode":"PENDING_ACK","status":"PENDING","transactionRef":"${body}","partnerReference":"${body}","transactionId":"T-1"}`,
  )(socket, request);
};

interface Desk {
  readonly service: Teller;
  readonly till: Till;
  /** Sends an order to a service that answers with `react`, so long after the start. */
  readonly order: (line: string, react: Reaction, afterMs?: number) => ReturnType<Till["run"]>;
  readonly idOf: (reference: string) => Promise<string>;
}

async function openDesk(environment: Record<string, string> = {}): Promise<Desk> {
  const service = await teller();
  const till = openTill({ ...environmentAt(service.origin), ...environment });
  return {
    service,
    till,
    async order(line, react, afterMs = 0) {
      service.react(react);
      return till.run(line, { now: start + afterMs });
    },
    async idOf(reference) {
      return (await till.movements()).find((movement) => movement.reference === reference)?.id ?? "";
    },
  };
}

/** Accepts an order of another amount, and repeats that amount in the answer. */
const acceptOther = (kind: Kind) =>
  saying(kind.status, ({ body }) => kind.answer(kind.referenceIn(body) ?? "", kind.amounts[1]));

/** On a terminal without colours, with this answer to the question. */
const asking = (answer: boolean) => ({
  terminal: { stdin: true, stderr: true },
  answers: [answer],
  environment: { NO_COLOR: "1" },
});
const asked = (kind: Kind, reference: string) => kind.line(reference).replace(" --yes", "");

describe.each(kinds)("a $kind", (kind) => {
  const says = (state: string) =>
    `A ${nouns[kind.kind]} with the same ${common[kind.kind]} ${state}: R-1, ordered 2026-03-31 12:00:00, id `;

  test("like an unknown one is stopped, with its name, and sent with --again", async () => {
    const { service, order, idOf } = await openDesk();
    expect((await order(kind.line("R-1"), nothing)).exit).toBe(6);
    const stopped = await order(kind.line("R-2"), accept, minuteMs);
    expect(stopped).toMatchObject({ exit: 2, stdout: "" });
    const id = await idOf("R-1");
    expect(stopped.stderr).toContain(`${says("has an unknown outcome")}${id}. Nothing was sent.`);
    expect(stopped.stderr).toContain(`partner journal resolve ${id}. If this is a payment of its own: --again`);
    expect(JSON.parse(stopped.stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      error: {
        ending: "usage",
        money: "not moved",
        reference: "R-2",
        details: { like: says("has an unknown outcome") + id },
      },
    });
    expect(service.requests).toHaveLength(1);
    const meant = await order(`${kind.line("R-2")} --again`, accept, minuteMs);
    expect(meant.exit).toBe(0);
    expect(meant.stderr).toContain(`Warning: ${says("has an unknown outcome")}`);
    expect(service.requests).toHaveLength(2);
  });

  test("is never like itself, however often its reference is repeated", async () => {
    const { service, order } = await openDesk();
    for (const _ of [1, 2]) expect((await order(kind.line("R-1"), nothing)).exit).toBe(6);
    const again = await order(kind.line("R-1"), accept, minuteMs);
    expect(again.exit).toBe(6);
    expect(again.stderr).not.toContain("with the same");
    expect(service.requests).toHaveLength(1);
  });

  test("with another amount is not like it", async () => {
    const { service, order } = await openDesk();
    await order(kind.line("R-1"), nothing);
    expect((await order(kind.line("R-2", kind.amounts[1]), acceptOther(kind))).exit).toBe(0);
    expect(service.requests).toHaveLength(2);
  });

  test("is not stopped by a like one that was refused or could not be sent", async () => {
    const { service, order, till } = await openDesk();
    await order(kind.line("R-1"), refusal);
    till.environment["HTTPS_PROXY"] = till.environment["HTTP_PROXY"] = "http://127.0.0.1:9";
    till.environment["NO_PROXY"] = "";
    await order(kind.line("R-2"), refusal);
    for (const name of ["HTTPS_PROXY", "HTTP_PROXY"]) delete till.environment[name];
    const sent = await order(kind.line("R-3"), accept);
    expect(sent.exit).toBe(0);
    expect(sent.stderr).not.toContain("with the same");
    expect(service.requests.length).toBeGreaterThan(1);
  });

  test("like an unknown one is shown on a terminal, in the last line before the question", async () => {
    const { service, order, till } = await openDesk();
    await order(kind.line("R-1"), nothing);
    service.react(accept);
    const no = await till.run(asked(kind, "R-2"), { now: start, ...asking(false) });
    expect(no.exit).toBe(130);
    const lines = no.stderr.split("\n");
    const last = lines.findIndex((line) => line.startsWith(`Warning: ${says("has an unknown outcome")}`));
    expect(last).toBeGreaterThan(0);
    expect(lines[last - 1]).toMatch(
      /^(?: {2}reference +R-2| {2}\(y to send it, n not to send it, e to edit\)|Warning: .*)$/,
    );
    // No other line comes between the warning and the question, and the answer is no.
    expect(lines[last + 1]).toBe("Nothing was sent.");
    expect(service.requests).toHaveLength(1);
    const yes = await till.run(asked(kind, "R-2"), { now: start, ...asking(true) });
    expect(yes.exit).toBe(0);
    expect(service.requests).toHaveLength(2);
  });

  test("like an unknown one is stopped with --yes on a terminal as well, since no question is asked", async () => {
    const { service, order, till } = await openDesk();
    await order(kind.line("R-1"), nothing);
    service.react(accept);
    const stopped = await till.run(kind.line("R-2"), { now: start, ...asking(true) });
    expect(stopped.exit).toBe(2);
    expect(service.requests).toHaveLength(1);
  });

  test("like an unknown one gets a warning in a dry run, which exits with 0", async () => {
    const { service, order } = await openDesk();
    await order(kind.line("R-1"), nothing);
    const dry = await order(`${kind.line("R-2")} --dry-run`, accept, minuteMs);
    expect(dry.exit).toBe(0);
    expect(dry.stderr).toContain(`Warning: ${says("has an unknown outcome")}`);
    expect(dry.stderr).toContain("Nothing was sent.");
    const own = await order(`${kind.line("R-1")} --dry-run`, accept, minuteMs);
    expect(own.stderr).not.toContain("with the same");
    expect(service.requests).toHaveLength(1);
  });

  const spellings = [
    ["0001", "1", "leading zeros"],
    ["INV 7", "inv7", "letter case and spaces"],
    ["1E5", "100000", "scientific notation"],
    ["00100000", "1.0e+5", "scientific notation and leading zeros"],
  ] as const;
  test.each(spellings)("under %j is stopped when %j is used: they differ only by %s", async (one, other, words) => {
    const { service, order, till } = await openDesk();
    const line = (reference: string, amount?: string) =>
      kind.line("R-1", amount).replace("--reference R-1", `--reference "${reference}"`);
    const amount = kind.amounts[1];
    expect((await order(line(one, amount), acceptOther(kind))).exit).toBe(0);
    const stopped = await order(line(other), accept);
    expect(stopped).toMatchObject({ exit: 2, stdout: "" });
    expect(stopped.stderr).toContain(
      `The reference "${other}" differs only by ${words} from "${one}", which is used: it is ${kind.state},`,
    );
    expect(stopped.stderr).toContain(
      `\nThis run moved no money. ${kind.state === "accepted" ? "The earlier one did" : "An earlier one may have"}.\n`,
    );
    // A typing mistake is an error, not a question.
    const onTerminal = await till.run(line(other).replace(" --yes", ""), { now: start, ...asking(true) });
    expect(onTerminal.exit).toBe(2);
    const dry = await order(`${line(other)} --dry-run`, accept);
    expect(dry.exit).toBe(0);
    expect(dry.stderr).toContain(`Warning: The reference "${other}" differs only by ${words} from "${one}"`);
    expect(service.requests).toHaveLength(1);
    expect((await order(`${line(other)} --again`, accept)).exit).toBe(0);
    // By now this reference is used itself.
    expect((await order(line(other), accept)).exit).toBe(0);
    expect(service.requests).toHaveLength(2);
  });

  test.each([
    ["0007", "7", "was refused", refusal],
    ["INV-007", "INV-7", "is another one", acceptOther(kind)],
  ] as const)(
    "under a reference that isn't close to a used one is sent: %s, where %s %s",
    async (one, other, _, react) => {
      const { service, order } = await openDesk();
      await order(kind.line(one, kind.amounts[1]), react);
      expect((await order(kind.line(other), accept)).exit).toBe(0);
      expect(service.requests).toHaveLength(2);
    },
  );
});

const [transfer, withdraw, collect, remit] = kinds;

test.each([transfer, withdraw].flatMap((kind) => (kind === undefined ? [] : [kind])))(
  "a $kind like one accepted within a day gets a warning and is sent",
  async (kind) => {
    const { service, order, till, idOf } = await openDesk();
    await order(kind.line("R-1"), accept);
    const told = await order(kind.line("R-2"), accept, 24 * hourMs);
    expect(told.exit).toBe(0);
    const words = `with the same ${common[kind.kind]} was accepted: R-1, ordered 2026-03-31 12:00:00, id ${await idOf("R-1")}`;
    expect(told.stderr).toContain(`Warning: A ${nouns[kind.kind]} ${words}.\n`);
    const prompted = await till.run(asked(kind, "R-3"), { now: start + hourMs, ...asking(true) });
    expect(prompted.stderr).toContain("was accepted: R-2, ");
    const late = await order(kind.line("R-4"), accept, 49 * hourMs);
    expect(late.stderr).not.toContain("with the same");
    expect(service.requests).toHaveLength(4);
  },
);

test("a reference that differs only in spelling from one on a statement is stopped", async () => {
  const { service, order, till } = await openDesk();
  const kind = kinds[0];
  expect((await order(kind.line("OTHER", "6"), acceptOther(kind))).exit).toBe(0);
  const scope = String((await till.movements())[0]?.scope);
  const place = { stateFolder: till.stateFolder, configFolder: till.environment["PARTNER_CONFIG_DIR"] ?? "" };
  const journal = await openPlace(place);
  await journal.keepSeen([{ scope, accountNo: "9000112233", reference: "R-7", key: "k", row: "{}" }]);
  await journal.close();
  const stopped = await order(kind.line("r-7"), accept);
  expect(stopped).toMatchObject({ exit: 2, stdout: "" });
  expect(stopped.stderr).toContain(
    '"r-7" differs only by letter case from "R-7", which the statement of 9000112233 shows',
  );
  expect(service.requests).toHaveLength(1);
  expect((await order(`${kind.line("r-7")} --again`, accept)).exit).toBe(0);
});

test("an order resolved as accepted today counts from today", async () => {
  const { order, till, idOf } = await openDesk();
  const kind = kinds[0];
  await order(kind.line("R-1"), nothing);
  const word = `journal resolve ${await idOf("R-1")} --as accepted --evidence seen`;
  expect((await till.run(word, { now: start + 48 * hourMs })).exit).toBe(0);
  const told = await order(kind.line("R-2"), accept, 50 * hourMs);
  expect(told.exit).toBe(0);
  expect(told.stderr).toContain("was accepted: R-1");
});

test.each(["prepared", "sending"] as const)("an order that another process has %s stops a like one", async (state) => {
  const { service, order, till } = await openDesk();
  const kind = kinds[0];
  expect((await order(kind.line("OTHER", "6"), acceptOther(kind))).exit).toBe(0);
  const scope = String((await till.movements())[0]?.scope);
  const journal = await openPlace({
    stateFolder: till.stateFolder,
    configFolder: till.environment["PARTNER_CONFIG_DIR"] ?? "",
  });
  const { endpoint, input } = kind.order("R-1");
  const request = encodeRequest(endpoint, input).body ?? "";
  const claim = claimOf(await journal.open({ scope, kind: "transfer", reference: "R-1", request, deadlineMs: 60_000 }));
  if (state === "sending") await send(claim, "request-1");
  const stopped = await order(kind.line("R-2"), accept);
  await journal.close();
  expect(stopped).toMatchObject({ exit: 2, stdout: "" });
  expect(stopped.stderr).toContain("A transfer with the same payer, receiver and amount is being sent: R-1, ");
  expect(service.requests).toHaveLength(1);
});

test("an order that was paid and taken back doesn't stop a like one: it is usually paid again", async () => {
  const { service, order, till, idOf } = await openDesk();
  const kind = kinds[0];
  await order(kind.line("R-1"), nothing);
  const place = { stateFolder: till.stateFolder, configFolder: till.environment["PARTNER_CONFIG_DIR"] ?? "" };
  const journal = await openPlace(place);
  await journal.resolve({ id: await idOf("R-1"), attempt: 1 }, { state: "reversed", evidence: "statement" });
  await journal.close();
  const sent = await order(kind.line("R-2"), accept, minuteMs);
  expect(sent.exit).toBe(0);
  expect(sent.stderr).not.toContain("with the same");
  expect(service.requests).toHaveLength(2);
});

function collectLine(reference: string): string {
  return collect?.line(reference) ?? "";
}

test("a like collection is stopped while another waits for its subscriber, for 15 minutes, and then gets a warning", async () => {
  const { service, order, till } = await openDesk();
  expect((await order(collectLine("R-1"), pending)).exit).toBe(0);
  const stopped = await order(collectLine("R-2"), pending, 15 * minuteMs - 1);
  expect(stopped.exit).toBe(2);
  expect(stopped.stderr).toContain("A collection with the same phone number and amount is pending: R-1");
  const told = await order(collectLine("R-2"), pending, 15 * minuteMs);
  expect(told.exit).toBe(0);
  expect(told.stderr).toContain("Warning: A collection with the same phone number and amount is pending: R-1");
  expect(service.requests).toHaveLength(2);
  const prompted = await till.run(collectLine("R-3").replace(" --yes", ""), {
    now: start + 3 * hourMs,
    ...asking(true),
  });
  expect(prompted.stderr).toContain("is pending: R-2, ordered 2026-03-31 12:15:00, id ");
  expect(prompted.stderr).toContain("; and 1 more.");
});

test("a pending remittance stops a like one, however old it is", async () => {
  const { service, order } = await openDesk();
  expect((await order(remit?.line("R-1") ?? "", pending)).exit).toBe(0);
  const stopped = await order(remit?.line("R-2") ?? "", pending, 40 * 24 * hourMs);
  expect(stopped.exit).toBe(2);
  expect(stopped.stderr).toContain("is pending: R-1");
  expect(service.requests).toHaveLength(1);
});

test.each(["0150 387 654 321", "0150-387-654-321", "150387654321"])(
  "a remittance to a bank account written as %s is like one to 0150387654321, but not one to another account",
  async (spelling) => {
    const { service, order } = await openDesk();
    expect((await order(bankLine("R-1", "0150387654321"), accept)).exit).toBe(0);
    const stopped = await order(bankLine("R-2", spelling), accept, hourMs);
    expect(stopped.exit).toBe(2);
    expect(stopped.stderr).toContain("R-1");
    expect((await order(bankLine("R-3", "0150387654322"), accept, hourMs)).exit).toBe(0);
    expect(service.requests).toHaveLength(2);
  },
);

/** The remittance of `kinds` to a bank account. */
function bankLine(reference: string, account: string): string {
  const line = remit?.line(reference) ?? "";
  const [, draft = ""] = /--from-file (\S+)/.exec(line) ?? [];
  const members = { receiverChannel: "BANK", institutionCode: "CORUTZTZ", receiverAccount: account };
  const file = join(temporaryFolder(), "bank.json");
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(draft, "utf8")), ...members }));
  return line.replace(draft, file);
}

test("like.window says how long an accepted order causes a warning; 0 switches the warning off", async () => {
  const folder = temporaryFolder();
  const desk = await openDesk({ PARTNER_CONFIG_DIR: folder, PARTNER_STATE_DIR: join(folder, "state") });
  const { till, service, order } = desk;
  const { PARTNER_SECRET_KEY: secretKey = "" } = till.environment;
  for (const name of ["PARTNER_BASE_URL", "PARTNER_ENVIRONMENT", "PARTNER_ACCOUNT_ID", "PARTNER_SECRET_KEY"])
    delete till.environment[name];
  const add = `profile add shop --environment simulator --base-url ${service.origin} --account-id me --secrets-from -`;
  expect((await till.run(add, { stdin: JSON.stringify({ secretKey }) })).exit).toBe(0);
  const kind = kinds[0];
  await order(kind.line("R-1"), accept);
  for (const [window, isTold] of [
    ["2h", true],
    ["90m", false],
    ["3d", true],
    ["0", false],
    ["", true],
  ] as const) {
    expect((await till.run(`profile set shop like.window=${window}`)).exit).toBe(0);
    const dry = await order(`${kind.line("R-2")} --dry-run`, accept, 2 * hourMs);
    expect([window, dry.stderr.includes("was accepted: R-1")]).toEqual([window, isTold]);
  }
  expect((await till.run("profile set shop like.window=2h")).exit).toBe(0);
  expect((await till.run("profile show shop")).stdout).toMatch(/like\.window +2h +profile shop/);
  // An order with an unknown outcome stops a like one all the same.
  expect((await till.run("profile set shop like.window=0")).exit).toBe(0);
  await order(kind.line("R-3", "6"), nothing);
  expect((await order(kind.line("R-4", "6"), accept)).exit).toBe(2);
});

test("of two processes with like orders at the same moment, one is stopped", async () => {
  const waiting: (() => void)[] = [];
  // The first one is in flight until both have read all that they read.
  const service = await teller({
    react: (socket, request) => waiting.push(() => accept(socket, request)),
  });
  const till = openTill(environmentAt(service.origin));
  const runs = ["R-1", "R-2"].map((reference) => startRun(kinds[0].line(reference), till));
  const stopped = await Promise.race(runs.map(({ run }) => run));
  expect(stopped.exit).toBe(2);
  expect(stopped.stderr).toMatch(
    /A transfer with the same payer, receiver and amount (is being sent|was accepted): R-[12]/,
  );
  expect(service.requests.length).toBeLessThan(2);
  await expect.poll(() => service.requests.length).toBe(1);
  for (const answer of waiting) answer();
  expect(
    (await Promise.all(runs.map(({ run }) => run))).map(({ exit }) => exit).toSorted((one, other) => one - other),
  ).toEqual([0, 2]);
  expect(service.requests).toHaveLength(1);
});

test("a like order that appears between the question and the yes stops the order", async () => {
  const { service, order, till } = await openDesk();
  const kind = kinds[0];
  const meanwhile = async () => {
    await order(kind.line("R-1"), nothing);
    service.react(accept);
    return true;
  };
  const stopped = await till.run(asked(kind, "R-2"), { now: start, ...asking(true), answers: [meanwhile] });
  expect(stopped.exit).toBe(2);
  expect(stopped.stderr).toContain("has an unknown outcome: R-1");
  expect(stopped.stderr).toContain("\nThis run moved no money. An earlier one may have.\n");
  expect(service.requests).toHaveLength(1);
  // A person who has seen it may say yes.
  expect((await till.run(asked(kind, "R-2"), { now: start, ...asking(true) })).exit).toBe(0);
});
