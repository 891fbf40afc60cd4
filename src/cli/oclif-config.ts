import { Config } from "@oclif/core/config";
import type { Logger } from "@oclif/core/interfaces";
import type { Catalog } from "./application.ts";
import type { Manifest, Package } from "./plugin.ts";
import { pluginOf } from "./plugin.ts";
import type { RunContext } from "./run-context.ts";
import { withRunContext } from "./run-context.ts";

/**
 * A logger that discards everything. oclif's own logger, with the package behind it, took 4 % of start-up, and prints
 * whole command lines where DEBUG is set.
 */
const nullLogger: Logger = {
  namespace: "partner",
  child: () => nullLogger,
  debug: ignore,
  error: ignore,
  info: ignore,
  trace: ignore,
  warn: ignore,
};

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

function ignore(): void {}
