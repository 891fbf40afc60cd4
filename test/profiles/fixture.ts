import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../src/values/failure.ts";
import type { MemoryHost, World } from "../memory-host.ts";
import { memoryHost, temporaryFolder } from "../memory-host.ts";

/** A host with a configuration folder of its own, and the content of that folder. */
export interface ProfileWorld {
  readonly host: MemoryHost;
  readonly folder: string;
  readonly configPath: string;
  readonly credentialsPath: string;
  /** The same folder as seen by another command, with other variables. */
  readonly again: (world: World) => MemoryHost;
}

export interface ProfileWorldSpec extends World {
  /** Content of `config.json`: text as it is, anything else as JSON. */
  readonly config?: unknown;
  readonly credentials?: unknown;
}

export function profileWorld({ config, credentials, ...world }: ProfileWorldSpec = {}): ProfileWorld {
  const folder = join(temporaryFolder(), "config");
  const configPath = join(folder, "config.json");
  const credentialsPath = join(folder, "credentials.json");
  const again = (other: World) =>
    memoryHost({ ...other, environment: { PARTNER_CONFIG_DIR: folder, ...other.environment } });
  if (config !== undefined || credentials !== undefined) mkdirSync(folder, { mode: 0o700 });
  put(configPath, config);
  put(credentialsPath, credentials);
  return { host: again(world), folder, configPath, credentialsPath, again };
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** The Failure of the promise; any other ending of it fails the test. */
export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error: unknown = await promise.then(
    () => new Error("nothing was thrown"),
    (error: unknown) => error,
  );
  if (error instanceof Failure) return error;
  throw error;
}

/** A profile's secret in the form of `credentials.json`. */
export function keptFor(boundTo: string, value: string): { value: string; boundTo: string } {
  return { value, boundTo };
}

export const webhookKey = "cGFydG5lci10ZXN0LWhhc2gta2V5LTAxMjM0NTY3ODk=";

/** One profile, `shop`, current, with all of its secrets. */
export const shop = {
  config: {
    version: 1,
    current: "shop",
    profiles: {
      shop: {
        environment: "sandbox",
        baseUrl: "https://sandbox.example/tembo/v1/",
        accountBaseUrl: "https://accounts.example",
        accountId: "vendor-1",
        callbackUrl: "https://hooks.example/in",
        secretStore: "file",
      },
    },
  },
  credentials: {
    version: 1,
    profiles: {
      shop: {
        secretKey: keptFor("https://sandbox.example/tembo/v1", "shop-secret-key"),
        accessToken: keptFor("https://accounts.example", "shop-access-token"),
        webhookKey: keptFor("https://sandbox.example/tembo/v1", webhookKey),
      },
    },
  },
} as const;

function put(path: string, content: unknown): void {
  if (content === undefined) return;
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
}
