import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { canonicalAddress } from "../../src/values/addresses/service-address.ts";
import { test as table } from "vitest";
import { column, openDesk, payouts, timesMoved, transfers } from "../commands/batch-service.ts";
import { test } from "../simulated.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { withPostgres } from "../with-postgres.ts";

// An account is its id at a service, however its label, host and slash are written: a used reference never becomes
// new.

const order = (reference: string, amount = 5) =>
  `transfer --from 9000112233 --to 9000112244 --amount ${amount} --description rent --reference ${reference} --yes --json`;

type Respelling = (baseUrl: string) => Readonly<Record<string, string>>;
const respellings: readonly (readonly [name: string, Respelling])[] = [
  ["another label", () => ({ PARTNER_ENVIRONMENT: "live" })],
  ["no label, which means live", () => ({ PARTNER_ENVIRONMENT: "" })],
  ["localhost for 127.0.0.1", (url) => ({ PARTNER_BASE_URL: url.replace("127.0.0.1", "localhost") })],
  ["an upper-case host", (url) => ({ PARTNER_BASE_URL: url.replace("http://127.0.0.1", "HTTP://LOCALHOST") })],
  ["a slash at the end", (url) => ({ PARTNER_BASE_URL: `${url}/` })],
  [
    "another label and another host",
    (url) => ({ PARTNER_ENVIRONMENT: "sandbox", PARTNER_BASE_URL: `${url.replace("127.0.0.1", "localhost")}/` }),
  ],
  // No service answers there: a known order needs no answer.
  ["another address under the same label", () => ({ PARTNER_BASE_URL: "http://127.0.0.1:9/moved" })],
  ["[::1] for 127.0.0.1", (url) => ({ PARTNER_BASE_URL: url.replace("127.0.0.1", "[::1]") })],
];

