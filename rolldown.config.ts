import { join, relative } from "node:path";
import type { BuildOptions, PreRenderedChunk } from "rolldown";
import { ascii } from "./scripts/build/ascii.ts";
import { diet } from "./scripts/build/diet.ts";
import { lazyOclif } from "./scripts/build/lazy.ts";
import { loadedTogether } from "./scripts/build/loaded-together.ts";
import { notices } from "./scripts/build/notices.ts";
import { plainExports } from "./scripts/build/plain-exports.ts";
import { sbom } from "./scripts/build/sbom.ts";

const root = import.meta.dirname;
/** What so many of the commands load is no longer looked for in files of its own. */
const mostCommands = 40;
const source = (name: string) => join(root, `src/${name}.ts`);
/** What a thread begins with, and no run. */
const ofThreads = new Set(["thread", "host/process/thread-port"].map(source));
/** The commands that place one order. */
const orders = ["transfer", "withdraw", "collect", "remit"].map((name) => source(`commands/${name}`));

/**
 * The program as CommonJS, which starts faster than modules do and leaves Node's own undici alone when it asks for
 * `node:http`. One file a command, and one for each heavy package, so that a run reads what it needs. Everything is
 * bundled but the keyring, whose native part npm chooses for the machine. Not minified: what is installed can be read.
 */
const config: BuildOptions = {
  cwd: root,
  input: { main: "src/start.ts", thread: "src/thread.ts" },
  platform: "node",
  external: [/^@napi-rs\/keyring/],
  transform: {
    define: {
      // As Node's own build of undici does it: llhttp alone, without the second, experimental HTTP parser.
      esbuildDetection: "true",
      // No variable puts another client of PostgreSQL in the place of this one.
      "process.env.NODE_PG_FORCE_NATIVE": "undefined",
    },
  },
  plugins: [diet(), lazyOclif(), notices(), sbom(), plainExports(), ascii()],
  output: {
    dir: "dist",
    cleanDir: true,
    format: "cjs",
    // What every run needs in one file, what every command needs in a second: finding six costs more than reading one.
    codeSplitting: {
      groups: [
        { name: "start", tags: ["$initial"], test: (id) => !ofThreads.has(id) && id !== source("start") },
        // For help too, which has no command to run.
        { name: "oclif", minShareCount: mostCommands, test: /node_modules[\\/](?!zod[\\/])/ },
        { name: "command", minShareCount: mostCommands, test: /^(?!\0)/ },
        // What only orders need, and before it what each of the commonest other commands needs of the same.
        loadedTogether("wallets", [...orders, source("commands/wallets/list")]),
        loadedTogether("rows", [...orders, source("commands/wallet/statement")]),
        loadedTogether("movements", [...orders, source("commands/journal/list")]),
        loadedTogether("local-journal", [source("journal/sqlite/open")]),
        loadedTogether("slips", [source("journal/slips/slip-journal")]),
        loadedTogether("order", orders),
      ],
    },
    entryFileNames: "[name].cjs",
    chunkFileNames: (chunk) => `${chunkName(chunk)}.cjs`,
    sourcemap: false,
    // A fifth of the bytes that each start reads. Licences stand in NOTICES.txt.
    comments: false,
  },
};

export default config;

function chunkName({ facadeModuleId, name }: PreRenderedChunk): string {
  if (facadeModuleId === null || facadeModuleId === undefined) return `shared/${name}`;
  const source = relative(root, facadeModuleId).replaceAll("\\", "/");
  const [, ours] = /^src\/(.+)\.ts$/.exec(source) ?? [];
  const [, packageName] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  return ours ?? `packages/${packageName ?? name}`;
}
