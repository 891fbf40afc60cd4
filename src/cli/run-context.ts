import type { Command } from "@oclif/core/command";
import type { Host } from "../host/host.ts";
import type { Outlet } from "../host/http/outlet.ts";
import type { FileFormat } from "../report/file-format.ts";
import type { EarlyFlags } from "./line/early-flags.ts";

/** What this very program says of itself. */
export interface OwnProgram {
  readonly version: string;
  /** The Node versions that it runs on, as package.json says it. */
  readonly nodeRange: string;
  /** Its own script, to be run by Node where the program is not standalone. */
  readonly script: string;
  /** The files that some of its commands can make. */
  readonly fileFormats: readonly FileFormat[];
  /** What the manifest says of every command. */
  readonly commands: () => Promise<readonly Command.Cached[]>;
  /** Ids that people type for others. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The JSON schema of a command's output, as text; undefined where there is none. */
  readonly schema: (id: string) => Promise<string | undefined>;
}

/**
 * What a command finds itself in. oclif spreads its load options into every Config that it makes, so the world travels
 * under a symbol there, not beside it.
 */
export interface RunContext {
  readonly host: Host;
  /** The way out, which is closed to all but the client. */
  readonly outlet: Outlet;
  readonly program: OwnProgram;
  /** What never stands on stderr; filled when a secret is first looked up. */
  readonly secrets: Set<string>;
  /** How to show what went wrong, by what is known of the command line so far. */
  early: EarlyFlags;
  /** The exit code of a run that ended well and not with 0, such as the one of a command that we ran for somebody. */
  exit: number;
}

const key = Symbol.for("partner.world");

/** Puts the world among load options. */
export function withRunContext<T extends object>(options: T, context: RunContext): T {
  return Object.assign(options, { [key]: context });
}

/** @throws where a command was not started through `main` */
export function runContextOf(config: { readonly options: object }): RunContext {
  const context: unknown = Reflect.get(config.options, key);
  if (!isWorld(context)) throw new Error("A command was run without a world: start it through main.");
  return context;
}

function isWorld(value: unknown): value is RunContext {
  return typeof value === "object" && value !== null && "host" in value && "program" in value;
}
