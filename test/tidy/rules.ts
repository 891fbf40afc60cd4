import { basename, dirname } from "node:path";
import type { Import, Source } from "./source.ts";

/** A rule of the house: checks the sources and returns a sentence for each breach. */
export type Rule = (sources: readonly Source[]) => string[];

/** Which folder may import from which; a folder may always import from itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  values: [],
  json: ["values"],
  contract: ["json", "values"],
  report: ["host", "values"],
  host: ["values"],
  // Of the journal it knows the claim, without which no money is sent.
  client: ["contract", "host", "journal", "json", "values"],
  profiles: ["host", "values"],
  storage: ["host", "values"],
  journal: ["contract", "host", "json", "storage", "values"],
  approvals: ["contract", "host", "journal", "json", "storage", "values"],
  close: ["ledger", "values"],
  books: ["contract", "evidence", "journal", "ledger", "statements", "values"],
  find: ["contract", "evidence", "host", "journal", "ledger", "statements", "storage", "values", "webhooks"],
  evidence: ["client", "contract", "journal", "json", "values"],
  movements: [
    "approvals",
    "client",
    "contract",
    "evidence",
    "host",
    "journal",
    "json",
    "remittance",
    "report",
    "sheets",
    "values",
  ],
  sheets: ["host", "values"],
  rules: ["host", "json", "values"],
  ledger: ["contract", "host", "json", "statements", "storage", "values"],
  statements: ["contract", "host", "journal", "json", "report", "rules", "sheets", "values"],
  remittance: ["contract", "host", "json", "values"],
  webhooks: ["contract", "host", "json", "report", "storage", "values"],
  simulator: ["contract", "host", "json", "values", "webhooks"],
  completion: ["values"],
  doctor: ["client", "host", "journal", "json", "profiles", "storage", "values"],
  // The framework of commands knows nothing of payments.
  cli: ["completion", "host", "report", "values"],
  app: [
    "approvals",
    "books",
    "cli",
    "close",
    "client",
    "contract",
    "evidence",
    "find",
    "host",
    "journal",
    "json",
    "ledger",
    "movements",
    "profiles",
    "remittance",
    "report",
    "rules",
    "simulator",
    "statements",
    "values",
    "webhooks",
  ],
  commands: [
    "app",
    "approvals",
    "cli",
    "completion",
    "contract",
    "doctor",
    "evidence",
    "journal",
    "json",
    "ledger",
    "movements",
    "profiles",
    "remittance",
    "report",
    "rules",
    "sheets",
    "simulator",
    "statements",
    "values",
    "webhooks",
  ],
  // Where the framework, the commands and the real world meet.
  "": ["app", "cli", "commands", "host", "ledger", "profiles", "statements"],
};

export const foldersKeepTheirPlace: Rule = (sources) =>
  eachImport(sources, (source, { target }) => {
    const from = folderOf(source.path);
    const to = folderOf(target);
    if (!target.startsWith("src/") || from === to || mayImport[from]?.includes(to) === true) return undefined;
    return `${source.path} imports ${target}: ${from || "src"} may import ${mayImport[from]?.join(", ") || "nothing"}`;
  });

/** Only the catalog knows the commands, and only by dynamic import, so that a run loads one of them. */
export const onlyTheCatalogLoadsCommands: Rule = (sources) =>
  eachImport(sources, (source, { target, kind }) => {
    if (folderOf(target) !== "commands" || folderOf(source.path) === "commands") return undefined;
    if (source.path === "src/catalog.ts" && kind === "dynamic") return undefined;
    return `${source.path} imports ${target}; only src/catalog.ts does, dynamically`;
  });

/** Heavy packages, each with the one file that may import it. Other files use that file, its door. */
const heavyPackages = [
  "undici",
  "conf",
  "csv-stringify",
  "hucre",
  "inquirer",
  "@inquirer",
  "@napi-rs/keyring",
  "pg",
  "hyparquet-writer",
  "sax",
  "yauzl",
];

export const heavyPackagesHaveOneDoor: Rule = (sources) =>
  heavyPackages.flatMap((heavy) => {
    const doors = sources.filter(({ imports }) =>
      imports.some((item) => item.kind !== "type" && isOf(item.target, heavy)),
    );
    return doors.length > 1
      ? [`${heavy} is imported by ${doors.map(({ path }) => path).join(" and ")}; one of them is enough`]
      : [];
  });

/** A door is opened by `await import()` alone, in each of the ways that lead to it. */
export const doorsAreOpenedWhenNeeded: Rule = (sources) => {
  const doors = sources.filter(({ imports }) =>
    imports.some(({ target, kind }) => kind === "value" && heavyPackages.some((heavy) => isOf(target, heavy))),
  );
  const reached = reachableStatically(sources, [
    "src/start.ts",
    ...sources.flatMap(({ path }) => (folderOf(path) === "commands" ? [path] : [])),
  ]);
  return doors
    .filter(({ path }) => reached.has(path))
    .map(({ path }) => `${path} is loaded by every run; open it with await import()`);
};

export const oclifStaysInCli: Rule = (sources) =>
  eachImport(sources, (source, { target }) => {
    if (!isOf(target, "@oclif/core")) return undefined;
    if (target === "@oclif/core") return `${source.path} imports all of @oclif/core; import @oclif/core/<part>`;
    return folderOf(source.path) === "cli" ? undefined : `${source.path} imports ${target}; only src/cli does`;
  });

