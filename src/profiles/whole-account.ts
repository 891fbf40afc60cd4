import type { Host } from "../host/host.ts";
import { accountVariables, variables } from "./variables.ts";

/**
 * The host for a command line with `--profile NAME`, which is the whole account: its environment has no variables of an
 * account, in either form. Without the flag, the host itself.
 */
export function hostOfAccount(host: Host, profile: string | undefined): Host {
  const aside = variablesSetAside(host, profile);
  if (aside.length === 0) return host;
  const unset = Object.fromEntries(aside.map((name) => [name, undefined]));
  return { ...host, environment: { ...host.environment, ...unset } };
}

/** The names of the variables that `--profile NAME` overrides. An empty one counts as unset. */
export function variablesSetAside(host: Host, profile: string | undefined): readonly string[] {
  if (profile === undefined) return [];
  return accountVariables
    .flatMap((key) => [variables[key], `${variables[key]}_FILE`])
    .filter((name) => (host.environment[name] ?? "") !== "");
}
