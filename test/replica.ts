import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./memory-host.ts";
import type { PostgresServer } from "./postgres.ts";
import { asServer, give, programsOf } from "./postgres.ts";

const name = "second";

/** A standby of a server of the system's version, which has each commit before it is answered. */
export interface Replica {
  readonly port: number;
  /** Lets it take over; it waits for nothing any more. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes one with pg_basebackup, and has the server wait for it. */
export async function synchronousReplica(server: PostgresServer): Promise<Replica> {
  const [folder, port, programs] = [temporaryFolder(), await freePort(), programsOf(undefined)];
  give(folder);
  const data = join(folder, "data");
  const primary = `host=127.0.0.1 port=${server.port} user=postgres password='${server.password}' application_name=${name}`;
  const copied = spawnSync(
    ...asServer(programs, "pg_basebackup", ["-D", data, "-R", "-X", "stream", "-c", "fast", "-d", primary]),
    { cwd: folder, encoding: "utf8" },
  );
  if (copied.status !== 0) throw new Error(copied.stderr);
  const child = await start(folder, data, port);
  await server.sql("postgres", `ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await server.sql("postgres", "SELECT pg_reload_conf()");
  const waiting = `SELECT FROM pg_stat_replication WHERE application_name = '${name}' AND sync_state = 'sync'`;
  while ((await server.sql("postgres", waiting)).length === 0);
  return {
    port,
    async promote() {
      const { status } = spawnSync(...asServer(programs, "pg_ctl", ["promote", "-D", data, "-w"]), { cwd: folder });
      if (status !== 0) throw new Error("The standby was not promoted");
    },
    async stop() {
      if (child.exitCode !== null) return;
      const gone = once(child, "exit");
      spawnSync(...asServer(programs, "pg_ctl", ["stop", "-D", data, "-m", "immediate", "-W"]), { cwd: folder });
      await gone;
    },
  };
}

async function start(folder: string, data: string, port: number): Promise<ChildProcess> {
  const settings = {
    port: String(port),
    unix_socket_directories: folder,
    ssl: "off",
    synchronous_standby_names: "",
    max_connections: "200",
  };
  const words = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const child = spawn(
    ...asServer(programsOf(undefined), "postgres", ["-D", data, "-c", "listen_addresses=127.0.0.1", ...words]),
    { stdio: ["ignore", "ignore", "pipe"], cwd: folder },
  );
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    said.push(line);
    if (line.includes("is ready to accept read-only connections")) break;
  }
  if (child.exitCode !== null) throw new Error(`The standby did not start: ${said.join("\n")}`);
  child.stderr.resume();
  return child;
}
