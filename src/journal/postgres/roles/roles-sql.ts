import { keyGrants } from "../chain/keys-sql.ts";
import { type Group, groups, withNames } from "./groups.ts";
import { factTables, ruleGrants, ruleTables } from "../rules/rights.ts";

/** SQLSTATE: a right is missing, or a row policy forbids it. */
export const noRights = "42501";

/** The failure reason where a role sees only its own orders. */
export const partialView = "partial view";

/** SQL: true for a role that sees only its own orders. */
export const isPartialSql = `SELECT row_security_active('partner.movements'::regclass) AND NOT EXISTS (
  SELECT FROM pg_policies WHERE schemaname = 'partner' AND tablename = 'movements' AND policyname = 'reader_sees'
    AND EXISTS (SELECT FROM unnest(roles) AS role WHERE pg_has_role(role, 'USAGE'))) AS is_partial`;

const everyone = groups.map((group) => `partner_${group}`).join(", ");
const readers = "partner_checker, partner_runner, partner_auditor";
/** Tables in which a maker doesn't see the rows of others. */
const guarded = [
  "movements",
  "events",
  "batches",
  "batch_rows",
  "approvals",
  "finished",
  "withdrawals",
  "facts",
] as const;
/** Our tables. All others, such as the inbox of webhooks, are for programs that have the service's credentials. */
const ours = [
  "layout",
  ...ruleTables,
  ...factTables,
  "journal",
  "policy",
  "accounts",
  "order_keys",
  "proofs",
  "seen",
  "spendings",
  "wallets",
  "lock_slots",
  "maker_locks",
  "pending_facts",
  "signing_keys",
  "removed_keys",
  ...guarded,
];
const mine = (batch: string) =>
  `EXISTS (SELECT FROM partner.batches b WHERE b.id = ${batch} AND b.submitted_by = session_user)`;
const ofMaker: Readonly<Record<(typeof guarded)[number], string>> = {
  movements: mine("movements.batch"),
  events: `EXISTS (SELECT FROM partner.movements m WHERE m.number = events.movement AND ${mine("m.batch")})`,
  batches: "submitted_by = session_user",
  batch_rows: mine("batch_rows.batch"),
  approvals: mine("approvals.batch"),
  finished: mine("finished.batch"),
  withdrawals: mine("withdrawals.batch"),
  facts: mine("facts.batch"),
};

/**
 * Creates missing groups, and refuses a role with a group's name that may do more. Groups of version 0.1.0 were the
 * whole server's: members of one that had rights here become members of this database's. Other groups with such names
 * lose their rights here.
 */
const roles = `DO $$
DECLARE
  one text;
  name text;
  former oid;
  member name;
BEGIN
  FOREACH one IN ARRAY ARRAY['${groups.join("', '")}'] LOOP
    name := partner.group_of(one);
    IF EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = name
        AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcanlogin OR rolreplication)) THEN
      RAISE EXCEPTION 'the role % may log in or do more than a group of ours', name USING ERRCODE = '${noRights}';
    END IF;
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = name) THEN
      EXECUTE pg_catalog.format('CREATE ROLE %I NOLOGIN', name);
    END IF;
    SELECT r.oid INTO former FROM pg_catalog.pg_roles r WHERE r.rolname = 'partner_' || one
      AND EXISTS (SELECT FROM pg_catalog.pg_namespace n, pg_catalog.aclexplode(n.nspacl) AS a
        WHERE n.nspname = 'partner' AND a.grantee = r.oid);
    CONTINUE WHEN NOT FOUND;
    FOR member IN SELECT r.rolname FROM pg_catalog.pg_auth_members m JOIN pg_catalog.pg_roles r ON r.oid = m.member
        WHERE m.roleid = former AND coalesce((to_jsonb(m) ->> 'set_option')::boolean, true) LOOP
      EXECUTE pg_catalog.format('GRANT %I TO %I', name, member);
    END LOOP;
  END LOOP;
  FOR name IN SELECT DISTINCT r.rolname FROM pg_catalog.pg_roles r
      WHERE r.rolname ~ '^partner_(${groups.join("|")})(_|$)'
        AND r.rolname NOT IN (SELECT partner.group_of(g) FROM unnest(ARRAY['${groups.join("', '")}']) AS g)
        AND EXISTS (SELECT FROM pg_catalog.pg_namespace n, pg_catalog.aclexplode(n.nspacl) AS a
          WHERE n.nspname = 'partner' AND a.grantee = r.oid) LOOP
    EXECUTE pg_catalog.format('REVOKE ALL ON SCHEMA partner FROM %1$I; REVOKE ALL ON ALL TABLES IN SCHEMA partner FROM %1$I;
      REVOKE ALL ON ALL SEQUENCES IN SCHEMA partner FROM %1$I; REVOKE ALL ON ALL FUNCTIONS IN SCHEMA partner FROM %1$I', name);
    IF to_regnamespace('partner_ledger') IS NOT NULL THEN
      EXECUTE pg_catalog.format('REVOKE ALL ON SCHEMA partner_ledger FROM %1$I;
        REVOKE ALL ON ALL TABLES IN SCHEMA partner_ledger FROM %1$I; REVOKE ALL ON ALL FUNCTIONS IN SCHEMA partner_ledger FROM %1$I', name);
    END IF;
    IF pg_catalog.pg_has_role(current_user, (SELECT datdba FROM pg_catalog.pg_database
        WHERE datname = pg_catalog.current_database()), 'MEMBER') THEN
      EXECUTE pg_catalog.format('REVOKE ALL ON DATABASE %I FROM %I', pg_catalog.current_database(), name);
    END IF;
  END LOOP;
END $$;`;

