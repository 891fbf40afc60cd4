import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect } from "vitest";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { MadeDatabases } from "../made-databases.ts";
import { test } from "../simulated.ts";
import { withPostgres } from "../with-postgres.ts";
import { movedEach } from "./batch-service.ts";
import type { Office, Person } from "./four-eyes.ts";
import { hire, makeOffice, officeIn, openOffice } from "./four-eyes.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/shared-journal.md"), "utf8");

/** Each role by its name on the page, and the login that tries. The deputy and the stranger are set up for it. */
const roles = [
  ["stranger", "musa"],
  ["maker", "amina"],
  ["maker and checker", "zuri"],
  ["checker", "baraka"],
  ["deputy", "second"],
  ["runner", "runner"],
  ["auditor", "auditor"],
] as const satisfies readonly (readonly [string, Person])[];

/** SQL for which the owner first disables the triggers of these tables. */
const unbound = (sql: string) =>
  `SET session_replication_role = replica; ${[
    "approvals",
    "batches",
    "batch_rows",
    "events",
    "facts",
    "movements",
    "rules",
    "rule_words",
    "policy",
  ]
    .map((table) => `ALTER TABLE partner.${table} DISABLE TRIGGER ALL;`)
    .join(
      " ",
    )} ${sql}; ${["approvals", "movements"].map((table) => `ALTER TABLE partner.${table} ENABLE TRIGGER ALL;`).join(" ")}`;

/** `$BATCH` was submitted by amina and is not approved, `$OWN` was submitted by zuri, `$SENT` was sent. */
interface Attempt {
  /** Its words in the table on the page. */
  readonly name: string;
  /** The SQL that every role tries. */
  readonly sql: string;
  /** What the owner of the database does for the same purpose, with the guards removed. */
  readonly owners: string;
  /** The auditor's command that notices it. */
  readonly notices: "journal verify" | "doctor";
  /** What that command then says. */
  readonly says: string;
  /** Roles that may do it. */
  readonly may?: readonly string[];
  /** Roles that can try it at all; default: every role. */
  readonly only?: readonly string[];
}

const approving = (batch: string, by: string) =>
  `INSERT INTO partner.approvals (number, batch, digest, decision, who, decided_by, decided_at, member_of, acting_for, seal)
    SELECT 9, id, digest, 'approved', '{}', '${by}', 1, '[]', '[]', 'x' FROM partner.batches WHERE id = '${batch}'`;

const deciding =
  "INSERT INTO partner.approvals (batch, digest, decision, who) SELECT id, digest, 'approved', '{}' FROM partner.batches";