export const zodIsTheSmallOne: Rule = (sources) =>
  eachImport(sources, (source, { target, names }) => {
    if (!isOf(target, "zod") || (target === "zod/mini" && names.every((name) => name === "*"))) return undefined;
    return `${source.path} imports ${target}; write: import * as z from "zod/mini"`;
  });

/** A code next to the words with its meaning. */
const codeInWords = /\bE(?:ACCES|EXIST|IO|NOENT|NOSPC|PERM|PIPE|ROFS|CONN\w+)"?\]?\s*[,:]\s*["'`][a-z]/;

export const systemCodesHaveOneDictionary: Rule = (sources) =>
  sources
    .filter(({ path, text }) => path !== "src/host/system-error.ts" && codeInWords.test(text))
    .map(({ path }) => `${path} says what a code of the system means; src/host/system-error.ts does`);

const hostModules =
  /^node:(child_process|cluster|dgram|dns|fs|http|http2|https|net|os|process|readline|tls|tty|worker_threads)(\/|$)/;
const hostNames: Readonly<Record<string, readonly string[]>> = {
  "node:crypto": ["randomUUID", "randomBytes", "randomInt", "getRandomValues", "webcrypto"],
};

/** Other code gets the world as `Host`. */
export const onlyTheHostTouchesTheWorld: Rule = (sources) =>
  sources
    .filter(({ path }) => folderOf(path) !== "host")
    .flatMap(({ path, globals, imports }) => [
      ...[...new Set(globals)].map((name) => `${path} uses ${name}; take it from Host`),
      ...imports
        .filter(({ target, names, kind }) => kind !== "type" && isWorld(target, names))
        .map(({ target }) => `${path} imports ${target}; only src/host does`),
    ]);

function isWorld(target: string, names: readonly string[]): boolean {
  if (!target.startsWith("node:"))
    return isOf(target, "undici") || isOf(target, "inquirer") || isOf(target, "@inquirer");
  return hostModules.test(target) || names.some((name) => name === "*" || hostNames[target]?.includes(name) === true);
}

export const nothingImportsItself: Rule = (sources) => {
  const complaints: string[] = [];
  const done = new Set<string>();
  const edges = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) complaints.push(`a circle: ${[...trail.slice(start), path].join(" → ")}`);
    if (start >= 0 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of sources) visit(path, []);
  return complaints;
};

export const everyImportSaysItsFile: Rule = (sources) => {
  const known = new Set(sources.map(({ path }) => path));
  return eachImport(sources, (source, { target }) => {
    if (target === "(computed)") return `${source.path} imports something computed; name the file`;
    if (!target.startsWith("src/") || known.has(target)) return undefined;
    return `${source.path} imports ${target}, which is no source file (write the ending .ts)`;
  });
};

export const noBarrels: Rule = (sources) =>
  sources.filter(({ isBarrel }) => isBarrel).map(({ path }) => `${path} only passes on what other files export`);

const emptyNames = new Set([
  "index",
  "utils",
  "util",
  "helpers",
  "helper",
  "common",
  "manager",
  "misc",
  "shared",
  "types",
]);

export const filesAreNamedForWhatTheyHold: Rule = (sources) =>
  sources
    .filter(({ path }) => emptyNames.has(basename(path, ".ts")) || emptyNames.has(basename(dirname(path))))
    .map(({ path }) => `${path} has a name that says nothing`);

export const fileMaxLines = 300;

/** Files that are longer than the limit for a reason, with their maximum length. */
const longFiles: Readonly<Record<string, number>> = {};

/** The most source files in one folder. */
export const folderMaxFiles = 20;

/** A folder with more has several subjects. */
export const foldersFitOntoAPage: Rule = (sources) => {
  const files = Map.groupBy(sources, ({ path }) => dirname(path));
  return [...files].flatMap(([folder, held]) =>
    held.length > folderMaxFiles ? [`${folder} holds ${held.length} files; at most ${folderMaxFiles}`] : [],
  );
};

export const filesFitIntoAHead: Rule = (sources) =>
  sources.flatMap(({ path, text }) => {
    const lines = text.split("\n").length - 1;
    const most = longFiles[path] ?? fileMaxLines;
    return lines > most ? [`${path} has ${lines} lines; ${most} are the most`] : [];
  });

/** Comments that silence the compiler or the linter. */
const silencers = /@ts-(ignore|expect-error|nocheck)|(oxlint|eslint)-disable/;

export const nothingIsSilenced: Rule = (sources) =>
  sources.flatMap(({ path, text, banned }) => [
    ...banned.map((syntax) => `${path} uses ${syntax}`),
    ...(silencers
      .exec(text)
      ?.slice(0, 1)
      .map((comment) => `${path} says ${comment}`) ?? []),
  ]);

function eachImport(sources: readonly Source[], look: (source: Source, item: Import) => string | undefined): string[] {
  return sources.flatMap((source) => source.imports.flatMap((item) => look(source, item) ?? []));
}

function folderOf(path: string): string {
  const [, folder = ""] = /^src\/([^/]+)\//.exec(path) ?? [];
  return folder;
}

function isOf(target: string, packageName: string): boolean {
  return target === packageName || target.startsWith(`${packageName}/`);
}

function reachableStatically(sources: readonly Source[], from: readonly string[]): Set<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const queue = [...from];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const { target, kind } of byPath.get(path)?.imports ?? []) if (kind === "value") queue.push(target);
  }
  return reached;
}