/** What orders are looked up by. Keys are hashes, and what they lead to is guarded. */
const lookupGrants = `GRANT SELECT ON partner.accounts, partner.order_keys, partner.proofs, partner.seen,
  partner.spendings TO ${everyone};
GRANT INSERT ON partner.accounts, partner.proofs, partner.seen TO partner_runner;
GRANT INSERT, UPDATE ON partner.order_keys, partner.spendings TO partner_runner;
GRANT SELECT, UPDATE ON partner.lock_slots TO partner_runner;`;

const withdrawalGrants = "GRANT INSERT (batch, who) ON partner.withdrawals TO partner_maker;";

/** Runs what earlier migrations deferred to the commit: a table with pending triggers can't be altered. */
const settled = "SET CONSTRAINTS ALL IMMEDIATE;";

/** Revokes everything, then grants what each group needs: whatever was granted by hand meanwhile is gone. */
const grants = `REVOKE ALL ON SCHEMA partner FROM PUBLIC, ${everyone};
REVOKE ALL ON ALL TABLES IN SCHEMA partner FROM PUBLIC, ${everyone};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA partner FROM PUBLIC, ${everyone};
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA partner FROM PUBLIC, ${everyone};
GRANT USAGE ON SCHEMA partner TO ${everyone};
GRANT SELECT ON partner.layout, partner.journal, partner.policy, ${guarded.map((table) => `partner.${table}`).join(", ")}
  TO ${everyone};
${lookupGrants}
${withdrawalGrants}
GRANT INSERT (description, content, orders, who) ON partner.batches TO partner_maker;
GRANT INSERT (batch, digest, decision, reason, who, looked, signature) ON partner.approvals TO partner_checker;
GRANT SELECT ON partner.pending_facts TO ${readers};
GRANT SELECT ON partner.wallets TO ${everyone};
GRANT INSERT (scope, account_no, name, currency), UPDATE (name, currency) ON partner.wallets TO partner_runner;
GRANT UPDATE (movements, events) ON partner.journal TO partner_runner;
GRANT INSERT, UPDATE ON partner.movements TO partner_runner;
GRANT INSERT ON partner.events TO partner_runner;
GRANT INSERT (batch) ON partner.finished TO partner_runner;
DO $$
DECLARE
  other regclass;
BEGIN
  FOR other IN SELECT c.oid FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = 'partner' AND c.relkind = 'r' AND NOT c.relname = ANY (ARRAY['${ours.join("', '")}']) LOOP
    EXECUTE pg_catalog.format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO partner_runner', other);
    EXECUTE pg_catalog.format('GRANT SELECT ON %s TO partner_auditor', other);
  END LOOP;
END $$;`;

/** Rights to the views of the ledger, if there is one, for roles that may read its tables. */
const viewGrants = `DO $$
BEGIN
  IF to_regnamespace('partner_ledger') IS NOT NULL THEN
    REVOKE ALL ON SCHEMA partner_ledger FROM PUBLIC;
    REVOKE ALL ON ALL FUNCTIONS IN SCHEMA partner_ledger FROM PUBLIC;
    GRANT USAGE ON SCHEMA partner_ledger TO partner_runner, partner_auditor;
    GRANT SELECT ON ALL TABLES IN SCHEMA partner_ledger TO partner_runner, partner_auditor;
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA partner_ledger TO partner_runner, partner_auditor;
  END IF;
END $$;`;

/** Rows of statements are not for makers, who see only their own orders. */
const lookupPolicies = `ALTER TABLE partner.seen ENABLE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS reader_sees ON partner.seen;
DROP POLICY IF EXISTS runner_keeps ON partner.seen;
CREATE POLICY reader_sees ON partner.seen FOR SELECT TO ${readers} USING (true);
CREATE POLICY runner_keeps ON partner.seen FOR INSERT TO partner_runner WITH CHECK (true);`;

