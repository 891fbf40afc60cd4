import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readApprovalRules } from "../../src/app/approvals/rules-file.ts";
import { refuseForeign } from "../../src/app/close/published-close.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import { openTunnel } from "../../src/movements/waiting/tunnel.ts";
import { readState } from "../../src/statements/exports/export-state.ts";
import { recordsIn } from "../../src/statements/exports/convert-earlier-state.ts";
import { networkKindOf } from "../../src/storage/sqlite/network-folder.ts";
import { postgresDefaults } from "../../src/profiles/postgres-defaults.ts";
import type { PostgresUrl } from "../../src/values/addresses/postgres-url.ts";
import { sharedSettings } from "../../src/storage/postgres/settings.ts";
import { unplugged } from "../fuzz/unplugged.ts";
import type { World } from "../memory-host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";
import { run, words } from "../partner.ts";
import { shop, webhookKey } from "../profiles/fixture.ts";
import type { Places, Reader } from "./reader.ts";
import { file, nothing, settled, typed } from "./reader.ts";

const profile = shop.config.profiles.shop;
const settings: Places = {
  "": (run) => run,
  ": the current one": (run) => JSON.stringify({ ...shop.config, current: run }),
  ": an address": (run) => configOf({ shop: { ...profile, baseUrl: `https://a.example/${run}` } }),
  ": a name": (run) => configOf({ [run]: profile }),
  ": a command": (run) => configOf({ shop: { ...profile, secretStore: "command", credentialCommand: run } }),
  ": an account": (run) => configOf({ shop: { ...profile, accountId: run } }),
};

const approvalRules: Places = {
  "": (run) => run,
  ": an amount": (run) => JSON.stringify({ levels: [{ upTo: run, approvals: 1 }], limits: { maker: { day: run } } }),
  ": a length of time": (run) => JSON.stringify({ expiry: run }),
  ": a role": (run) => JSON.stringify({ levels: [{ approvals: 1, groups: [run] }] }),
};

function configOf(profiles: object): string {
  return JSON.stringify({ version: 1, current: "shop", profiles });
}

/** Files of the program and of a person, and the output of other programs. */
export const settingReaders: readonly Reader[] = [
  ...Object.entries(settings).map(([place, text]): Reader => ({
    name: `config.json${place}`,
    takes: "files",
    read: (hostile) => run(["wallets", "list"], inFolder({ "config.json": text(hostile) })),
  })),
  {
    name: "credentials.json",
    takes: "files",
    read: (hostile) =>
      run(["profile", "show"], inFolder({ "config.json": JSON.stringify(shop.config), "credentials.json": hostile })),
  },
  {
    name: "journals.json",
    takes: "files",
    read: (hostile) => run(["journal", "list"], inFolder({ "journals.json": hostile })),
  },
  {
    name: "manifest.json of a close",
    takes: "files",
    read(hostile) {
      const folder = temporaryFolder();
      writeFileSync(join(folder, "manifest.json"), hostile);
      return settled(() => refuseForeign(memoryHost(), folder, { month: "2026-10" }));
    },
  },
  ...Object.entries(approvalRules).map(([place, text]): Reader => ({
    name: `the rules of approval${place}`,
    takes: "files",
    read: (hostile) => settled(() => readApprovalRules(memoryHost(), file("approvals.json", text(hostile)))),
  })),
  { name: "what a credentialCommand prints", takes: "words", read: (hostile) => printed("command", hostile) },
  { name: "what the keyring's process prints", takes: "words", read: (hostile) => printed("keyring", hostile) },
  {
    name: "what the keyring keeps",
    takes: "words",
    read: (hostile) => printed("keyring", JSON.stringify({ secret: hostile })),
  },
  {
    name: "the file of a secret",
    takes: "files",
    read: (hostile) => {
      const { host, environment } = unplugged({ status: 200, body: "[]" });
      const { PARTNER_SECRET_KEY: _, ...others } = environment ?? {};
      const path = file("secret", hostile);
      return run(["wallets", "list"], { host, environment: { ...others, PARTNER_SECRET_KEY_FILE: path } });
    },
  },
  {
    name: "NODE_EXTRA_CA_CERTS at doctor",
    takes: "files",
    read: (hostile) => {
      const { host, environment } = unplugged({ status: 200, body: "[]" });
      const path = file("extra.pem", hostile);
      return run(["doctor"], { host, environment: { ...environment, NODE_EXTRA_CA_CERTS: path } });
    },
  },
  typed("webhook listen --tls-cert", (run) => [
    ...words(`webhook listen --key-file ${file("key", webhookKey)} --tls-key ${file("tls.key", "x")} --tls-cert`),
    file("tls.pem", run),
  ]),
  {
    name: "what is remembered of an export",
    takes: "files",
    read: (hostile) => settled(() => readState(nodeFiles(), file("exported", hostile))),
  },
  {
    name: "a file that an earlier version exported",
    takes: "files",
    read: (hostile) => settled(() => recordsIn(file("exported.csv", hostile), "head", "csv", nodeFiles())),
  },
  { name: "the mounts of this machine", takes: "files", read: (hostile) => settled(() => mounted(hostile)) },
  typed("--secrets-from", (run) => [
    ...words("profile add shop --environment sandbox --base-url https://a.example --account-id v --secrets-from"),
    file("secrets.json", run),
  ]),
  typed("remit --from-file", (run) => [...words("remit --dry-run --from-file"), file("draft.json", run)]),
  typed("remit --from-file: its fields", (run) => [
    ...words("remit --dry-run --from-file"),
    file("draft.json", JSON.stringify({ description: run, senderAmount: run, receiver: { phoneNumber: run } })),
  ]),
  typed("--ca-cert", (run) => [...words("wallets list --ca-cert"), file("ca.pem", run)]),
  typed("--ca-cert: blocks that do not end", (run) => [
    ...words("wallets list --ca-cert"),
    file("ca.pem", `-----BEGIN CERTIFICATE-----${run}`),
  ]),
  typed("--key-file", (run) => [...words("webhook verify - --key-file"), file("key", run)]),
  typed("simulator start --seed", (run) => [...words("simulator start --seed"), file("seed.json", run)]),
  typed("simulator start --state", (run) => [...words("simulator start --state"), file("state.json", run)]),
  {
    name: "the file of passwords",
    takes: "files",
    read: (hostile) => settled(() => sharedSettings(withPasswords(`${hostile}\\\n`), database, undefined)),
  },
  {
    name: "the file of services of a database",
    takes: "files",
    read: (hostile) =>
      settled(() =>
        postgresDefaults(
          memoryHost({ environment: { PGSERVICEFILE: file("pg_service.conf", `[${hostile}]\nhost=${hostile}\n`) } }),
          "postgres:///?service=x",
        ),
      ),
  },
  {
    name: "the certificates of a database",
    takes: "files",
    read: (hostile) =>
      settled(() =>
        sharedSettings(memoryHost(), { ...database, rootCertificates: file("root.pem", hostile) }, undefined),
      ),
  },
  { name: "what a tunnel prints", takes: "files", read: (hostile) => settled(() => printedByTunnel(hostile)) },
];