describe.each(respellings)("with %s", (_, respell) => {
  const renamed = ({ baseUrl }: RunningSimulator) => respell(baseUrl);

  test("a known order is not sent again", async ({ simulator, partnerIn }) => {
    const { environment } = openDesk();
    const first = await partnerIn({ environment })`${order("R-1")}`;
    expect(first.exit).toBe(0);
    const again = await partnerIn({
      environment: { ...environment, ...renamed(simulator) },
    })`${order("R-1")}`;
    expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
    expect(again.stderr).toContain("nothing was sent now");
    expect(timesMoved(simulator, "R-1")).toBe(1);
  });

  test("another order under its reference is refused, and a like one is noticed", async ({
    simulator,
    partnerIn,
    faults,
  }) => {
    const { environment } = openDesk();
    faults.loseNextAnswer();
    expect(await partnerIn({ environment })`${order("R-1")}`).toMatchObject({ exit: 6 });
    const other = partnerIn({ environment: { ...environment, ...renamed(simulator) } });
    expect((await other`${order("R-1", 6)}`).stderr).toContain("belongs to another transfer, which is unknown");
    expect((await other`${order("R-2")}`).stderr).toContain("has an unknown outcome: R-1");
    expect((await other`${order("r-1")}`).stderr).toContain("only by letter case");
    expect(timesMoved(simulator, "R-1")).toBe(1);
    expect(timesMoved(simulator, "R-2") + timesMoved(simulator, "r-1")).toBe(0);
  });

  test("a batch is the same batch, with its outcome", async ({ simulator, partnerIn }) => {
    const desk = openDesk();
    const file = desk.write(transfers(3, (index) => index + 5));
    const partner = partnerIn(desk);
    const first = await partner`batch run ${file} ${payouts} --yes --csv`;
    expect(first.exit).toBe(0);
    const [, id = ""] = /Batch ([0-9a-f]{16}): 3 rows/.exec(first.stderr) ?? [];
    const other = partnerIn({ environment: { ...desk.environment, ...renamed(simulator) } });
    const again = await other`batch run ${file} ${payouts} --yes --csv`;
    expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
    expect(again.stderr).toContain("0 sent now, 3 were sent before.");
    expect(again.stderr).toContain(`Batch ${id}: 3 rows`);
    expect(JSON.parse((await other`batch check ${file} ${payouts} --json`).stdout)).toMatchObject({
      batch: id,
      done: 3,
    });
    expect(JSON.parse((await other`batch status ${id} --json`).stdout)).toMatchObject({ accepted: 3 });
    expect(column((await other`batch report ${id} --csv`).stdout, "state")).toEqual(Array(3).fill("accepted"));
    expect(readdirSync(join(desk.folder, "state", "batches")).toSorted()).toEqual([`${id}.csv`, `${id}.json`]);
    expect([1, 2, 3].map((index) => timesMoved(simulator, `R-${index}`))).toEqual([1, 1, 1]);
  });

  test("an interrupted batch continues with the rows that are left", async ({ simulator, partnerIn, faults }) => {
    const desk = openDesk();
    const file = desk.write(transfers(3, (index) => index + 5));
    faults.plan("lose-answer=money:2");
    expect(await partnerIn(desk)`batch run ${file} ${payouts} --yes`).toMatchObject({ exit: 6 });
    const other = partnerIn({ environment: { ...desk.environment, ...renamed(simulator) } });
    const again = await other`batch run ${file} ${payouts} --yes --csv`;
    expect(again.exit).toBe(6);
    expect(column(again.stdout, "state")).toEqual(["accepted", "unknown", "accepted"]);
    expect([1, 2, 3].map((index) => timesMoved(simulator, `R-${index}`))).toEqual([1, 1, 1]);
  });

  test("lists and reconciliations of the account have its orders", async ({ simulator, partnerIn }) => {
    const desk = openDesk();
    const { accountId, secretKey } = simulator;
    await partnerIn(desk)`${order("R-1")}`;
    const none = { PARTNER_BASE_URL: "", PARTNER_ENVIRONMENT: "", PARTNER_ACCOUNT_ID: "", PARTNER_SECRET_KEY: "" };
    const { PARTNER_BASE_URL: url = simulator.baseUrl, PARTNER_ENVIRONMENT: label = "simulator" } = renamed(simulator);
    const add = `profile add shop --environment ${label || "live"} --base-url ${url} --account-id ${accountId} --secrets-from -`;
    const adding = partnerIn({ stdin: JSON.stringify({ secretKey }), environment: { ...desk.environment, ...none } });
    expect(await adding`${add}`).toMatchObject({ exit: 0 });
    const shop = partnerIn({ environment: { ...desk.environment, ...none } });
    expect(JSON.parse((await shop`journal list -p shop --json`).stdout)).toMatchObject([{ reference: "R-1" }]);
    if (url.includes(":9/") || url.includes("[::1]")) return;
    const books = await shop`reconcile --account 9000112233 --date 2026-03-31 -p shop --json`;
    const rows: { class: string; reference: string }[] = JSON.parse(books.stdout).rows;
    expect(rows.filter(({ reference }) => reference === "R-1")).toMatchObject([{ class: "matched" }]);
  });

  test("an export of statements continues", async ({ simulator, partnerIn }) => {
    const desk = openDesk();
    const file = join(desk.folder, "w.csv");
    const line = `wallet statement 9000112233 --since-last --save ${file}`;
    const partner = partnerIn(desk);
    expect(await partner`${line} --start-date 2026-03-01`).toMatchObject({ exit: 0 });
    const before = desk.read("w.csv");
    await partner`${order("R-1")}`;
    const url = renamed(simulator)["PARTNER_BASE_URL"] ?? "";
    if (url.includes(":9/") || url.includes("[::1]")) return;
    const other = partnerIn({ environment: { ...desk.environment, ...renamed(simulator) } });
    const continued = await other`${line}`;
    expect(continued).toMatchObject({ exit: 0 });
    expect(desk.read("w.csv").startsWith(before)).toBe(true);
    expect(desk.read("w.csv").slice(before.length)).toMatch(/^[^\n]*\[R-1\][^\n]*\n$/);
    // Under the first name again it is still the same export.
    expect(await partner`${line}`).toMatchObject({ exit: 0 });
    expect(desk.read("w.csv").split("[R-1]")).toHaveLength(2);
  });
});

test("names of one account are linked through the journal, and other accounts stay separate", async ({
  simulator,
  partnerIn,
}) => {
  const { environment } = openDesk();
  const moved = { PARTNER_BASE_URL: `${simulator.baseUrl}/`, PARTNER_ENVIRONMENT: "live" };
  const away = { PARTNER_BASE_URL: "http://127.0.0.1:9/moved", PARTNER_ENVIRONMENT: "live" };
  await partnerIn({ environment })`${order("R-1")}`;
  const at = (more: object) => partnerIn({ environment: { ...environment, ...more } });
  // Nothing has linked the first address with the last one yet.
  expect(await at(away)`${order("R-1")}`).toMatchObject({ exit: 5 });
  await at(moved)`${order("R-2", 6)}`;
  const again = await at(away)`${order("R-1")}`;
  expect(again.exit).toBe(0);
  expect(again.stderr).toContain("This reference was ordered before (accepted)");
  const stranger = await at({ ...away, PARTNER_ACCOUNT_ID: "another" })`${order("R-1")}`;
  expect(stranger).toMatchObject({ exit: 5 });
});

