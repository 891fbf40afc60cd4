import { approvalsLayout } from "../approvals/schema.ts";
import { functionsIn } from "../roles/groups.ts";
import { rolesSql } from "../roles/roles-sql.ts";
import { journalLayout } from "../schema.ts";

/** A trigger as the program made it. */
export interface ExpectedTrigger {
  readonly table: string;
  readonly name: string;
  readonly calls: string;
  readonly isConditional: boolean;
  /** True where it also fires in a superuser's session that plays a replica. */
  readonly isAlways: boolean;
}

/** A function as the program made it. */
export interface ExpectedFunction {
  readonly body: string;
  /** True where it has its owner's rights, and a search path without the caller's schemas. */
  readonly isDefiner: boolean;
}

/** What protects a journal, read out of the SQL that made it. */
export interface Expected {
  readonly triggers: readonly ExpectedTrigger[];
  readonly functions: ReadonlyMap<string, ExpectedFunction>;
}

const triggerText =
  /CREATE (?:CONSTRAINT )?TRIGGER (\w+)\s+(?:BEFORE|AFTER)(.*?\sON partner\.(\w+).*?)EXECUTE FUNCTION partner\.(\w+)\(/gs;
const alwaysText = /ALTER TABLE partner\.(\w+) ENABLE ALWAYS TRIGGER (\w+)/g;

/** @param hasApprovals whether four eyes were set up */
export function expectedGuards(hasApprovals: boolean): Expected {
  const migrations = [...journalLayout.migrations, ...(hasApprovals ? approvalsLayout.migrations : [])];
  const text = migrations.join("\n");
  const always = new Set([...text.matchAll(alwaysText)].map(([, table, name]) => `${table} ${name}`));
  const made = [...text.matchAll(triggerText)].map(([, name = "", event = "", table = "", calls = ""]) => ({
    table,
    name,
    calls,
    isConditional: /\sWHEN \(/.test(event),
    isAlways: always.has(`${table} ${name}`),
  }));
  // A later definition replaces an earlier one.
  const triggers = [...new Map(made.map((trigger) => [`${trigger.table} ${trigger.name}`, trigger])).values()];
  const functions = [...functionsIn(migrations)].map(([name, definition]): [string, ExpectedFunction] => [
    name,
    {
      body: /\$\$(.*)\$\$/s.exec(definition)?.[1] ?? "",
      isDefiner: definition.includes("SECURITY DEFINER"),
    },
  ]);
  return { triggers, functions: new Map(functions) };
}

const grantText = /GRANT ((?:SELECT|INSERT|UPDATE|DELETE|EXECUTE|USAGE)[^;%]*?) ON ([^;%]*?) TO ([^;%]*?);/g;
const rightText = /(SELECT|INSERT|UPDATE|DELETE|EXECUTE|USAGE)(?: \(([^)]*)\))?/g;
const policyText = /CREATE POLICY (\w+) ON (?:partner\.)?(\w+|%s)/g;

/** What groups may do, and the names of row policies: all else was added by hand. */
export interface ExpectedRights {
  /** `GROUP RIGHT THING` or `GROUP RIGHT TABLE.COLUMN`, the group by its first name, such as `partner_maker`. */
  readonly rights: ReadonlySet<string>;
  /** Tables that are named there; all other tables belong to runners, and auditors read them. */
  readonly tables: ReadonlySet<string>;
  readonly policies: ReadonlySet<string>;
}

export function expectedRights(): ExpectedRights {
  const names = {
    maker: "partner_maker",
    checker: "partner_checker",
    runner: "partner_runner",
    auditor: "partner_auditor",
  };
  const text = rolesSql(names, undefined).replaceAll(/\s+/g, " ");
  const rights = new Set<string>();
  const tables = new Set<string>();
  for (const [, given = "", on = "", to = ""] of text.matchAll(grantText)) {
    const things = on
      .replace(/^FUNCTION /, "")
      .split(/, (?=partner\.)/)
      .map((thing) => thing.replace(/^partner\.|\(.*/g, ""));
    for (const thing of things) {
      tables.add(thing);
      for (const group of to.split(", "))
        for (const [, right = "", columns] of given.matchAll(rightText))
          for (const column of columns?.split(", ") ?? [""])
            rights.add(`${group.replaceAll('"', "")} ${right} ${thing}${column === "" ? "" : `.${column}`}`);
    }
  }
  const policies = new Set([...text.matchAll(policyText)].map(([, name]) => String(name)));
  return { rights, tables, policies };
}
