import { describe, expect } from "vitest";
import type { World } from "../../src/simulator/world.ts";
import { temporaryFolder } from "../memory-host.ts";
import { draftFile, remittance } from "../commands/remittance.ts";
import { test as plain } from "../simulated.ts";

// What the service can do with an order, and what the program then reports. The simulator really books it.

const test = plain.extend({ extensions: true });

const orders = {
  transfer: "transfer --from 9000112233 --to 9000112244 --amount 400 --description rent",
  withdraw: "withdraw --account 9000112233 --amount 400 --narration rent",
  collect:
    "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 400 --narration lunch --callback-url https://127.0.0.1:9/",
  payout: "payout --from 9000112233 --to 255712345678 --name Asha --amount 400 --narration wages",
  remit: `remit --from-file ${draftFile(remittance)}`,
} as const;
type Kind = keyof typeof orders;
const kinds = ["transfer", "withdraw", "collect", "remit", "payout"] as const;
const booked = ["transfer", "withdraw", "collect", "payout"] as const;
const line = (kind: Kind) => `${orders[kind]} --reference R-1 --yes --json`;
const folders = () => ({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
const moved = ({ bookings, remittances }: World) => bookings.size + remittances.size;
const stateIn = (stdout: string): unknown => [JSON.parse(stdout)].flat()[0]?.state;

describe("an answer in other words", () => {
  const words: readonly (readonly [fault: string, exits: Readonly<Record<Kind, number>>])[] = [
    ["deny-answer", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["error-answer", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["repeat-answer=plain", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["repeat-answer=nested", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["repeat-answer=escaped", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["swap-refusal=PAYMENT_REJECTED", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["swap-refusal=400", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["bare-refusal=PAYMENT_REJECTED", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["refuse-request=PAYMENT_REJECTED", { transfer: 4, withdraw: 4, collect: 4, remit: 4, payout: 4 }],
    ["refuse-request=FAILED", { transfer: 6, withdraw: 6, collect: 6, remit: 4, payout: 6 }],
    ["interim-answer=100", { transfer: 0, withdraw: 0, collect: 0, remit: 0, payout: 0 }],
    ["interim-answer=102", { transfer: 0, withdraw: 0, collect: 0, remit: 0, payout: 0 }],
    ["interim-answer=103", { transfer: 0, withdraw: 0, collect: 0, remit: 0, payout: 0 }],
    ["say-answer=COMPLETED/PAYMENT_FAILED", { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }],
    ["say-answer=REVERSED", { transfer: 6, withdraw: 6, collect: 6, remit: 4, payout: 6 }],
    ...["409", "422", "429", "200", "conflict", "unique", "used", "exists", "array", "code", "map"].map(
      (how) => [`duplicate-answer=${how}`, { transfer: 6, withdraw: 6, collect: 6, remit: 6, payout: 6 }] as const,
    ),
  ];
  const cases = words.flatMap(([fault, exits]) => kinds.map((kind) => [fault, kind, exits[kind]] as const));

  test.for(cases)(
    "%s: a %s ends with %i, and money moves at most once, also when it is repeated",
    async ([fault, kind, exit], { partnerIn, faults, simulator }) => {
      const partner = partnerIn(folders());
      faults.plan("drop-callback=any");
      faults.plan(`${fault}${fault.includes("=") ? "," : "="}money:1`);
      expect(await partner`${line(kind)}`).toMatchObject({ exit });
      await simulator.idle();
      const isDone = !fault.startsWith("refuse-request");
      expect(moved(simulator.world)).toBe(isDone ? 1 : 0);
      // A refused order without any movement may be sent again.
      const again = await partner`${line(kind)}`;
      expect(again).toMatchObject({ exit: exit === 4 && !isDone ? 0 : exit });
      await simulator.idle();
      expect(moved(simulator.world)).toBe(isDone || exit === 4 ? 1 : 0);
    },
  );
});

describe("a row that is reversed", () => {
  const words = ["REV", "RVSL", "REVERSAL"] as const;
  const separators = ["-", "_", "/", ".", ":", " ", ""] as const;
  const names = words.flatMap((word) =>
    separators.flatMap((between) => [`${word}${between}{reference}`, `{reference}${between}${word}`]),
  );
  const cases = [
    ...names.map((how) => ["transfer", how] as const),
    ...booked.flatMap((kind) =>
      ["same", "named", "negative", "{reference}", "REV-{row}", "{row} REVERSAL"].map((how) => [kind, how] as const),
    ),
  ];

  test.for(cases)(
    "leaves a lost %s reversed when it is called %s",
    async ([kind, how], { partnerIn, faults, simulator }) => {
      const partner = partnerIn(folders());
      faults.loseNextAnswer();
      const end = faults.plan(`reverse-row=${how}`);
      expect(await partner`${line(kind)}`).toMatchObject({ exit: 6 });
      await simulator.idle();
      end();
      const resolved = await partner`journal resolve R-1 --json`;
      expect([resolved.exit, stateIn(resolved.stdout)]).toEqual([0, "reversed"]);
      expect(await partner`${line(kind)}`).toMatchObject({ exit: 4 });
      expect(moved(simulator.world)).toBe(1);
    },
  );

  test.for(booked)("is found for an accepted %s, too", async (kind, { partnerIn, faults, simulator }) => {
    const partner = partnerIn(folders());
    faults.plan("reverse-row=REV-{reference}");
    expect(await partner`${line(kind)}`).toMatchObject({ exit: 0 });
    await simulator.idle();
    const resolved = await partner`journal resolve R-1 --json`;
    expect([resolved.exit, stateIn(resolved.stdout)]).toEqual([0, "reversed"]);
    expect(await partner`${line(kind)}`).toMatchObject({ exit: 4 });
    expect(moved(simulator.world)).toBe(1);
  });

  test.for(booked)("and booked again leaves a lost %s unknown", async (kind, { partnerIn, faults, simulator }) => {
    const partner = partnerIn(folders());
    faults.loseNextAnswer();
    faults.plan("rebook-row=REV-{reference}");
    expect(await partner`${line(kind)}`).toMatchObject({ exit: 6 });
    await simulator.idle();
    const resolved = await partner`journal resolve R-1 --json`;
    expect([resolved.exit, stateIn(resolved.stdout)]).toEqual([6, "unknown"]);
    expect(await partner`${line(kind)}`).toMatchObject({ exit: 6 });
    expect(moved(simulator.world)).toBe(1);
  });
});

describe("a row that is not the order's", () => {
  const looks = ["mention", "longer", "amount", "side", "mark", "fee", "last-month", "next-year"] as const;
  const cases = looks.flatMap((how) => booked.map((kind) => [how, kind] as const));

  test.for(cases)(
    "%s leaves a %s unknown that never arrived",
    async ([how, kind], { partnerIn, faults, simulator }) => {
      const partner = partnerIn(folders());
      faults.plan("reset-request=money:1");
      faults.plan(`look-alike=${how},money:1`);
      expect(await partner`${line(kind)}`).toMatchObject({ exit: 6 });
      const resolved = await partner`journal resolve R-1 --json`;
      expect([resolved.exit, stateIn(resolved.stdout)]).toEqual([6, "unknown"]);
      expect(await partner`${line(kind)}`).toMatchObject({ exit: 6 });
      expect(moved(simulator.world)).toBe(0);
    },
  );
});

describe("a false statement", () => {
  const lies = [
    "lose-row",
    "wrong-row",
    "late-row=1h",
    "empty-statement",
    "short-statement=0",
    "wrong-statement",
  ] as const;
  const cases = lies.flatMap((lie) => booked.map((kind) => [lie, kind] as const));

  test.for(cases)(
    "%s leaves a lost %s unknown until the statement is right, and it is sent once",
    async ([lie, kind], { partnerIn, faults, simulator }) => {
      const partner = partnerIn(folders());
      faults.loseNextAnswer();
      faults.plan("drop-callback=any");
      const end = faults.plan(lie);
      expect(await partner`${line(kind)}`).toMatchObject({ exit: 6 });
      await simulator.idle();
      expect(await partner`journal resolve R-1`).toMatchObject({ exit: 6 });
      expect(await partner`${line(kind)}`).toMatchObject({ exit: 6 });
      end();
      expect(await partner`journal resolve R-1`).toMatchObject({ exit: 0 });
      expect(await partner`${line(kind)}`).toMatchObject({ exit: 0 });
      expect(moved(simulator.world)).toBe(1);
    },
  );

  test.for(["double-row", "double-statement", "reorder-statement"] as const)(
    "%s proves a lost order all the same",
    async (lie, { partnerIn, faults, simulator }) => {
      const partner = partnerIn(folders());
      faults.loseNextAnswer();
      faults.plan(lie);
      expect(await partner`${line("transfer")}`).toMatchObject({ exit: 6 });
      await simulator.idle();
      expect(await partner`journal resolve R-1`).toMatchObject({ exit: 0 });
    },
  );

  test("that shows two orders as one row proves neither of them", async ({ partnerIn, faults, simulator }) => {
    const partner = partnerIn(folders());
    faults.plan("lose-answer=money");
    faults.plan("merge-row=money:2");
    const [one, other] = [line("withdraw"), line("withdraw").replace("R-1", "R-2").replace("400", "500")];
    for (const order of [one, other]) expect(await partner`${order}`).toMatchObject({ exit: 6 });
    expect(await partner`journal resolve R-1`).toMatchObject({ exit: 6 });
    expect(await partner`journal resolve R-2`).toMatchObject({ exit: 6 });
    for (const order of [one, other]) expect(await partner`${order}`).toMatchObject({ exit: 6 });
    expect(moved(simulator.world)).toBe(2);
  });
});
