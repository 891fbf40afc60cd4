import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import type { World } from "../memory-host.ts";
import { MadeDatabases } from "../made-databases.ts";
import { temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { PostgresServer } from "../postgres.ts";
import type { Partner } from "../simulated.ts";
import { now } from "../simulated.ts";
import { openDesk, payouts, transfers } from "./batch-service.ts";

/** Hosts that share a database must not make the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

/** Each person's database role, and the groups of this journal that it is in. */
const people = {
  amina: ["maker"],
  musa: ["maker"],
  baraka: ["checker"],
  zuri: ["maker", "checker"],
  neema: ["checker"],
  runner: ["runner"],
  second: ["runner"],
  auditor: ["auditor"],
} as const;
export type Person = keyof typeof people;
/** All people with a login. */
export const everybody: readonly string[] = ["owner", ...Object.keys(people)];
export type Anybody = Person | "owner";

/** A journal with four eyes, and people who each have their own machine and database role. */
export interface Office {
  /** The environment of `partner` on a person's machine. Only runners have the service's credentials. */
  environmentOf(person: Anybody): Promise<Readonly<Record<string, string>>>;
  readonly database: string;
  /** The role of a group in this database. */
  group(name: "maker" | "checker" | "runner" | "auditor"): string;
  /** `partner` on a person's machine. */
  at(person: Anybody, world?: World): Partner;
  /** SQL that somebody types: the rows of its last statement. */
  sql(person: Anybody, text: string): Promise<readonly object[]>;
  /** SQL of whoever may do everything. */
  root(text: string): Promise<readonly object[]>;
  /** Has a person submit this many transfers, and returns the batch's id. */
  submit(person: Person, count: number, content?: string): Promise<string>;
  /** Has the owner and a checker set rules of approval. */
  rule(rules: object): Promise<void>;
}

/** Makes the logins of all people, once for each server. The owner may create roles and is not a superuser. */
export async function hire(server: PostgresServer): Promise<void> {
  const logins = Object.keys(people).map((person) => `CREATE ROLE ${person} LOGIN PASSWORD 'pw-${person}'`);
  await server.sql("postgres", ["CREATE ROLE owner LOGIN CREATEROLE PASSWORD 'pw-owner'", ...logins].join(";"));
}

/** Databases of offices as they open, by flags and former SQL. */
const offices = new Map<string, MadeDatabases<void>>();

/**
 * @param former the owner's SQL that makes the database of an earlier version, which is then upgraded
 */
export async function openOffice(
  server: PostgresServer,
  simulator: RunningSimulator,
  flags = "",
  former?: string,
): Promise<Office> {
  const kind = `${flags} ${former ?? ""}`;
  const alike = offices.get(kind) ?? new MadeDatabases<void>();
  offices.set(kind, alike);
  const { address } = await alike.next(server, (made) => makeOffice(officeIn(server, simulator, made), flags, former));
  return officeIn(server, simulator, address);
}

/** The office whose journal is there, with people who have just got their machines. */
export function officeIn(server: PostgresServer, simulator: RunningSimulator, address: string): Office {
  const database = new URL(address).pathname.slice(1);
  const root = (text: string) => server.sql(database, text);
  const addressOf = (person: Anybody) =>
    Object.assign(new URL(address), { username: person, password: `pw-${person}` }).href;
  const environments = new Map<Anybody, Readonly<Record<string, string>>>();
  const environmentOf = async (person: Anybody) => {
    const known = environments.get(person);
    if (known !== undefined) return known;
    const folder = temporaryFolder();
    const own = {
      PARTNER_CONFIG_DIR: folder,
      PARTNER_STATE_DIR: `${folder}/state`,
      PARTNER_JOURNAL_URL: addressOf(person),
    };
    const service = environmentFor(simulator);
    const isRunner = person === "runner" || person === "second";
    const environment = isRunner ? { ...service, ...own } : own;
    environments.set(person, environment);
    const { PARTNER_BASE_URL: url = "", PARTNER_ACCOUNT_ID: id = "" } = service;
    // A checker needs no profile.
    const profile = `profile add office --environment simulator --base-url ${url} --account-id ${id} --secret-store file`;
    if (!isRunner && person !== "baraka") await run(words(profile), { environment });
    return environment;
  };
  const at = (person: Anybody, world: World = {}): Partner => {
    const machine = { hostName: `${person}-machine`, userName: person };
    return async (line, ...values) => {
      const environment = { ...(await environmentOf(person)), ...world.environment };
      return run(words(String.raw({ raw: line }, ...values)), { now, host: { ids }, machine, ...world, environment });
    };
  };
  return {
    environmentOf,
    database,
    group: (name) => `partner_${name}_${database}`,
    at,
    root,
    sql: (person, text) => type(addressOf(person), text),
    async submit(person, count, content = transfers(count)) {
      const { exit, stdout, stderr } = await at(person)`batch submit ${openDesk().write(content)} ${payouts} --json`;
      if (exit !== 0) throw new Error(stderr);
      return String(JSON.parse(stdout).batch);
    },
    async rule(rules) {
      const file = openDesk().write(JSON.stringify(rules), "rules.json");
      for (const person of ["owner", "baraka"] as const) {
        const { exit, stderr } = await at(person)`approvals set ${file}`;
        if (exit !== 0) throw new Error(stderr);
      }
    },
  };
}

/** Makes the journal of an office in a new database. */
export async function makeOffice(office: Office, flags = "", former?: string): Promise<void> {
  await office.root(`ALTER DATABASE ${office.database} OWNER TO owner`);
  if (former !== undefined) await office.sql("owner", former);
  const made = await office.at("owner")`journal migrate ${former === undefined ? "--roles" : ""} ${flags}`;
  if (made.exit !== 0) throw new Error(made.stderr);
  const grants = Object.entries(people).map(
    ([person, groups]) => `GRANT ${groups.map((group) => office.group(group)).join(", ")} TO ${person}`,
  );
  await office.root(grants.join(";"));
}

/** All of it on one connection. */
async function type(address: string, text: string): Promise<readonly object[]> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    const result: unknown = await client.query<object>(text);
    const last: unknown = Array.isArray(result) ? result.at(-1) : result;
    return typeof last === "object" && last !== null && "rows" in last && Array.isArray(last.rows) ? last.rows : [];
  } finally {
    await client.end();
  }
}
