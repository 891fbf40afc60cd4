import { commandsWith } from "../cli/command.ts";
import { Session } from "./session.ts";

/** Makes a command of its description. Its `run` is given a session with the account that the flags speak of. */
export const command = commandsWith((world, flags, forms) => new Session(world, flags, forms));
