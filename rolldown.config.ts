import { relative } from "node:path";
import type { BuildOptions, PreRenderedChunk } from "rolldown";
import { diet } from "./scripts/build/diet.ts";
import { lazyOclif } from "./scripts/build/lazy.ts";
import { notices } from "./scripts/build/notices.ts";

const root = import.meta.dirname;

/**
 * The program as CommonJS, which starts faster than modules do and leaves Node's own undici alone when it asks for
 * `node:http`. One file a command, and one for each heavy package, so that a run reads what it needs. Everything is
 * bundled but the keyring, whose native part npm chooses for the machine. Not minified: what is installed can be read.
 */
const config: BuildOptions = {
  cwd: root,
  input: { main: "src/start.ts" },
  platform: "node",
  external: [/^@napi-rs\/keyring/],
  // As Node's own build of undici does it: llhttp alone, without the second, experimental HTTP parser.
  transform: { define: { esbuildDetection: "true" } },
  plugins: [diet(), lazyOclif(), notices()],
  output: {
    dir: "dist",
    cleanDir: true,
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: (chunk) => `${chunkName(chunk)}.cjs`,
    sourcemap: false,
    // Comments that matter in a bundle are the licences; they stand in NOTICES.txt.
    comments: { legal: false },
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
