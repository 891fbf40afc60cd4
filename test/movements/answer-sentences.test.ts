import { expect, test } from "vitest";
import { errorIn } from "../commands/served.ts";
import { column, openDesk, payouts } from "../commands/batch-service.ts";
import { debit, serveStatements } from "../statements-served.ts";
import { movementNouns } from "../../src/journal/movement.ts";
import type { AnsweredState } from "./answer-sentences.ts";
import { sentences } from "./answer-sentences.ts";
import { size } from "../journal/long.ts";
import { expectInvariants } from "./invariants.ts";
import type { Kind } from "./kinds.ts";
import { kinds, objectIn } from "./kinds.ts";
import { environmentAt, honest } from "./service.ts";
import { saying, teller } from "./teller.ts";
import { openTill } from "./till.ts";

/** How a money command ends in each state, and what it says about the money. */
const endings: Readonly<Record<AnsweredState, readonly [exit: number, money: string | undefined]>> = {
  accepted: [0, undefined],
  pending: [0, undefined],
  refused: [4, "not moved"],
  reversed: [4, "not moved"],
  unknown: [6, "unknown"],
};

function endingOf(state: AnsweredState, status: string) {
  const [exit, money] = endings[state];
  return { exit: state === "refused" && /^40[13]/.test(status) ? 3 : exit, money };
}

/** What follows from an answer depends on its state. The long run checks the invariants for every sentence. */
const invariantsTried = new Set<string>();

function triesInvariants(kind: Kind, state: AnsweredState): boolean {
  const isFirst = !invariantsTried.has(`${kind.kind} ${state}`);
  invariantsTried.add(`${kind.kind} ${state}`);
  return size(0, 1) === 1 || isFirst;
}

for (const kind of kinds) {
  test.for(sentences[kind.kind].map((row) => [row[0], row[3], row] as const))(
    `a ${movementNouns[kind.kind]} that is %s is %s`,
    async ([, , [, status, body, state]]) => {
      const told = await teller({ react: saying(status, body) });
      const till = openTill(environmentAt(told.origin));
      const run = await till.run(kind.line("R-1"));
      const { exit, money } = endingOf(state, status);
      const said = run.exit === 0 ? {} : errorIn(run);
      expect({
        exit: run.exit,
        state: objectIn(run.stdout)["state"],
        money: said["money"],
        http: said["http"],
      }).toEqual({
        exit,
        state,
        money,
        http: run.exit === 0 ? undefined : Number(status.slice(0, 3)),
      });
      const [movement] = await till.movements();
      expect(movement).toMatchObject({ state, response: body });
      const didMove = state !== "refused" && state !== "reversed";
      const service = honest(told, { refuses: didMove ? 0 : 1 });
      if (state !== "reversed" && triesInvariants(kind, state))
        await expectInvariants(run, { kind, reference: "R-1", till, service });
    },
  );
}

test("no kind has a sentence twice, and there are more than 150 of them", () => {
  for (const kind of kinds) {
    const said = sentences[kind.kind].map(([answered]) => answered);
    expect(new Set(said).size).toBe(said.length);
  }
  expect(kinds.flatMap(({ kind }) => sentences[kind]).length).toBeGreaterThan(150);
});

test("a remittance that was paid and taken back is reported so, and its reference is not sent again", async () => {
  const remit = kindOf("remit");
  const told = await teller({ react: saying("200 OK", '{"partnerReference":"R-1","status":"REVERSED"}') });
  const till = openTill(environmentAt(told.origin));
  for (const arrived of [1, 1, 1]) {
    const run = await till.run(remit.line("R-1"));
    expect(run.exit).toBe(4);
    expect(errorIn(run)).toMatchObject({
      ending: "refused",
      money: "not moved",
      reason: "REVERSED",
      details: null,
      message: expect.stringContaining("It was paid and taken back; no money is gone."),
    });
    expect(told.requests).toHaveLength(arrived);
  }
});

