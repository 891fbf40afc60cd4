import { Failure } from "../../values/failure.ts";
import { quote } from "../../values/text/text.ts";
import type { Session } from "../session.ts";

export interface OtherProgram {
  /** `partner` is this very program, wherever it is installed. */
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs another program on this terminal, and returns its exit code.
 * @throws {Failure} usage when there is no such program
 */
export async function runOther({ name, args, environment }: OtherProgram, session: Session): Promise<number> {
  const [command, ...before] = name === "partner" ? thisProgram(session) : [name];
  try {
    const program = { command, args: [...before, ...args], environment, streams: "inherit" } as const;
    return (await session.host.run(program)).exit;
  } catch (cause) {
    throw new Failure("usage", `${quote(name)} cannot be run.`, {
      hint: "Check its name and that it may be executed.",
      cause,
    });
  }
}

/** The words that start this very program. */
export function thisProgram({ host, program }: Session): [string, ...string[]] {
  const { isStandalone, nodePath } = host.machine;
  return isStandalone ? [nodePath] : [nodePath, program.script];
}
