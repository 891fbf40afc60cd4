import { Config } from "@oclif/core/config";
import type { Catalog } from "./application.ts";
import { nullLogger } from "./null-logger.ts";
import type { Manifest, Package } from "./plugin.ts";
import { pluginOf } from "./plugin.ts";
import type { RunContext } from "./run-context.ts";
import { withRunContext } from "./run-context.ts";

/** The oclif Config, which commands are run and described with. `--version` and a misspelled command need none. */
export async function loadConfig(
  from: Package,
  manifest: Manifest,
  catalog: Catalog,
  context: RunContext,
): Promise<Config> {
  const plugin = pluginOf(from, manifest, catalog);
  const config = await Config.load(
    withRunContext(
      {
        root: from.root,
        pjson: from.pjson,
        plugins: new Map([[plugin.name, plugin]]),
        userPlugins: false,
        devPlugins: false,
        jitPlugins: false,
        logger: nullLogger,
      },
      context,
    ),
  );
  // oclif loads a Config again for the command that it runs, and would make a separate log for it.
  return Object.assign(config, { logger: nullLogger });
}
