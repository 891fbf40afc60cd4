import { join } from "node:path";
import type { World } from "../memory-host.ts";
import { temporaryFolder } from "../memory-host.ts";
import type { Run } from "../partner.ts";
import { run, words } from "../partner.ts";
import { test as base } from "../simulated.ts";
import { leaksIn, planted } from "./served.ts";

/** Somebody at a shell, with a folder of profiles of their own. */
export interface Shell {
  /** Folder of the profiles. */
  readonly folder: string;
  /** A command line in a world of this folder; every run is looked through for secrets. */
  readonly type: (line: string, world?: World) => Promise<Run & { readonly asked: readonly string[] }>;
}

/** A test with such a shell, and the simulator where it is asked for. */
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
/** What `profile add` needs besides. */
export const flags = "--environment live --base-url https://api.example/tembo/v1/ --account-id vendor-7";
/** A person is there to be asked. */
export const terminal = { stdin: true, stdout: true, stderr: true };
