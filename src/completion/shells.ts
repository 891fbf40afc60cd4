import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import type { Place } from "./grammar.ts";
import { powershellScript } from "./powershell.ts";
import { zshScript } from "./zsh.ts";

/** The shells that can complete, and what makes a script for each. */
const scripts = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} as const satisfies Record<string, (places: readonly Place[]) => string>;

export type Shell = keyof typeof scripts;
export const shells = ["bash", "zsh", "fish", "powershell"] as const satisfies readonly Shell[];

/**
 * A script that needs nothing but itself: it knows every command, and asks `partner` for the names of profiles alone.
 */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return scripts[shell](places);
}
