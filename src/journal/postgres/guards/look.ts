import type { PostgresRecord } from "../../../host/databases/postgres.ts";
import type { SharedDatabase } from "../../../storage/postgres/database.ts";
import { sharedVersion } from "../../../storage/postgres/layout.ts";
import { visible } from "../../../values/text/text.ts";
import { approvalsLayout } from "../approvals/schema.ts";
import { type Group, groupNames, groups } from "../roles/groups.ts";
import type { Expected } from "./expected.ts";
import { expectedGuards, expectedRights } from "./expected.ts";

const ofOurs = "JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'partner'";
const triggersSql = `SELECT c.relname::text AS "table", t.tgname::text AS name, t.tgenabled::text AS enabled,
    p.proname::text AS calls, t.tgqual IS NOT NULL AS is_conditional
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid ${ofOurs} JOIN pg_proc p ON p.oid = t.tgfoid
  WHERE NOT t.tgisinternal`;
const functionsSql = `SELECT p.proname::text AS name, p.prosrc AS body, p.prosecdef AS is_definer,
    coalesce(p.proconfig::text LIKE '%search_path=pg_catalog, pg_temp%', false) AS is_fixed
  FROM pg_proc p WHERE p.pronamespace = 'partner'::regnamespace`;
const ownersSql = `WITH owner AS (SELECT relowner AS id FROM pg_class WHERE oid = 'partner.journal'::regclass),
    things AS (
      SELECT CASE c.relkind WHEN 'v' THEN 'view' WHEN 'S' THEN 'sequence' ELSE 'table' END AS what,
          n.nspname || '.' || c.relname AS name, c.relowner AS owner
        FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname IN ('partner', 'partner_ledger') AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      UNION ALL SELECT 'function', n.nspname || '.' || p.proname, p.proowner
        FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname IN ('partner', 'partner_ledger')
      UNION ALL SELECT 'schema', n.nspname, n.nspowner FROM pg_namespace n WHERE n.nspname IN ('partner', 'partner_ledger'))
  SELECT t.what, t.name, pg_get_userbyid(t.owner)::text AS owner, pg_get_userbyid(o.id)::text AS other
  FROM things t, owner o WHERE t.owner <> o.id ORDER BY 1, 2`;
const openTablesSql = `SELECT c.relname::text AS name, c.relrowsecurity AS is_guarded, r.rulename::text AS rule
  FROM pg_class c ${ofOurs} LEFT JOIN pg_rewrite r ON r.ev_class = c.oid
  WHERE c.relkind IN ('r', 'p') AND (NOT c.relrowsecurity OR r.oid IS NOT NULL) ORDER BY 1`;
const policiesSql = `SELECT c.relname::text AS "table", p.polname::text AS name,
    ARRAY(SELECT CASE r WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(r)::text END FROM unnest(p.polroles) AS r)::text AS roles
  FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid ${ofOurs} ORDER BY 1, 2`;
/** Rights of all roles but the owner. By default every role may execute a function. */
const rightsSql = `WITH given AS (
    SELECT c.relname::text AS thing, '' AS "column", c.relowner AS owner, (aclexplode(c.relacl)).* FROM pg_class c ${ofOurs}
    UNION ALL SELECT c.relname, a.attname, c.relowner, (aclexplode(a.attacl)).* FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid ${ofOurs} WHERE NOT a.attisdropped
    UNION ALL SELECT p.proname, '', p.proowner, (aclexplode(coalesce(p.proacl, acldefault('f', p.proowner)))).*
      FROM pg_proc p WHERE p.pronamespace = 'partner'::regnamespace
    UNION ALL SELECT 'SCHEMA partner', '', n.nspowner, (aclexplode(n.nspacl)).* FROM pg_namespace n WHERE n.nspname = 'partner'
    UNION ALL SELECT 'DATABASE', '', d.datdba, x.* FROM pg_database d,
      aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) AS x
      WHERE d.datname = current_database() AND x.grantee = 0 AND x.privilege_type = 'CONNECT')
  SELECT g.thing, g."column", CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee)::text END AS who,
    g.privilege_type AS "right" FROM given g WHERE g.grantee <> g.owner ORDER BY 1, 2, 3, 4`;

/**
 * Protections of history and decisions that differ from how they were made: a phrase each. Only owners and superusers
 * can change them, so every reader is told.
 */
