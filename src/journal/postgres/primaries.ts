import type { Host } from "../../host/host.ts";
import type { PostgresRecord, PostgresServer, PostgresSettings } from "../../host/databases/postgres.ts";
import { PostgresError } from "../../host/databases/postgres.ts";
import { serverSql } from "./journal-view.ts";

/** For each server: one that doesn't answer soon takes no order by surprise. */
const connectMaxMs = 2_000;
const answerMaxMs = 5_000;
const lookSql = `SELECT s.*, pg_postmaster_start_time()::text AS started FROM (${serverSql}) AS s`;

/**
 * Why no order may leave where several servers of one address take writes: a former primary came back as it was. Then
 * each of them lacks what hosts sent with the other. Undefined where there is at most one.
 */
export async function severalPrimaries(host: Host, settings: PostgresSettings): Promise<string | undefined> {
  const { servers } = settings;
  if (servers.length < 2) return undefined;
  const found = await Promise.all(servers.map((server) => look(host, settings, server)));
  const primaries = found.flatMap((each) => each ?? []);
  const two = primaries.filter((one) => primaries.some((other) => isOther(one, other)));
  if (two.length === 0) return undefined;
  return `several of its servers take writes, as where a former primary came back: ${two.map(({ words }) => words).join(", ")}`;
}

interface Primary {
  readonly system: string;
  /** When it started: one server may have several names. */
  readonly started: string;
  readonly words: string;
}

function isOther(one: Primary, { system, started }: Primary): boolean {
  return one.system === system && one.started !== started;
}

/** Undefined for a standby, and for a server that doesn't answer or doesn't say which one it is. */
async function look(host: Host, settings: PostgresSettings, server: PostgresServer): Promise<Primary | undefined> {
  const alone = {
    servers: [server],
    session: "any",
    connectTimeoutMs: connectMaxMs,
    answerTimeoutMs: answerMaxMs,
  } as const;
  try {
    const connection = await (await host.postgres()).connect({ ...settings, ...alone }, host.signal);
    try {
      const [[record] = []] = await connection.run([{ text: lookSql }]);
      return primaryIn(record, server);
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof PostgresError) return undefined;
    throw error;
  }
}

function primaryIn(record: PostgresRecord | undefined, { host, port }: PostgresServer): Primary | undefined {
  const { system, timeline, started } = record ?? {};
  if (typeof system !== "string" || typeof timeline !== "number" || typeof started !== "string") return undefined;
  return { system, started, words: `${host}:${port} (timeline ${timeline})` };
}
