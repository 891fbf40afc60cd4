import { join } from "node:path";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";
import { test as base } from "../simulated.ts";
import { leaksIn, planted } from "./served.ts";

/** A person at a shell, with a profiles folder of their own. */
export interface Shell {
  /** The profiles' folder. */
  readonly folder: string;
  /** Runs a command line with this folder, and fails if its output holds a secret. */
  readonly type: (line: string, world?: World) => Promise<Run & { readonly asked: readonly string[] }>;
}

/** A test with such a shell, and the simulator on request. */
export const test = base.extend<{ readonly shell: Shell }>({
  // oxlint-disable-next-line no-empty-pattern
  shell: async ({}, use) => {
    const folder = join(temporaryFolder(), "config");
    await use({
      folder,
      async type(line, world = {}) {
        const environment = { PARTNER_CONFIG_DIR: folder, ...world.environment };
        const { host, ...ended } = await run(words(line), { ...world, environment });
        if (leaksIn(ended).length > 0) throw new Error(`A secret stands in the output of ${line}`);
        return { ...ended, asked: host.asked };
      },
    });
  },
});

/** What `--secrets-from -` reads. */
export const secrets = JSON.stringify({ secretKey: planted.secretKey, accessToken: planted.accessToken });
/** The other flags that `profile add` needs. */
export const flags = "--environment live --base-url https://api.example/tembo/v1/ --account-id vendor-7";
/** A person is at the terminal. */
export const terminal = { stdin: true, stdout: true, stderr: true };
