import { Failure } from "../../values/failure.ts";
import { visible } from "../../values/text/text.ts";
import { DeniedError, allowedGroups } from "./denied.ts";
import { roleInSql } from "../../values/text/sql-name.ts";
import { databaseErrorOf } from "./failures.ts";
import { newerHint, refusedHint } from "../failures.ts";

/** A shared store's name for messages, and the fate of money when it can't be used. */
export interface SharedName {
  readonly noun: "journal" | "inbox" | "ledger";
  /** Without user and password. */
  readonly name: string;
  readonly money: "none" | "not moved";
}

const hints = {
  unreachable: "Check that the server runs and that this machine may reach it, then run it again.",
  unusable: "Put it right on the server, or ask its administrator.",
  damaged: "It is left as it is. Restore the database from a backup, or have its administrator look into it.",
  missing: "Create it, as a user who may create tables: partner journal migrate",
  newer: newerHint,
} as const;
const checks = { journal: "partner journal verify", ledger: "partner ledger status", inbox: "partner doctor" } as const;
const states = {
  unreachable: "cannot be reached",
  unusable: "cannot be used",
  damaged: "is damaged",
  newer: "is newer than this partner",
} as const;

/** Turns an error of a shared journal, inbox or ledger into a `Failure`; returns other errors unchanged. */
export function storeFailure(error: unknown, shared: SharedName): unknown {
  const { noun, name, money } = shared;
  const denied = error instanceof DeniedError ? deniedFailure(error, shared) : undefined;
  if (denied !== undefined) return denied;
  const databaseError = databaseErrorOf(error);
  if (databaseError === undefined) return error;
  const { kind, reason, advice } = databaseError;
  const what = `The shared ${noun} ${name}`;
  if (kind === "busy")
    return new Failure("unavailable", `${what} is kept busy by others.`, {
      hint: "Run it again in a moment.",
      money,
      cause: error,
    });
  if (kind === "locked")
    return new Failure("unavailable", `${what} is locked by the database role ${visible(reason)}.`, {
      hint: "Have that transaction stopped, or run it again when it has ended. On the server: SELECT pg_terminate_backend(PROCESS)",
      money,
      cause: error,
    });
  if (kind === "slow")
    return new Failure("unavailable", `${what} gave up a request: ${visible(reason)}.`, {
      hint: "Run it again when its server has less to do.",
      money,
      cause: error,
    });
  if (kind === "missing")
    return new Failure("setup", `The database ${name} has no ${noun} of partner yet.`, {
      hint: hints.missing,
      money,
      cause: error,
    });
  if (kind === "refused")
    return new Failure("setup", `${what} refuses a change: ${visible(reason)}.`, {
      hint: refusedHint(checks[noun]),
      money,
      cause: error,
    });
  const noMoney = noun === "journal" && money !== "none" ? "No money moves without a journal. " : "";
  return new Failure("setup", `${what} ${states[kind]}: ${visible(reason)}.`, {
    hint: `${noMoney}${advice ?? hints[kind]}`,
    money,
    cause: error,
  });
}

/** The failure of a role that is in none of the groups that may; undefined where that isn't why. */
function deniedFailure(error: DeniedError, { noun, name, money }: SharedName): Failure | undefined {
  const groups = allowedGroups(error, noun)?.map((group) => visible(roleInSql(group)));
  if (groups === undefined) return undefined;
  const role = visible(error.role);
  const [last = "", ...others] = groups.toReversed();
  const members = others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
  const granted = others.length === 0 ? last : "GROUP";
  return new Failure("setup", `This database role (${role}) may not ${error.access} the shared ${noun} ${name}.`, {
    hint: `Members of ${members} may. If this role should, too, have the owner of the database run: GRANT ${granted} TO ${visible(roleInSql(error.role))}`,
    money,
    cause: error,
  });
}