const attempts: readonly Attempt[] = [
  {
    name: "approve a batch of one's own",
    sql: `${deciding} WHERE id IN ('$BATCH', '$OWN') AND submitted_by = session_user`,
    owners: approving("$OWN", "baraka"),
    notices: "journal verify",
    says: "history lacks a row of its approvals, batch $OWN.",
    only: ["maker", "maker and checker"],
  },
  {
    name: "approve a batch of another person",
    sql: `${deciding} WHERE id = CASE session_user WHEN 'amina' THEN '$OWN' ELSE '$BATCH' END`,
    owners: approving("$BATCH", "baraka"),
    notices: "journal verify",
    says: "history lacks a row of its approvals, batch $BATCH.",
    may: ["maker and checker", "checker", "deputy"],
  },
  {
    name: "approve in another's name",
    sql: "INSERT INTO partner.approvals (batch, digest, decision, who, decided_by) SELECT id, digest, 'approved', '{}', 'neema' FROM partner.batches",
    owners: approving("$BATCH", "neema"),
    notices: "journal verify",
    says: "history lacks a row of its approvals, batch $BATCH.",
  },
  {
    name: "take a rejection away",
    sql: "DELETE FROM partner.approvals WHERE decision = 'rejected'",
    owners: "DELETE FROM partner.approvals WHERE decision = 'rejected'",
    notices: "journal verify",
    says: "history has a row that is missing or changed in its approvals, batch ",
  },
  {
    name: "change a submitted file",
    sql: "UPDATE partner.batches SET content = 'reference,amount'",
    owners: "UPDATE partner.batches SET content = 'reference,amount' WHERE id = '$SENT'",
    notices: "journal verify",
    says: "batch $SENT is not what was submitted.",
  },
  {
    name: "change the rules alone",
    sql: "UPDATE partner.rules SET rules = '{}'",
    owners: "UPDATE partner.rules SET rules = '{}'",
    notices: "journal verify",
    says: "its rules number 1 are not those that two people set.",
  },
  {
    name: "say another's word for rules",
    sql: "INSERT INTO partner.rule_words (rules, who, said_by) VALUES ('{}', '{}', 'neema')",
    owners:
      "INSERT INTO partner.rule_words (number, rules, who, said_by, said_at, seal) SELECT max(number) + 1, '{}', '{}', 'neema', 1, 'x' FROM partner.rule_words",
    notices: "journal verify",
    says: "history lacks what neema said in its rule_words.",
  },
  {
    name: "waive approval",
    sql: "UPDATE partner.policy SET requires_approval = false",
    owners: "ALTER TABLE partner.policy DISABLE TRIGGER ALL",
    notices: "doctor",
    says: "trigger policy_is_chained of partner.policy is disabled",
  },
  {
    name: "put down an order without approval",
    sql: "INSERT INTO partner.movements (number, id, key_hash, scope, kind, reference, state, request, request_hash, request_ids, opened_at, changed_at, who, claim, owner, claim_ends_at, seal) VALUES (99, 'x', 'x', 's', 'transfer', 'X-1', 'sending', '{}', 'h', '[]', 1, 1, '{}', '1.x', 'x', 1, 'x')",
    owners:
      "INSERT INTO partner.movements (number, id, key_hash, scope, kind, reference, state, request, request_hash, request_ids, opened_at, changed_at, who, claim, owner, claim_ends_at, seal) SELECT max(number) + 1, 'x', 'x', 's', 'transfer', 'X-1', 'sending', '{}', 'h', '[]', 1, 1, '{}', '1.x', 'x', 1, 'x' FROM partner.movements",
    notices: "journal verify",
    says: "row 3 of its movements: a row is not as it was written.",
  },
  {
    name: "change history",
    sql: "UPDATE partner.events SET who = 'x'",
    owners: "UPDATE partner.events SET note = 'paid twice' WHERE number = 2",
    notices: "journal verify",
    says: "row 2 of its events: a row is not as it was written.",
  },
  {
    name: "take history away",
    sql: "DELETE FROM partner.facts",
    owners: "DELETE FROM partner.events WHERE number = 2",
    notices: "journal verify",
    says: "a row is missing: number 2 of its events.",
  },
  {
    name: "take a trigger away",
    sql: "ALTER TABLE partner.movements DISABLE TRIGGER ALL",
    owners: "ALTER TABLE partner.finished DISABLE TRIGGER ALL",
    notices: "doctor",
    says: "trigger finished_stay of partner.finished is disabled",
  },
  {
    name: "take row security away",
    sql: "ALTER TABLE partner.batches DISABLE ROW LEVEL SECURITY",
    owners: "ALTER TABLE partner.batches DISABLE ROW LEVEL SECURITY",
    notices: "doctor",
    says: "row security of partner.batches is off",
  },
  {
    name: "join a group",
    sql: "GRANT $CHECKER TO CURRENT_USER",
    owners: "GRANT INSERT ON partner.approvals TO musa",
    notices: "doctor",
    says: "musa has INSERT on partner.approvals",
  },
  {
    name: "hold a lock that payments need",
    sql: "SELECT FROM partner.lock_slots FOR UPDATE",
    owners: "GRANT UPDATE ON partner.lock_slots TO musa",
    notices: "doctor",
    says: "musa has UPDATE on partner.lock_slots",
    may: ["runner", "deputy"],
  },
];

const denied =
  /permission denied|must be (owner|superuser)|must have|row-level security|^(amina|zuri|neema)$|nobody approved|refuse|stays|never|admin option/i;

