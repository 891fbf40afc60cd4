import type { Rule } from "./rules.ts";
import type { Import } from "./source.ts";

/** A file with something that only some files may use: what could move money past the journal, and the wire. */
interface Kept {
  readonly file: string;
  /** Names in it. Default: all of it. */
  readonly names?: readonly string[];
  /** Types are restricted as well as values. */
  readonly types?: true;
  /** Folders and files below src. */
  readonly by: readonly string[];
}

export const moneyDoor: readonly Kept[] = [
  { file: "src/client/mover.ts", types: true, by: ["movements/"] },
  { file: "src/client/connection.ts", by: ["client/"] },
  { file: "src/client/network.ts", by: ["app/connection.ts"] },
  { file: "src/journal/issued.ts", by: ["journal/", "client/mover.ts"] },
  { file: "src/journal/issued.ts", names: ["issue"], by: ["journal/"] },
  { file: "src/journal/sqlite/open.ts", by: ["journal/", "app/journal/"] },
  { file: "src/journal/postgres/open.ts", by: ["journal/", "approvals/", "app/journal/"] },
  { file: "src/contract/endpoint.ts", names: ["reads", "readsRows", "movesMoney"], by: ["contract/"] },
  { file: "src/host/host.ts", names: ["WiredHost"], types: true, by: ["host/", "cli/main.ts"] },
  { file: "src/host/process/process-host.ts", by: ["start.ts"] },
  { file: "src/host/http/outlet.ts", by: ["cli/main.ts", "client/network.ts"] },
  { file: "src/host/http/plain-post.ts", by: ["host/", "client/network.ts"] },
  { file: "src/host/http/transport.ts", names: ["Transport", "WireRequest"], types: true, by: ["host/", "client/"] },
  ...["http-transport", "undici", "node-client", "connect", "exchange"].map((name) => ({
    file: `src/host/http/${name}.ts`,
    types: true as const,
    by: ["host/"],
  })),
];

/** Only files that need it may use what could send an order without the journal. */
export const moneyHasOneDoor: Rule = (sources) =>
  sources.flatMap(({ path, imports }) =>
    imports.flatMap((item) => {
      const kept = moneyDoor.find((each) => reaches(item, each) && !each.by.some((by) => path.startsWith(`src/${by}`)));
      if (kept === undefined) return [];
      return [`${path} imports ${kept.file}; only ${kept.by.join(", ")} may`];
    }),
  );

function reaches({ target, names, kind }: Import, kept: Kept): boolean {
  if (target !== kept.file || (kind === "type" && kept.types !== true)) return false;
  const isAll = names.length === 0 || names.includes("*");
  return kept.names === undefined || isAll || names.some((name) => kept.names?.includes(name));
}
