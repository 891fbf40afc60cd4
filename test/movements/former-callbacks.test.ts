import { expect, test } from "vitest";
import { behind, collectionService, post, says } from "../commands/collection-service.ts";
import { draftFile, remittance } from "../commands/remittance.ts";
import { freePort } from "../free-port.ts";
import { withPostgres } from "../with-postgres.ts";
import { openTill } from "./till.ts";

// A callback refuses an order, and it is sent again. Callbacks about the first attempt still arrive at its own
// address.

const lines = {
  collect:
    "collect --msisdn 255712345678 --channel TZ-TIGO-C2B --amount 1500 --narration lunch --reference INV-1 --check-statement never",
  remit: `remit --from-file ${draftFile(remittance)} --reference INV-1`,
} as const;
type Kind = keyof typeof lines;

/** How a kind reports paid, not paid and in progress; the id is that of the attempt. */
const bodies: Readonly<Record<Kind, (word: "paid" | "failed" | "taken", id: string) => string>> = {
  collect: (word, id) =>
    says({ paid: "PAYMENT_ACCEPTED", failed: "PAYMENT_REJECTED", taken: "PENDING_ACK" }[word], "INV-1", id),
  remit: (word) =>
    JSON.stringify({
      partnerReference: "INV-1",
      status: { paid: "COMPLETED", failed: "FAILED", taken: "CREATED" }[word],
    }),
};

/** A till that listens on one port, and a service whose first attempt failed by its callback. */
async function failedOnce(kind: Kind, environment: Record<string, string> = {}) {
  const saying = bodies[kind];
  const ids = ["ONE", "TWO", "THREE"];
  const plays: (string | undefined)[] = [];
  const service = await collectionService(async () =>
    plays.length > 0 ? plays.shift() : saying("taken", ids[service.collections.length - 1] ?? ""),
  );
  const port = await freePort();
  const till = openTill({ ...service.environment, ...environment });
  if (environment["PARTNER_JOURNAL_URL"] !== undefined) await till.run("journal migrate");
  const at = `--callback-url http://127.0.0.1:${port}/partner --listen 127.0.0.1:${port}`;
  const line = `${lines[kind]} --yes --json --wait --wait-for 30s ${at}`;
  /** Runs the same command, and posts callbacks meanwhile: the attempt's address, the word, and the id. */
  const wait = async (...told: readonly (readonly [attempt: number, word: "paid" | "failed", id?: string])[]) => {
    const answers: number[] = [];
    let isTold = false;
    const meanwhile = behind(async () => {
      if (isTold) return;
      isTold = true;
      for (const [attempt, word, id = ids[attempt - 1] ?? ""] of told) {
        const url = service.collections[attempt - 1]?.callbackUrl ?? "";
        answers.push((await post(url, saying(word, id))).status);
      }
    });
    return { ended: await till.run(line, { meanwhile }), answers };
  };
  const show = async () => JSON.parse((await till.run("journal show INV-1 --json")).stdout);
  expect((await wait([1, "failed"])).ended).toMatchObject({ exit: 4 });
  return { service, plays, wait, show, saying };
}

for (const kind of ["collect", "remit"] as const) {
  test(`a ${kind} whose first attempt was paid after all is unknown, and there is no third attempt`, async () => {
    const { service, wait, show } = await failedOnce(kind);
    const { ended, answers } = await wait([1, "paid"]);
    expect([ended.exit, answers]).toEqual([6, [200]]);
    expect(ended.stderr).toContain("about an earlier attempt; the statement has to decide");
    expect(ended.stderr).not.toContain('"not moved"');
    const shown = await show();
    expect(shown).toMatchObject({ state: "unknown", evidence: "callback" });
    expect(JSON.stringify(shown)).toContain("(about attempt 1 of 2)");
    expect((await wait()).ended).toMatchObject({ exit: 6 });
    expect(service.collections).toHaveLength(2);
  });

  test(`a ${kind} refused the second time, after the first attempt was paid after all, isn't called refused`, async () => {
    const { service, plays, wait, show, saying } = await failedOnce(kind);
    plays.push(saying("failed", "TWO"));
    const { ended } = await wait([1, "paid"]);
    expect(ended.exit).toBe(6);
    expect(ended.stderr).not.toContain('"not moved"');
    expect(await show()).toMatchObject({ state: "unknown" });
    expect((await wait()).ended).toMatchObject({ exit: 6 });
    expect(service.collections).toHaveLength(2);
  });

  test(`a ${kind} that was paid twice reports both payments`, async () => {
    const { wait, show } = await failedOnce(kind);
    const { ended, answers } = await wait([2, "paid"], [1, "paid"]);
    expect([ended.exit, answers]).toEqual([0, [200, 200]]);
    expect(ended.stderr).toContain("about an earlier attempt; the order was sent again since, and is accepted");
    expect(JSON.stringify(await show())).toContain("(about attempt 1 of 2)");
  });

  test(`a ${kind} ignores a repeated callback of the first attempt`, async () => {
    const { wait, show } = await failedOnce(kind);
    const { ended, answers } = await wait([1, "failed"], [2, "paid"]);
    expect([ended.exit, answers]).toEqual([0, [200, 200]]);
    expect(ended.stderr).not.toContain("earlier attempt");
    expect(
      (await show()).history.map(({ step, to }: { step: string; to: string }) => `${step} ${to}`).slice(-3),
    ).toEqual(["send sending", "settle pending", "resolve accepted"]);
  });
}

test("an interrupted wait is continued at the addresses of all attempts", async () => {
  const { service, wait, show } = await failedOnce("collect");
  expect((await wait()).ended).toMatchObject({ exit: 7 });
  const { ended, answers } = await wait([1, "paid"]);
  expect([ended.exit, answers]).toEqual([6, [200]]);
  expect(await show()).toMatchObject({ state: "unknown", evidence: "callback" });
  expect(service.collections).toHaveLength(2);
});

test("a callback about one attempt is ignored at the address of another one", async () => {
  const { service, wait, show } = await failedOnce("collect");
  expect((await wait()).ended).toMatchObject({ exit: 7 });
  const { ended, answers } = await wait([1, "paid", "TWO"], [2, "paid", "ONE"]);
  expect([ended.exit, answers]).toEqual([7, [404, 404]]);
  expect(await show()).toMatchObject({ state: "pending" });
  expect(service.collections).toHaveLength(2);
});

withPostgres("a journal that hosts share", (server) => {
  test("a collection whose first attempt was paid after all is unknown, and there is no third attempt", async () => {
    const { service, wait, show } = await failedOnce("collect", { PARTNER_JOURNAL_URL: await server.newDatabase() });
    expect((await wait([1, "paid"])).ended).toMatchObject({ exit: 6 });
    expect(await show()).toMatchObject({ state: "unknown", evidence: "callback" });
    expect((await wait()).ended).toMatchObject({ exit: 6 });
    expect(service.collections).toHaveLength(2);
  });
});