/** A journal in which the attempts can be made. */
async function prepared(office: Office): Promise<(sql: string) => string> {
  await office.rule({ levels: [{ approvals: 1 }] });
  const sent = await office.submit("amina", 2);
  await office.at("baraka")`batch approve ${sent} --yes`;
  const rejected = await office.submit("amina", 1, "reference,amount\nN-1,7\n");
  await office.at("baraka")`batch reject ${rejected} --reason no --yes`;
  expect((await office.at("runner")`batch run --approved --yes`).exit).toBe(0);
  const batch = await office.submit("amina", 1, "reference,amount\nB-1,8\n");
  const own = await office.submit("zuri", 1, "reference,amount\nZ-1,9\n");
  expect((await office.at("auditor")`journal verify`).exit).toBe(0);
  const names = { $BATCH: batch, $OWN: own, $SENT: sent, $CHECKER: office.group("checker") };
  return (sql) => Object.entries(names).reduce((text, [name, value]) => text.replaceAll(name, value), sql);
}

const preparedOffices = new MadeDatabases<Awaited<ReturnType<typeof prepared>>>();

withPostgres("roles and what they try", (server) => {
  beforeAll(() => hire(server));

  test("are denied, as the table of the page says; its last row says what notices the owner", async ({ simulator }) => {
    const office = await openOffice(server, simulator, "--require-approval");
    const named = await prepared(office);
    await office.root(`REVOKE ${office.group("maker")} FROM musa`);
    await office.root(`GRANT CONNECT ON DATABASE ${office.database} TO musa`);
    expect((await office.at("neema")`approvals delegate --to second --until 2999-12-31`).exit).toBe(0);
    const before = await office.root("SELECT md5(string_agg(f::text, '' ORDER BY number)) FROM partner.facts f");
    const rows: string[] = [];
    for (const [name, person] of roles) {
      const cells: string[] = [];
      for (const { sql, may = [], only, name: attempt } of attempts) {
        const said = await office.sql(person, `BEGIN; ${named(sql)}; ROLLBACK`).then(
          () => "may",
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        );
        const cell = said === "may" || !denied.test(said) ? said : "denied";
        const isAsked = only?.includes(name) ?? true;
        if (isAsked) expect([name, attempt, cell]).toEqual([name, attempt, may.includes(name) ? "may" : "denied"]);
        cells.push(isAsked ? cell : "–");
      }
      rows.push(`| ${[name, ...cells].join(" | ")} |`);
    }
    expect(await office.root("SELECT md5(string_agg(f::text, '' ORDER BY number)) FROM partner.facts f")).toEqual(
      before,
    );
    expect(movedEach(simulator, 2)).toEqual([1, 1]);
    rows.push(`| ${["owner", ...attempts.map(({ notices }) => notices.replace("journal ", ""))].join(" | ")} |`);
    const table = page.replaceAll(/ +(?= \|)/g, "");
    for (const row of rows) expect(table).toContain(row);
    for (const [index, { name }] of attempts.entries()) expect(page).toContain(`\n${index + 1}. ${name}\n`);
  });

  /** An office like that of the first test, prepared once and then copied for each. */
  const openPrepared = async (simulator: RunningSimulator) => {
    const { address, made: named } = await preparedOffices.next(server, async (made) => {
      const office = officeIn(server, simulator, made);
      await makeOffice(office, "--require-approval");
      return prepared(office);
    });
    return { office: officeIn(server, simulator, address), named };
  };

  for (const { name, owners, notices, says } of attempts)
    test(`of the owner, ${name}: noticed by ${notices}`, async ({ simulator }) => {
      const { office, named } = await openPrepared(simulator);
      const isGuard = notices === "doctor";
      await office.root(isGuard ? named(owners) : unbound(named(owners)));
      const looked = await office.at("auditor")`${isGuard ? "doctor --strict" : notices}`;
      expect(looked.exit).toBe(9);
      expect(looked.stderr).toContain(isGuard ? "There is a problem: journal guards." : " is damaged: ");
      expect(isGuard ? looked.stdout : looked.stderr).toContain(named(says));
    });

  test("verify and doctor find nothing in an untouched journal", async ({ simulator }) => {
    const { office } = await openPrepared(simulator);
    expect(await office.at("auditor")`journal verify`).toMatchObject({ exit: 0 });
    expect(await office.at("auditor")`doctor --strict`).toMatchObject({ exit: 0 });
  });
});