test("a batch reads each answer as a single order does, and sends only refused rows again", async () => {
  const rows = sentences.transfer.filter(([, status]) => !/^40[13]/.test(status));
  const desk = openDesk();
  const file = desk.write(`reference,amount\n${rows.map((_, index) => `R-1${index}x,5\n`).join("")}`);
  const told = await teller({
    react(socket, request) {
      const reference = referenceIn(request.body);
      const [, status = "", body = ""] = rows[Number(/^R-1(\d+)x$/.exec(reference)?.[1])] ?? [];
      saying(status, body.replaceAll("R-1]", `${reference}]`))(socket, request);
    },
  });
  const till = openTill({ ...environmentAt(told.origin), ...desk.environment }, desk.folder);
  const states: string[] = [];
  // A batch stops after ten unknown rows in a row; the next run continues after them.
  for (let runs = 0; runs < rows.length; runs += 1) {
    const run = await till.run(`batch run ${file} ${payouts} --yes --csv`);
    states.splice(0, states.length, ...column(run.stdout, "state"));
    expect(run.exit).toBe(6);
    if (!states.includes("unsent")) break;
  }
  const wrong = rows.flatMap(([answered, , , state], index) =>
    states[index] === state ? [] : [`${answered}: ${states[index]}`],
  );
  expect(wrong).toEqual([]);
  const again = told.requests.map(({ body }) => referenceIn(body));
  const twice = again.filter((reference, index) => again.indexOf(reference) !== index);
  const refused = new Set(rows.flatMap(([, , , state], index) => (state === "refused" ? [`R-1${index}x`] : [])));
  expect(twice.filter((reference) => !refused.has(reference))).toEqual([]);
});

test("a batch does not send a remittance again after it was paid and taken back, and exits with 8", async () => {
  const desk = openDesk();
  const folders = { ...environmentAt("http://127.0.0.1:9"), ...desk.environment };
  const template = await openTill(folders, desk.folder).run("batch template --kind remit --example");
  const [header = "", row = ""] = template.stdout.split("\n");
  const words = ["REVERSED", "COMPLETED", "FAILED", "CREATED"];
  const rows = words.map((word) => row.replace("INV-2026-0042-1", `R-${word}`));
  const file = desk.write(`${header}\n${rows.join("\n")}\n`);
  const service = await teller({
    react(socket, { body }) {
      const reference = kindOf("remit").referenceIn(body) ?? "";
      const word = reference.replace("R-", "");
      saying("200 OK", JSON.stringify({ partnerReference: reference, status: word }))(socket, {
        body,
        path: "",
        head: "",
      });
    },
  });
  const till = openTill({ ...environmentAt(service.origin), ...desk.environment }, desk.folder);
  for (const arrived of [4, 5]) {
    const run = await till.run(`batch run ${file} --kind remit --yes --json`);
    expect(run.exit).toBe(8);
    const told: readonly { readonly state: string }[] = JSON.parse(run.stdout);
    expect(told.map(({ state }) => state)).toEqual(["reversed", "accepted", "refused", "pending"]);
    expect(told[0]).toMatchObject({ message: expect.stringContaining("REVERSED") });
    // Only the refused row is sent again.
    expect(service.requests).toHaveLength(arrived);
  }
});

test("when an answer names two ids, a statement row with either of them proves nothing", async () => {
  const withdraw = kindOf("withdraw");
  const ids = ["a1B2c3D4e5F6", "g7H8i9J0k1L2"] as const;
  const body = `{"transactionId":"${ids[0]}","transactionId":"${ids[1]}","transactionRef":"R-9"}`;
  for (const tranRefNo of ids) {
    const row = debit("5.50", { tranRefNo, narration: "of another order" });
    const service = await serveStatements({ statements: { "9000112233": [row] }, react: saying("200 OK", body) });
    const till = openTill(service.environment);
    expect(await till.run(withdraw.line("R-1"))).toMatchObject({ exit: 6 });
    expect(await till.run("journal resolve R-1 --json")).toMatchObject({ exit: 6 });
  }
});

function referenceIn(body: string): string {
  return kindOf("transfer").referenceIn(body) ?? "";
}

function kindOf(name: Kind["kind"]): Kind {
  const kind = kinds.find((one) => one.kind === name);
  if (kind === undefined) throw new Error(`No kind is called ${name}`);
  return kind;
}
