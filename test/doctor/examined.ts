import { join } from "node:path";
import { onTestFinished } from "vitest";
import { answer, recorder } from "../contract/recorder.ts";
import type { Files } from "../../src/host/files/files.ts";
import { nodeFiles } from "../../src/host/files/node-files.ts";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run } from "../partner.ts";

/** A Tuesday noon in Dar es Salaam; the tests' service has the same time. */
export const now = Date.UTC(2026, 2, 31, 9, 0, 0);
export const dated = "content-type: application/json\r\ndate: Tue, 31 Mar 2026 09:00:00 GMT\r\n";

export const secrets = {
  PARTNER_SECRET_KEY: "c2VjcmV0LW9mLXZlbmRvci03/+==",
  PARTNER_ACCESS_TOKEN: "token-of-vendor-7-for-group-b",
} as const;

/** A complete environment whose service gives this answer to everything. */
export async function served(answered = answer("200 OK", "[]", dated)): Promise<Record<string, string>> {
  const service = await recorder(answered);
  onTestFinished(() => service.stop());
  return {
    PARTNER_BASE_URL: `${service.origin}/tembo/v1/`,
    PARTNER_ACCOUNT_BASE_URL: `${service.origin}/bank`,
    PARTNER_ACCOUNT_ID: "vendor-7",
    ...secrets,
  };
}

export interface Examined extends Run {
  /** Each check's result and detail, by its name. */
  readonly found: Readonly<Record<string, { readonly result: string; readonly detail: string }>>;
}

/** Runs `partner doctor --json` and reads its findings. */
export async function examined(world: World = {}, ...flags: readonly string[]): Promise<Examined> {
  const outcome = await run(["doctor", "--json", ...flags], { now, ...world });
  const rows: { check: string; result: string; detail: string }[] =
    outcome.stdout === "" ? [] : JSON.parse(outcome.stdout);
  const found = Object.fromEntries(rows.map(({ check, result, detail }) => [check, { result, detail }]));
  return { ...outcome, found };
}

/** Two folders of its own, named in the environment. */
export function ownFolders(): { config: string; state: string; environment: Record<string, string> } {
  const base = temporaryFolder();
  const [config, state] = [join(base, "config"), join(base, "state")];
  return { config, state, environment: { PARTNER_CONFIG_DIR: config, PARTNER_STATE_DIR: state } };
}

/** The machine's files, with some of them changed. */
export function filesBut(changed: Partial<Files>): Files {
  return { ...nodeFiles(), ...changed };
}
