import { Failure } from "../../values/failure.ts";
import type { Session } from "../session.ts";

/**
 * Nobody's input is written over with its own outcome by a slip.
 * @throws {Failure} usage
 */
export async function refuseOwnFile(
  flag: "--report" | "--save",
  path: string | undefined,
  source: string,
  { host }: Session,
): Promise<void> {
  if (path === undefined || !(await host.files.isSame(path, source))) return;
  throw new Failure("usage", `${flag} names the file of the batch itself; nothing was sent.`, {
    hint: "Name another file.",
    money: "not moved",
  });
}