const database: PostgresUrl = {
  servers: [{ host: "db.example", port: 5432, isEncrypted: true }],
  database: "books",
  user: "u",
  password: undefined,
  rootCertificates: undefined,
  clientCertificate: undefined,
  clientKey: undefined,
  session: "any",
  connectTimeoutMs: undefined,
};

function withPasswords(text: string) {
  return memoryHost({ environment: { PGPASSFILE: file("pgpass", text) } });
}

/** The secrets of a profile come from a program with this output. */
function printed(secretStore: string, text: string): unknown {
  const config = configOf({ shop: { ...profile, secretStore, credentialCommand: "vault" } });
  const world = inFolder({ "config.json": config });
  const ran = () => Promise.resolve({ exit: 0, stdout: Buffer.from(text) });
  return run(["wallets", "list"], { ...world, host: { ...world.host, run: ran } });
}

function mounted(text: string): unknown {
  const { files, ...host } = memoryHost({ machine: { platform: "linux" } });
  const read = () => Promise.resolve(Buffer.from(text));
  return networkKindOf({ ...host, files: { ...files, read } }, "/srv/books");
}

const folder = join(temporaryFolder(), "config");

/** A world with these files among the settings. */
function inFolder(files: Readonly<Record<string, string>>): World & Pick<ReturnType<typeof unplugged>, "host"> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const plain = JSON.stringify({ version: 1, profiles: {}, journals: [] });
  for (const name of ["config.json", "credentials.json", "journals.json"])
    writeFileSync(join(folder, name), files[name] ?? plain, { mode: 0o600 });
  return { host: unplugged({ status: 200, body: "[]" }).host, environment: { PARTNER_CONFIG_DIR: folder } };
}

async function printedByTunnel(hostile: string): Promise<void> {
  const { clock, signal, ...host } = memoryHost();
  const bytes = Buffer.from(hostile);
  const printing: typeof host.run = async ({ onOutput }) => {
    for (let at = 0; at < bytes.length; at += 61) onOutput?.(bytes.subarray(at, at + 61));
    return { exit: 1, stdout: new Uint8Array() };
  };
  const still = { ...clock, sleep: () => new Promise<void>(nothing) };
  await openTunnel({ clock: still, signal, run: printing }, ["tunnel"], 1);
}