/**
 * Row policies on every table name who sees rows, so that a server-wide right to write anywhere (pg_write_all_data)
 * doesn't help. What these roles may do is left to rights.
 */
const everyTable = `DO $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT c.oid::regclass AS id, c.relname AS name FROM pg_catalog.pg_class c
      JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'partner' AND c.relkind = 'r' LOOP
    EXECUTE pg_catalog.format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', one.id);
    IF NOT one.name = ANY (ARRAY['seen', '${[...factTables, ...guarded].join("', '")}']) THEN
      EXECUTE pg_catalog.format('DROP POLICY IF EXISTS group_reads ON %s', one.id);
      EXECUTE pg_catalog.format('DROP POLICY IF EXISTS runner_writes ON %s', one.id);
      EXECUTE pg_catalog.format('CREATE POLICY group_reads ON %s FOR SELECT TO ${everyone} USING (true)', one.id);
      EXECUTE pg_catalog.format('CREATE POLICY runner_writes ON %s TO partner_runner USING (true) WITH CHECK (true)', one.id);
    END IF;
  END LOOP;
END $$;`;

/** Keeps strangers from connecting to this database. Where another role owns it, that role has to do that. */
const connecting = `DO $$
BEGIN
  IF pg_catalog.pg_has_role(current_user, (SELECT datdba FROM pg_catalog.pg_database
      WHERE datname = pg_catalog.current_database()), 'MEMBER') THEN
    EXECUTE pg_catalog.format('REVOKE CONNECT, TEMPORARY ON DATABASE %I FROM PUBLIC', pg_catalog.current_database());
    EXECUTE pg_catalog.format('GRANT CONNECT ON DATABASE %I TO ${everyone}', pg_catalog.current_database());
  ELSE
    RAISE WARNING 'the owner of the database has to take CONNECT from PUBLIC';
  END IF;
END $$;`;

const writing = `CREATE POLICY maker_submits ON partner.batches FOR INSERT TO partner_maker
  WITH CHECK (submitted_by = session_user);
CREATE POLICY checker_decides ON partner.approvals FOR INSERT TO partner_checker
  WITH CHECK (decided_by = session_user AND NOT ${mine("approvals.batch")});
CREATE POLICY runner_orders ON partner.movements FOR INSERT TO partner_runner WITH CHECK (true);
CREATE POLICY runner_changes ON partner.movements FOR UPDATE TO partner_runner USING (true) WITH CHECK (true);
CREATE POLICY runner_tells ON partner.events FOR INSERT TO partner_runner WITH CHECK (true);
CREATE POLICY maker_withdraws ON partner.withdrawals FOR INSERT TO partner_maker
  WITH CHECK (withdrawn_by = session_user AND ${mine("withdrawals.batch")});
CREATE POLICY runner_finishes ON partner.finished FOR INSERT TO partner_runner WITH CHECK (true);`;
const writingNames = {
  batches: ["maker_submits"],
  approvals: ["checker_decides"],
  movements: ["runner_orders", "runner_changes"],
  events: ["runner_tells"],
  finished: ["runner_finishes"],
  batch_rows: [],
  withdrawals: ["maker_withdraws"],
  facts: [],
} as const;

/**
 * SQL that creates the roles, and sets what each may do and which rows it sees. It can be run again at any time.
 * @param names of the groups in this database
 * @param requiresApproval undefined leaves it as it is
 */
export function rolesSql(names: Readonly<Record<Group, string>>, requiresApproval: boolean | undefined): string {
  const policies = guarded.map((table) => {
    const names = ["reader_sees", "maker_sees", ...writingNames[table]];
    const dropped = names.map((name) => `DROP POLICY IF EXISTS ${name} ON partner.${table};`);
    return `ALTER TABLE partner.${table} ENABLE ROW LEVEL SECURITY;
${dropped.join("\n")}
CREATE POLICY reader_sees ON partner.${table} FOR SELECT TO ${readers} USING (true);
CREATE POLICY maker_sees ON partner.${table} FOR SELECT TO partner_maker USING (${ofMaker[table]});`;
  });
  const policy =
    requiresApproval === undefined ? [] : [`UPDATE partner.policy SET requires_approval = ${requiresApproval};`];
  const rights = [
    grants,
    viewGrants,
    ...policies,
    lookupPolicies,
    ruleGrants({ everyone, readers, guarded, mine }),
    keyGrants(everyone),
    writing,
    everyTable,
    connecting,
    ...policy,
  ];
  return [settled, roles, withNames(rights.join("\n\n"), names)].join("\n\n");
}