const atFirst = {};
const firstCorrection = { PARTNER_BASE_URL: "http://127.0.0.1:9/moved" };
const secondCorrection = { ...firstCorrection, PARTNER_ENVIRONMENT: "live" };

test.for([order("R-1"), "journal resolve R-1"])(
  "address and label may change one after the other, even when only %s was run in between",
  async (line, { simulator, partnerIn, faults }) => {
    const { environment } = openDesk();
    const at = (more: object) => partnerIn({ environment: { ...environment, ...more } });
    faults.loseNextAnswer();
    expect(await at({})`${order("R-1")}`).toMatchObject({ exit: 6 });
    expect((await at(firstCorrection)`${line}`).exit).not.toBe(0);
    const again = await at(secondCorrection)`${order("R-1")}`;
    expect(again).toMatchObject({ exit: 6 });
    expect(again.stderr).toContain("partner journal resolve");
    expect(timesMoved(simulator, "R-1")).toBe(1);
  },
);

test("a person's word about an order links one name to the next one", async ({ simulator, partnerIn, faults }) => {
  const { environment } = openDesk();
  const at = (more: object) => partnerIn({ environment: { ...environment, ...more } });
  faults.loseNextAnswer();
  expect(await at({})`${order("R-1")}`).toMatchObject({ exit: 6 });
  const resolved = await at(firstCorrection)`journal resolve R-1 --as accepted --evidence bank`;
  expect(resolved).toMatchObject({ exit: 0 });
  expect(await at(secondCorrection)`${order("R-1")} --check-statement never`).toMatchObject({ exit: 0 });
  expect(timesMoved(simulator, "R-1")).toBe(1);
});

test("a batch whose rows were all sent links one name to the next one", async ({ partnerIn }) => {
  const desk = openDesk();
  const file = desk.write(transfers(2, (index) => index + 5));
  const at = (more: object) => partnerIn({ environment: { ...desk.environment, ...more } });
  for (const names of [atFirst, firstCorrection, secondCorrection]) {
    const run = await at(names)`batch run ${file} ${payouts} --yes`;
    expect(run.exit).toBe(0);
    expect(run.stderr.includes("0 sent now, 2 were sent before.")).toBe(names !== atFirst);
  }
});

withPostgres("a shared journal", (server) => {
  test("learns a name under which nothing was sent, too", async ({ simulator, partnerIn }) => {
    const { environment } = openDesk();
    const shared = { ...environment, PARTNER_JOURNAL_URL: await server.newDatabase() };
    const at = (more: object) => partnerIn({ environment: { ...shared, ...more } });
    await at({})`journal migrate`;
    for (const names of [{}, firstCorrection, secondCorrection])
      expect(await at(names)`${order("R-1")}`).toMatchObject({ exit: 0 });
    expect(timesMoved(simulator, "R-1")).toBe(1);
  });
});

table.each([
  ["https://API.Example.com", "https://api.example.com"],
  ["https://api.example.com:443", "https://api.example.com/"],
  ["https://api.example.com./v1", "https://api.example.com/v1///"],
  ["http://127.0.0.1:80", "http://localhost"],
  ["http://[::1]:8080/v1", "http://127.0.0.1:8080/v1/"],
])("%s and %s are one address", (one, other) => {
  expect(canonicalAddress(one)).toBe(canonicalAddress(other));
});

table.each([
  ["https://api.example.com", "https://api.example.org"],
  ["https://api.example.com/v1", "https://api.example.com/v2"],
  ["https://api.example.com/v1", "https://api.example.com/V1"],
  ["http://localhost:8080", "http://localhost:8081"],
  ["http://localhost", "https://localhost"],
  ["http://127.0.0.1", "http://127.0.0.2"],
])("%s and %s are two", (one, other) => {
  expect(canonicalAddress(one)).not.toBe(canonicalAddress(other));
});
