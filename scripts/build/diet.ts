import type { Plugin } from "rolldown";

const mark = "\0left-out:";

/**
 * Parts of packages that the program never reaches, and what stands in their place. What oclif has for plugins on disk
 * and for TypeScript sources goes: the commands are known, from the manifest and the catalog.
 */
const leftOut: Readonly<Record<string, string>> = {
  "cli-spinners": "exports.__esModule = true; exports.default = {};",
  "get-package-type": "exports.sync = absent;",
  lilconfig: "exports.lilconfig = absent;",
  minimatch: "exports.minimatch = absent;",
  tinyglobby: "exports.glob = absent;",
  "ts-path": "exports.tsPath = async (root, path) => path;",
  // Asks for the shell and for Windows below Linux at each start; nobody here wants to know.
  "oclif-os": `exports.getPlatform = async () => process.platform;
    exports.getShell = async () => "unknown";
    exports.getHomeDir = () => require("node:os").homedir();`,
  // Looks for a theme of the user's and for package.json files; there is no theme, and the package is known.
  "oclif-files": `exports.safeReadJson = async () => undefined;
    exports.readJson = exports.fileExists = exports.dirExists = absent;`,
  // Command lines are read by cli/tokens.ts; what oclif's flags and arguments are is told to its help alone.
  "oclif-parser": "exports.parse = exports.flagUsages = absent;",
  // conf checks against a schema only where it is given one; what it is given was checked before.
  ajv: "exports.Ajv2020 = absent;",
  "ajv-formats": "exports.default = absent;",
  // For the prompt that opens an editor: half a megabyte of character tables.
  "@inquirer/external-editor": "exports.editAsync = absent;",
  // Only for a body that is a form, a Blob or an iterable; ours are text.
  "undici-fetch": "exports.extractBody = absent;",
  // HTTP/2 is never offered; it alone would load Node's own http2, tls and crypto.
  "undici-h2": "module.exports = absent;",
  // PostgreSQL's client in C, the one for another platform, a pool, and a second reader of password files.
  "pg-native": "module.exports = absent;",
  "pg-cloudflare": "exports.CloudflareSocket = absent;",
  "pg-pool": "module.exports = class {};",
  pgpass: "module.exports = absent;",
};

const absent = `const absent = () => { throw new Error("This part of a package was left out of the bundle."); };\n`;

/** Serves `leftOut`. The build fails where a part is never asked for: the package has moved it, and carries it again. */
export function diet(): Plugin {
  const served = new Set<string>();
  return {
    name: "diet",
    resolveId: {
      order: "pre",
      handler(source, importer) {
        const part = partOf(source, importer ?? "");
        if (!(part in leftOut)) return undefined;
        served.add(part);
        return mark + part;
      },
    },
    buildEnd(error) {
      const missed = Object.keys(leftOut).filter((part) => !served.has(part));
      if (error === undefined && missed.length > 0)
        throw new Error(`Nothing asks for these parts any more, which were left out: ${missed.join(", ")}`);
    },
    load(id) {
      if (!id.startsWith(mark)) return undefined;
      return { code: absent + (leftOut[id.slice(mark.length)] ?? ""), moduleType: "js" };
    },
  };
}

function partOf(source: string, importer: string): string {
  if (/@oclif[\\/]core[\\/]/.test(importer)) {
    if (source.endsWith("/ts-path")) return "ts-path";
    if (source.endsWith("/util/os")) return "oclif-os";
    if (source.endsWith("/util/fs")) return "oclif-files";
    if (source.endsWith("/parser")) return "oclif-parser";
  }
  if (/[\\/]undici[\\/]lib[\\/]/.test(importer)) {
    if (/\/client-h2(\.js)?$/.test(source)) return "undici-h2";
    if (/\/web\/(fetch|webidl)/.test(source)) return "undici-fetch";
  }
  return source.startsWith("ajv/") ? "ajv" : source;
}
