import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { environmentFor } from "../../src/simulator/ready.ts";
import type { RunningSimulator } from "../../src/simulator/simulator.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { World } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import type { PostgresServer } from "../postgres.ts";
import { now } from "../simulated.ts";
import type { Partner } from "../simulated.ts";

/** Hosts that share a database must not make the same ids. */
const ids = { uuid: randomUUID, bytes: (count: number) => new Uint8Array(randomBytes(count)), random: () => 0.5 };

const people = {
  amina: "partner_maker",
  musa: "partner_maker",
  baraka: "partner_checker",
  zuri: "partner_maker, partner_checker",
  runner: "partner_runner",
  second: "partner_runner",
  auditor: "partner_auditor",
} as const;
export type Person = keyof typeof people;

/** A journal with four eyes, and people who each have a machine and a database role of their own. */
export interface Office {
  readonly database: string;
  /** The owner's. */
  readonly address: string;
  addressOf(person: Person): string;
  /** `partner` on somebody's machine. Only runners have the service's credentials. */
  at(person: Person | "owner", world?: World): Partner;
  /** SQL that somebody types. */
  sql(person: Person, text: string): Promise<readonly object[]>;
  /** SQL of whoever may do everything. */
  root(text: string): Promise<readonly object[]>;
}

/** Makes the logins of everybody, once for a server. */
export async function hire(server: PostgresServer): Promise<void> {
  for (const person of Object.keys(people))
    await server.sql("postgres", `CREATE ROLE ${person} LOGIN PASSWORD 'pw-${person}'`);
}

export async function openOffice(server: PostgresServer, simulator: RunningSimulator, flags = ""): Promise<Office> {
  const address = await server.newDatabase();
  const database = new URL(address).pathname.slice(1);
  const addressOf = (person: Person) =>
    Object.assign(new URL(address), { username: person, password: `pw-${person}` }).href;
  const at = (person: Person | "owner", world: World = {}): Partner => {
    const folder = temporaryFolder();
    const service = environmentFor(simulator);
    const isRunner = person === "runner" || person === "second";
    const environment = {
      PARTNER_CONFIG_DIR: folder,
      PARTNER_STATE_DIR: `${folder}/state`,
      PARTNER_JOURNAL_URL: person === "owner" ? address : addressOf(person),
      ...(isRunner ? service : {}),
      ...world.environment,
    };
    const machine = { hostName: `${person}-machine`, userName: person };
    const typed = (line: string) => run(words(line), { now, host: { ids }, machine, ...world, environment });
    let isReady = isRunner || person === "owner";
    return async (line, ...values) => {
      const { PARTNER_BASE_URL: url = "", PARTNER_ACCOUNT_ID: id = "" } = service;
      if (!isReady)
        await typed(
          `profile add office --environment simulator --base-url ${url} --account-id ${id} --secret-store file`,
        );
      isReady = true;
      return typed(String.raw({ raw: line }, ...values));
    };
  };
  const office: Office = {
    database,
    address,
    addressOf,
    at,
    sql: (person, text) => type(addressOf(person), text),
    root: (text) => server.sql(database, text),
  };
  const made = await at("owner")`journal migrate --roles ${flags}`;
  if (made.exit !== 0) throw new Error(made.stderr);
  for (const [person, groups] of Object.entries(people)) await office.root(`GRANT ${groups} TO ${person}`);
  return office;
}

/** The rows of the last of several statements on one connection. */
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
