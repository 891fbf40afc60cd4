import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./memory-host.ts";
import type { PostgresServer } from "./postgres.ts";

export const needsPgbouncer = spawnSync("pgbouncer", ["--version"]).status === 0 ? "" : " (skipped: needs pgbouncer)";

/** How a pooler lends its connections: until the client leaves, for one transaction, or for one statement. */
export type PoolMode = "session" | "transaction" | "statement";

/** A pooler in front of a server. */
export interface Pooler {
  /** The server, with addresses of the pooler for its databases. */
  readonly server: PostgresServer;
  /** The pooler's address of a database, by the server's. */
  throughPooler(address: string): string;
  stop(): Promise<void>;
}

/** @param passwords of the roles that log in */
export async function pooled(
  server: PostgresServer,
  mode: PoolMode,
  passwords: Readonly<Record<string, string>>,
): Promise<Pooler> {
  const [folder, port] = [temporaryFolder(), await freePort()];
  const [settings, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")];
  const lines = Object.entries({ ...passwords, postgres: server.password }).map(
    ([role, word]) => `"${role}" "${word}"\n`,
  );
  writeFileSync(users, lines.join(""), { mode: 0o600 });
  const options = {
    listen_addr: "127.0.0.1",
    listen_port: port,
    unix_socket_dir: "",
    auth_type: "scram-sha-256",
    auth_file: users,
    pool_mode: mode,
    server_tls_sslmode: "disable",
  };
  const text = Object.entries(options).map(([name, value]) => `${name} = ${value}\n`);
  writeFileSync(settings, `[databases]\n* = host=127.0.0.1 port=${server.port}\n[pgbouncer]\n${text.join("")}`, {
    mode: 0o600,
  });
  const who = process.getuid?.() === 0 ? ["--reuid=postgres", "--regid=postgres", "--clear-groups"] : [];
  if (who.length > 0) {
    const id = Number(spawnSync("id", ["-u", "postgres"], { encoding: "utf8" }).stdout);
    chmodSync(folder, 0o755);
    for (const path of [settings, users]) chownSync(path, id, -1);
  }
  const child = spawn("setpriv", [...who, "--pdeathsig", "TERM", "pgbouncer", "-q", settings], { stdio: "ignore" });
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error("pgbouncer did not start");
    await setTimeout(20);
  }
  const throughPooler = (address: string) => Object.assign(new URL(address), { port: String(port) }).href;
  return {
    throughPooler,
    server: {
      ...server,
      copyDatabase: undefined,
      newDatabase: async () => throughPooler(await server.newDatabase()),
    },
    async stop() {
      const gone = once(child, "exit");
      child.kill();
      await gone;
    },
  };
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  const isThere = await Promise.race([
    once(socket, "connect").then(() => true),
    once(socket, "error").then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return isThere;
}
