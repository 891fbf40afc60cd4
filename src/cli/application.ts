import type { Command } from "@oclif/core/command";
import type { NameSource } from "../completion/grammar.ts";
import type { Host } from "../host/host.ts";
import type { FileFormat } from "../report/file-format.ts";
import type { HelpSection } from "./help/layout.ts";

/** The code of each command, by its id such as `wallets:list`; loaded when the command is run. */
export type Catalog = Readonly<Record<string, () => Promise<{ readonly default: typeof Command }>>>;

/** What `partner help TOPIC` explains, by the topic's name. */
export type Topics = Readonly<Record<string, Topic>>;
export interface Topic {
  readonly summary: string;
  page(): readonly HelpSection[];
}

/** Commands that serve one purpose, by their ids. */
export interface CommandGroup {
  readonly heading: string;
  /** Listed with their summaries. */
  readonly common: readonly string[];
  /** Listed after those, by name only. */
  readonly more: readonly string[];
}

/** A word to complete, and the name of what it identifies: a wallet's number and the wallet's name. */
export interface NamedWord {
  readonly word: string;
  readonly name?: string | undefined;
}

/** Everything the framework of commands knows about its program. */
export interface Application {
  readonly catalog: Catalog;
  /** Ids by the aliases that people type for them: `wallets:list` by `wallet:list`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** How the ids of commands begin that work with no account, or are given a profile's name as an argument. */
  readonly withoutAccount: readonly string[];
  /** Ids of commands whose first argument is the profile that they work with. */
  readonly ofProfile: readonly string[];
  readonly topics: () => Promise<Topics>;
  /** Every command, in the groups of the overview. */
  readonly groups: () => Promise<readonly CommandGroup[]>;
  /** The files that some of the commands can make. */
  readonly fileFormats: readonly FileFormat[];
  /** Looks up names that a shell completes: on this machine, at once, and never over the wire. */
  readonly names: Readonly<
    Record<NameSource, (host: Host, profile: string | undefined) => Promise<readonly NamedWord[]>>
  >;
}
