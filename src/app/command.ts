import { commandsWith } from "../cli/command.ts";
import { withoutNicknames } from "./accounts/nicknames.ts";
import { Session } from "./session.ts";

/**
 * Makes a command from its description. Its `run` gets a session with the account that the flags name, and account
 * numbers where nicknames were typed.
 */
export const command = commandsWith<Session>(
  (context, flags, forms) => new Session(context, flags, forms),
  withoutNicknames,
);
