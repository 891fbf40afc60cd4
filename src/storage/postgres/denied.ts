import type { PostgresRecord } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";
import { groupSuffix } from "./group-names.ts";

/** SQLSTATE of a missing right. */
export const deniedState = "42501";

/**
 * The groups of roles that may use our tables in this database, and whether the role of the connection is in each. A
 * renamed or copied database still has groups of its former name, which may be those of another database.
 */
export const groupsSql = `SELECT session_user::text AS role, r.rolname::text AS name, pg_has_role(session_user, r.oid, 'USAGE') AS has_it
  FROM pg_namespace n CROSS JOIN LATERAL aclexplode(n.nspacl) AS a JOIN pg_roles r ON r.oid = a.grantee
  WHERE n.nspname = 'partner' AND r.rolname ~ '^partner_(maker|checker|runner|auditor)_'
    AND r.rolname::text = concat_ws('_', 'partner', split_part(r.rolname::text, '_', 2), ${groupSuffix}) GROUP BY r.oid, r.rolname ORDER BY r.rolname`;

/** What was tried with the tables of a store. */
export type Access = "read" | "write to";

/** A right that the role of the connection lacks, in a database with groups of roles. */
export class DeniedError extends PostgresError {
  readonly access: Access;
  readonly role: string;
  readonly groups: readonly { readonly name: string; readonly isOwn: boolean }[];

  /** @param groups records of `groupsSql`, at least one */
  constructor(cause: PostgresError, access: Access, groups: readonly PostgresRecord[]) {
    super("refused", cause.message, deniedState, cause);
    this.access = access;
    this.role = String(groups[0]?.["role"]);
    this.groups = groups.map(({ name, has_it: isOwn }) => ({ name: String(name), isOwn: isOwn === true }));
  }
}

type Noun = "journal" | "inbox" | "ledger";
const groupsOf: Readonly<Record<Noun, Readonly<Record<Access, RegExp>>>> = {
  journal: { read: /^partner_/, "write to": /^partner_runner_/ },
  inbox: { read: /^partner_(?:runner|auditor)_/, "write to": /^partner_runner_/ },
  ledger: { read: /^partner_(?:runner|auditor)_/, "write to": /^partner_runner_/ },
};

/**
 * The groups that may do with a store what this role may not.
 * @returns undefined where the role is in such a group, and lacks a right all the same
 */
export function allowedGroups({ access, groups }: DeniedError, noun: Noun): readonly string[] | undefined {
  const able = groups.filter(({ name }) => groupsOf[noun][access].test(name));
  return able.length === 0 || able.some(({ isOwn }) => isOwn) ? undefined : able.map(({ name }) => name);
}
