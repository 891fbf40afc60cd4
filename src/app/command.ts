import { commandsWith } from "../cli/command.ts";
import { withoutNicknames } from "./accounts/nicknames.ts";
import { Session } from "./session.ts";

/**
 * Makes a command of its description. Its `run` is given a session with the account that the flags name, and
 * account numbers where nicknames were typed.
 */
export const command = commandsWith<Session>(
  (world, flags, forms) => new Session(world, flags, forms),
  withoutNicknames,
);
