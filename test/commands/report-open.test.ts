import { expect } from "vitest";
import { temporaryFolder } from "../memory-host.ts";
import { accept } from "../movements/service.ts";
import { openTill } from "../movements/till.ts";
import { environmentFor } from "../../src/simulator/ready.ts";
import { run, words } from "../partner.ts";
import { now, test } from "../simulated.ts";
import { credit, serveStatements } from "../statements-served.ts";

test("an order without an outcome has the currency of the paying wallet", async ({ partnerIn, faults }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`ledger sync`;
  faults.loseNextAnswer();
  await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9 --yes`;
  faults.loseNextAnswer();
  await partner`transfer --from 9000445566 --to 9000445577 --amount 70 --description d --reference R-10 --yes`;
  const { stdout } = await partner`report open --where state=unknown --csv --columns reference,amount,currency`;
  expect(stdout).toBe("reference,amount,currency\nR-9,-5000.00,TZS\nR-10,-70.00,KES\n");
});

test("a collection without a row is open only in accounts of its currency", async ({ partnerIn }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`ledger sync`;
  await partner`collect --msisdn 0712345678 --channel TZ-TIGO-C2B --amount 1500 --narration n --reference C-1 --callback-url https://h.example/x --yes`;
  const openIn = async (account: string) =>
    (await partner`report open --account ${account} --where reference=C-1 --csv --columns state,reference`).stdout;
  expect(await openIn("9000445566")).toBe("state,reference\n");
  expect(await openIn("0560066551200")).toBe("state,reference\npending,C-1\n");
});

test("an order is open only in its own wallet", async ({ partnerIn, faults }) => {
  const partner = partnerIn({ environment: { PARTNER_CONFIG_DIR: temporaryFolder() } });
  await partner`ledger sync`;
  faults.loseNextAnswer();
  await partner`transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9 --yes`;
  const openIn = async (account: string) =>
    (await partner`report open --account ${account} --where reference=R-9 --csv --columns reference`).stdout;
  expect(await openIn("9000112244")).toBe("reference\n");
  expect(await openIn("9000112233")).toBe("reference\nR-9\n");
});

test("an order dated by a clock that was ahead is open, but not with an earlier --as-of", async ({
  simulator,
  faults,
}) => {
  const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: temporaryFolder() };
  const at = (time: number, line: string) => run(words(line), { now: time, environment });
  await at(now, "ledger sync");
  faults.loseNextAnswer();
  const order = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9 --yes";
  expect((await at(now + 400 * 86_400_000, order)).exit).toBe(6);
  const openItems = "report open --where state=unknown --csv --columns reference,ageDays";
  expect((await at(now, openItems)).stdout).toBe("reference,ageDays\nR-9,0\n");
  expect((await at(now, `${openItems} --as-of ${new Date(now).toISOString()}`)).stdout).toBe("reference,ageDays\n");
});

const withdrawal = (reference: string) =>
  `withdraw --account 9000112233 --amount 5 --narration rent --reference ${reference} --yes`;

test("an order before the ledger's first day is not open, and a later order does not appear with --as-of", async () => {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  const on = (day: string, line: string) => till.run(line, { now: Date.parse(`${day}T09:00:00Z`) });
  const first = { valueDate: "2026-06-01 09:00:00", txnDate: "2026-06-01 09:00:00", balance: "1000000.00" };
  service.write("9000112233", [credit("5", first)]);
  await on("2026-05-28", withdrawal("R-1"));
  await on("2026-06-02", withdrawal("R-2"));
  await on("2026-06-03", "ledger sync");
  await on("2026-06-09", withdrawal("R-3"));
  await on("2026-06-09", "ledger sync");
  const openItems = async (line: string) => (await on("2026-06-09", `report open --csv ${line}`)).stdout;
  const columns = "--columns reference,state,ageDays";
  expect(await openItems(columns)).toBe("reference,state,ageDays\nR-2,unmatched,7\nR-3,in transit,0\n");
  const then = await openItems(`--as-of 2026-06-03T18:00:00+03:00 ${columns}`);
  expect(then).toBe("reference,state,ageDays\nR-2,in transit,1\n");
});

test("an accepted order without a row is in transit for exactly three days, then unmatched", async () => {
  const service = await serveStatements();
  service.react(accept);
  const till = openTill(service.environment);
  const at = (time: string, line: string) => till.run(line, { now: Date.parse(time) });
  const first = { valueDate: "2026-06-01 09:00:00", txnDate: "2026-06-01 09:00:00", balance: "1000000.00" };
  service.write("9000112233", [credit("5", first)]);
  await at("2026-06-02T09:00:00Z", withdrawal("R-2"));
  await at("2026-06-02T10:00:00Z", "ledger sync");
  const openAt = async (time: string) =>
    (await at(time, "report open --csv --columns reference,state,ageDays")).stdout.split("\n")[1];
  expect(await openAt("2026-06-04T08:59:59Z")).toBe("R-2,in transit,1");
  expect(await openAt("2026-06-04T09:00:00Z")).toBe("R-2,in transit,2");
  expect(await openAt("2026-06-05T08:59:59Z")).toBe("R-2,in transit,2");
  expect(await openAt("2026-06-05T09:00:00Z")).toBe("R-2,unmatched,3");
});

test("an incomplete ledger without open items ends with 9 and says so", async () => {
  const till = openTill((await serveStatements()).environment);
  await till.run("ledger sync");
  const earlier = await till.run("report open");
  expect(earlier).toMatchObject({ exit: 9, stdout: "" });
  expect(earlier.stderr).toContain("\nNothing is open in what the ledger has.\nError: ");
});

test("--as-of shows an order as the journal had it then, whatever its outcome was later", async ({
  simulator,
  faults,
}) => {
  const environment = { ...environmentFor(simulator), PARTNER_CONFIG_DIR: temporaryFolder() };
  const at = (hours: number, line: string) => run(words(line), { now: now + hours * 3_600_000, environment });
  const openAt = async (hours: number) => {
    const time = new Date(now + hours * 3_600_000).toISOString();
    const line = `report open --as-of ${time} --where 'reference~"R-"' --csv --columns state,reference`;
    return (await at(9, line)).stdout;
  };
  faults.plan("fail-request=money:1");
  const order = "transfer --from 9000112233 --to 9000112244 --amount 5000 --description d --reference R-9 --yes";
  expect((await at(0, order)).exit).toBe(6);
  await at(1, "ledger sync");
  const refused = "journal resolve R-9 --as refused --evidence call --against-statement --unchecked";
  expect((await at(3, refused)).exit).toBe(0);
  expect((await at(5, `${order} --again --check-statement never`)).exit).toBe(0);
  expect(await openAt(2)).toBe("state,reference\nunknown,R-9\n");
  expect(await openAt(4)).toBe("state,reference\n");
  expect(await openAt(6)).toBe("state,reference\nin transit,R-9\n");
});
