import type { Host } from "../host/host.ts";
import { accountVariables, variables } from "./variables.ts";

/**
 * The host of a command line whose `--profile NAME` is the account, whole: in its environment no variable says anything
 * of an account, in either form. Without that flag it is the host itself.
 */
export function hostOfAccount(host: Host, profile: string | undefined): Host {
  const aside = variablesSetAside(host, profile);
  if (aside.length === 0) return host;
  const unset = Object.fromEntries(aside.map((name) => [name, undefined]));
  return { ...host, environment: { ...host.environment, ...unset } };
}

/** The names of the variables that `--profile NAME` sets aside, whatever they hold. An empty one counts as unset. */
export function variablesSetAside(host: Host, profile: string | undefined): readonly string[] {
  if (profile === undefined) return [];
  return accountVariables
    .flatMap((key) => [variables[key], `${variables[key]}_FILE`])
    .filter((name) => (host.environment[name] ?? "") !== "");
}
