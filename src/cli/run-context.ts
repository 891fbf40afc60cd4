import type { Command } from "@oclif/core/command";
import type { Host } from "../host/host.ts";
import type { Outlet } from "../host/http/outlet.ts";
import type { FileFormat } from "../report/file-format.ts";
import type { EarlyFlags } from "./line/early-flags.ts";

/** Facts about this program. */
export interface OwnProgram {
  readonly version: string;
  /** The Node versions that it runs on, as package.json says it. */
  readonly nodeRange: string;
  /** Its own script, which Node runs where the program is not a standalone executable. */
  readonly script: string;
  /** The kinds of files that some commands can make. */
  readonly fileFormats: readonly FileFormat[];
  /** All commands, from the manifest. */
  readonly commands: () => Promise<readonly Command.Cached[]>;
  /** Aliases of command ids. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The JSON schema of a command's output, as text; undefined where it has none. */
  readonly schema: (id: string) => Promise<string | undefined>;
}

/**
 * The context of one run of a command. oclif copies its load options into every Config that it makes; the context is
 * among them, under a symbol.
 */
export interface RunContext {
  readonly host: Host;
  /** The network, closed to all but the client. */
  readonly outlet: Outlet;
  readonly program: OwnProgram;
  /** Texts to mask on stderr; each secret is added when it is first looked up. */
  readonly secrets: Set<string>;
  /** Notes that a run makes once, although it asks in one session and acts in another. */
  readonly noted: Set<string>;
  /** How to report errors, by what is known of the command line so far. */
  early: EarlyFlags;
  /**
   * The exit code of a run without a failure. Not always 0: `simulator run -- COMMAND`, for example, passes on that of
   * COMMAND.
   */
  exit: number;
}

const key = Symbol.for("partner.world");

/** Adds the context to load options. */
export function withRunContext<T extends object>(options: T, context: RunContext): T {
  return Object.assign(options, { [key]: context });
}

/** @throws {Error} where a command was not started through `main` */
export function runContextOf(config: { readonly options: object }): RunContext {
  const context: unknown = Reflect.get(config.options, key);
  if (!isRunContext(context)) throw new Error("A command was run without a world: start it through main.");
  return context;
}

function isRunContext(value: unknown): value is RunContext {
  return typeof value === "object" && value !== null && "host" in value && "program" in value;
}