export async function lookAtGuards(database: SharedDatabase): Promise<readonly string[]> {
  const hasApprovals = (await sharedVersion(database, approvalsLayout)) !== undefined;
  const expected = expectedGuards(hasApprovals);
  const read = async (text: string) => (await database.read(text)).map((record) => wordsIn(record));
  const faults = [
    ...triggerFaults(expected, await read(triggersSql)),
    ...functionFaults(expected, await read(functionsSql)),
    ...(await read(ownersSql)).map(
      ({ what, name, owner, other }) => `${what} ${name} belongs to ${owner}, not to ${other}`,
    ),
  ];
  if (!hasApprovals) return faults;
  const names = await groupNames(database);
  const shortNames = new Map<string | undefined, string>(
    groups.map((group: Group) => [names[group], `partner_${group}`]),
  );
  return [
    ...faults,
    ...(await read(openTablesSql)).map(({ name, is_guarded: isGuarded, rule }) =>
      isGuarded === "true" ? `table partner.${name} has the rule ${rule}` : `row security of partner.${name} is off`,
    ),
    ...rightFaults(shortNames, await read(policiesSql), await read(rightsSql)),
  ];
}

type Words = Readonly<Record<string, string>>;

/** Makes text visible, as names come from other people. A function's body is compared as it is. */
function wordsIn(record: PostgresRecord): Words {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, name === "body" ? String(value) : visible(String(value))]),
  );
}

function triggerFaults({ triggers }: Expected, found: readonly Words[]): readonly string[] {
  return triggers.flatMap(({ table, name, calls, isConditional, isAlways }) => {
    const what = `trigger ${name} of partner.${table}`;
    const one = found.find((trigger) => trigger["table"] === table && trigger["name"] === name);
    if (one === undefined) return [`${what} is missing`];
    if (one["enabled"] === "D" || one["enabled"] === "R") return [`${what} is disabled`];
    if (isAlways && one["enabled"] !== "A") return [`${what} no longer fires for replicas`];
    const isSame = one["calls"] === calls && one["is_conditional"] === String(isConditional);
    return isSame ? [] : [`${what} was changed`];
  });
}

function functionFaults({ functions }: Expected, found: readonly Words[]): readonly string[] {
  return [...functions].flatMap(([name, { body, isDefiner }]) => {
    const there = found.filter((one) => one["name"] === name);
    if (there.length === 0) return [`function partner.${name} is missing`];
    const isSame = there.every(
      (one) =>
        one["body"] === body && one["is_definer"] === String(isDefiner) && (!isDefiner || one["is_fixed"] === "true"),
    );
    return isSame ? [] : [`function partner.${name} was changed`];
  });
}

/** Tables in which a deputy has personal rights, to decide and to sign: triggers check each use of them. */
const deputysTables: ReadonlySet<string> = new Set(["approvals", "signing_keys", "removed_keys"]);

function rightFaults(
  shortNames: ReadonlyMap<string | undefined, string>,
  policies: readonly Words[],
  given: readonly Words[],
): readonly string[] {
  const expected = expectedRights();
  const own = new Set(shortNames.keys());
  const added = policies.filter(
    ({ name = "", roles = "" }) =>
      !expected.policies.has(name) ||
      !roles
        .slice(1, -1)
        .split(",")
        .every((role) => own.has(role.replaceAll('"', ""))),
  );
  const extra = given.filter(({ thing = "", column = "", who, right = "" }) => {
    const group = shortNames.get(who);
    if (group === undefined) return !(deputysTables.has(thing) && right === "INSERT" && column !== "");
    const isOther = !expected.tables.has(thing);
    if (isOther) return !(group === "partner_runner" || (group === "partner_auditor" && right === "SELECT"));
    return ![thing, `${thing}.${column}`].some((name) => expected.rights.has(`${group} ${right} ${name}`));
  });
  const words = extra.map(({ thing = "", column = "", who, right }) => {
    const what = thing === "DATABASE" ? "the database" : thing.startsWith("SCHEMA ") ? thing : `partner.${thing}`;
    return `${who} has ${right}${column === "" ? "" : ` (${column})`} on ${what}`;
  });
  return [...added.map(({ table, name }) => `policy ${name} on partner.${table} is not partner's`), ...words];
}
