import type { SharedDatabase } from "../../../storage/postgres/database.ts";
import { groupSuffix } from "../../../storage/postgres/group-names.ts";
import { readingFunction } from "../rules/change-sql.ts";

/** The groups that people's own roles are members of. None of them can log in. */
export const groups = ["maker", "checker", "runner", "auditor"] as const;
export type Group = (typeof groups)[number];

/** The names that groups had in version 0.1.0, for the whole server; SQL of ours still says these. */
const shortName = /\bpartner_(maker|checker|runner|auditor)\b/g;

/**
 * Roles belong to the whole server, so our role names include the database: a checker of one database isn't one of all.
 */
const groupOf = `CREATE OR REPLACE FUNCTION partner.group_of(name text) RETURNS text LANGUAGE sql ${readingFunction} AS
  $$ SELECT 'partner_' || name || '_' || ${groupSuffix} $$;`;

/** The roles of the groups in the database of this connection. */
export async function groupNames(database: SharedDatabase): Promise<Readonly<Record<Group, string>>> {
  const [row] = await database.read(`SELECT ${groupSuffix} AS suffix`);
  const nameOf = (group: Group) => `partner_${group}_${String(row?.["suffix"])}`;
  return { maker: nameOf("maker"), checker: nameOf("checker"), runner: nameOf("runner"), auditor: nameOf("auditor") };
}

/** SQL with the names that groups have in one database. */
export function withNames(sql: string, names: Readonly<Record<Group, string>>): string {
  const nameOf = new Map(groups.map((group) => [`partner_${group}`, quoted(names[group])]));
  return sql.replaceAll(shortName, (name) => nameOf.get(name) ?? name);
}

/** The last definition of each function, by name. */
export function functionsIn(migrations: readonly string[]): ReadonlyMap<string, string> {
  const defined = migrations.flatMap((sql) => [
    ...sql.matchAll(/CREATE (?:OR REPLACE )?FUNCTION partner\.(\w+)\(.*?\$\$.*?\$\$;/gs),
  ]);
  return new Map(defined.map(([text, name = ""]) => [name, text]));
}

/**
 * The last definition of a function, with changes at some places.
 * @throws {Error} where one of them is not in it
 */
export function changedFunction(
  before: readonly string[],
  name: string,
  ...changes: readonly (readonly [place: string | RegExp, by: string | ((found: string) => string)])[]
): string {
  const former = functionsIn(before).get(name) ?? "";
  return changes
    .reduce((text, [place, by]) => {
      const changed = typeof by === "string" ? text.replace(place, () => by) : text.replace(place, by);
      if (changed === text) throw new Error(`partner.${name} is not what is changed here`);
      return changed;
    }, former)
    .replace(/^CREATE (OR REPLACE )?/, "CREATE OR REPLACE ");
}

/** Has functions that asked for the server's groups ask for those of their database. */
export function groupsOfOneDatabase(before: readonly string[]): string {
  const asked = [...functionsIn(before).values()].filter((text) => text.search(shortName) >= 0);
  const changed = asked.map((text) =>
    text
      .replace(/^CREATE (OR REPLACE )?/, "CREATE OR REPLACE ")
      .replaceAll(/'\{([a-z_,]+)\}'/g, (_, names: string) => `ARRAY['${names.split(",").join("', '")}']`)
      .replaceAll(/'partner_(maker|checker|runner|auditor)'/g, "partner.group_of('$1')"),
  );
  return [groupOf, ...changed].join("\n\n");
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
