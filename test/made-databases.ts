import { onTestFinished } from "vitest";
import type { PostgresServer } from "./postgres.ts";

/** A database for one test, and what its `make` said of it. */
export interface MadeDatabase<T> {
  readonly address: string;
  readonly made: T;
}

interface Kept<T> extends MadeDatabase<T> {
  /** The database that was copied from it when it was made. */
  readonly copy: string;
  readonly rights: Rights;
  isFree: boolean;
}

/** What a copy lacks: it belongs to the server. */
interface Rights {
  readonly owner: string;
  /** SQL that says who may connect. */
  readonly grants: string;
  /** The groups of the database, with their members and settings. */
  readonly groups: string;
}

/**
 * Databases of one kind, each for one test. One that an earlier test used is restored from a copy of its first state. It
 * keeps its name, and so do its groups. If a test changed its owner, who may connect, or who is in its groups, it is not
 * used again.
 */
export class MadeDatabases<T> {
  readonly #kept = new WeakMap<PostgresServer, Kept<T>[]>();

  /** @param make is called with a new database where none can be used again */
  async next(server: PostgresServer, make: (address: string) => Promise<T>): Promise<MadeDatabase<T>> {
    if (server.copyDatabase === undefined) {
      const address = await server.newDatabase();
      return { address, made: await make(address) };
    }
    const all = this.#kept.get(server) ?? [];
    this.#kept.set(server, all);
    const former = all.find(({ isFree }) => isFree);
    if (former !== undefined) former.isFree = false;
    const isBack = former !== undefined && (await bringBack(server, former));
    const kept = isBack ? former : await keep(server, make);
    if (!isBack) all.push(kept);
    onTestFinished(() => void (kept.isFree = true));
    return kept;
  }
}

async function keep<T>(server: PostgresServer, make: (address: string) => Promise<T>): Promise<Kept<T>> {
  const address = await server.newDatabase();
  const name = nameOf(address);
  const made = await make(address);
  const rights = await rightsOf(server, name);
  if (rights === undefined) throw new Error(`${name} is gone`);
  const copy = `${name}_as_made`;
  await server.copyDatabase?.(name, copy);
  return { address, made, copy, rights, isFree: false };
}

/** @returns false where a copy would not be what was made */
async function bringBack(server: PostgresServer, { address, copy, rights }: Kept<unknown>): Promise<boolean> {
  const name = nameOf(address);
  if (!areEqual(await rightsOf(server, name), rights)) return false;
  await server.sql("postgres", `DROP DATABASE ${name} WITH (FORCE)`);
  await server.copyDatabase?.(copy, name);
  await server.sql("postgres", `ALTER DATABASE ${name} OWNER TO ${rights.owner}; ${rights.grants}`);
  return areEqual(await rightsOf(server, name), rights);
}

async function rightsOf(server: PostgresServer, name: string): Promise<Rights | undefined> {
  const [row] = await server.sql("postgres", rightsSql(name));
  const [owner, grants, groups]: unknown[] = ["owner", "grants", "groups"].map((key) => Reflect.get(Object(row), key));
  if (typeof owner !== "string" || typeof grants !== "string" || typeof groups !== "string") return undefined;
  return { owner, grants, groups };
}

const rightsSql = (name: string) => `WITH ours AS (SELECT * FROM pg_roles WHERE rolname LIKE 'partner\\_%\\_${name}')
  SELECT datdba::regrole::text AS owner,
    concat('REVOKE ALL ON DATABASE ${name} FROM PUBLIC, ', datdba::regrole, ';', (SELECT string_agg(
      format('GRANT %s ON DATABASE ${name} TO %s%s;', a.privilege_type,
        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END,
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' END),
      '' ORDER BY a.grantee, a.privilege_type)
      FROM aclexplode(coalesce(datacl, acldefault('d', datdba))) AS a)) AS grants,
    concat((SELECT json_agg(o ORDER BY o.oid) FROM ours o),
      (SELECT json_agg(m ORDER BY m.roleid, m.member) FROM pg_auth_members m
        WHERE m.roleid IN (SELECT oid FROM ours) OR m.member IN (SELECT oid FROM ours)),
      (SELECT json_agg(s) FROM pg_db_role_setting s WHERE s.setdatabase = d.oid)) AS groups
  FROM pg_database d WHERE datname = '${name}'`;

function areEqual(one: Rights | undefined, other: Rights): boolean {
  return one !== undefined && JSON.stringify(one) === JSON.stringify(other);
}

function nameOf(address: string): string {
  return new URL(address).pathname.slice(1);
}
