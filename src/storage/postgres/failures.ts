import { ownCodes, PostgresError } from "../../host/databases/postgres.ts";
import { certificateReason, reasonOfCode } from "../../host/system-error.ts";
import { heldCode, isBusyState, isGivenUp } from "./error-states.ts";
import { DamageError, NewerSchemaError, newerHint } from "../failures.ts";

/** The state of an unusable shared database. `missing`: its tables were never created. */
export interface DatabaseError {
  readonly kind: "busy" | "locked" | "damaged" | "missing" | "newer" | "refused" | "slow" | "unreachable" | "unusable";
  /** In words that follow a colon. */
  readonly reason: string;
  /** What to do about it, where more is known than the kind implies. */
  readonly advice?: string | undefined;
}

const problems: Readonly<Record<string, string>> = {
  "28P01": "it does not take the user's password",
  "28000": "it does not let the user in",
  "3D000": "there is no such database",
  "42501": "the user lacks the rights for it",
  "25006": "it is read-only, as a standby is",
  "42704": "it has no groups for this database",
  "53100": "its disk is full",
  "53200": "it is out of memory",
  [ownCodes.noPassword]: "it wants a password, and none is given",
  [ownCodes.noTls]: "it has no TLS",
  [ownCodes.noTarget]: "none of its servers is one that does what is asked of it (target_session_attrs)",
  [ownCodes.statementPooling]: "its pooler lends a connection for one statement, and orders need transactions",
  [ownCodes.readOnly]: "its database or this role is set to read only",
  [ownCodes.noStandby]: "the commit is on its own disk alone, as no synchronous standby answers",
  [ownCodes.clearPassword]: "it asks for the password without having proved who it is",
  [ownCodes.weakProof]: "it asks for a proof of the password that would give the password away",
  [ownCodes.noProof]: "it let this user in without proving that it knows the password",
  [ownCodes.strangeSocket]: "its socket, or the socket's folder, belongs to a user who is not root, postgres or you",
  [ownCodes.notHere]: "its name is one of this machine and leads to another one",
};
const aboutPasswords =
  "Name the right one in the address, by PGPASSWORD, or in the password file (~/.pgpass, readable for this user alone: chmod 600).";
const aboutImpostors =
  "Find out what listens there before anything else: it may be another program that wants the password.";
const aboutTime = "Have the server's administrator renew it, and look whether this machine's clock is right: date";
const aboutTrust =
  "Name the file of its authority: --ca-cert FILE, or sslrootcert=FILE in the address. Then run it again.";
const advices: Readonly<Record<string, string>> = {
  "28P01": aboutPasswords,
  "42501":
    "Have the owner of the database grant them to this database role. Where roles were set up, money is sent by members of partner_runner_DATABASE.",
  [ownCodes.noPassword]: aboutPasswords,
  [ownCodes.noTarget]:
    "Find out which of them is the primary, and whether it answers: psql -c 'SELECT pg_is_in_recovery()'",
  [ownCodes.statementPooling]:
    "Have the pooler lend it for a transaction or a session (pgbouncer: pool_mode = transaction), or name the server itself.",
  [ownCodes.readOnly]:
    "Log in as another role, or have the setting taken back: ALTER ROLE (or DATABASE) NAME RESET default_transaction_read_only",
  [ownCodes.noStandby]:
    "Bring the standby back, or have the server's administrator change synchronous_standby_names. Then run it again.",
  "28000":
    "Have a line for this user, database and address added to pg_hba.conf, or let the user log in (ALTER ROLE … LOGIN).",
  "3D000": "Correct the name at the end of the address, or have the database made: createdb NAME",
  "25006":
    "Name the primary: of several hosts, target_session_attrs=read-write finds it (postgres://ONE,TWO/DATABASE?target_session_attrs=read-write).",
  "42704":
    "A database that was renamed or copied has no groups of its own yet. Have its owner run: partner journal migrate --roles",
  "53100": "Have room made on the server's disk, then run it again.",
  "53300": "Have max_connections raised on the server, or idle connections ended. Then run it again.",
  "57P03": "Wait until the server has started or recovered, then run it again.",
  [ownCodes.noTls]:
    "Have it turned on there (ssl = on), or, on the server's own machine, use its Unix socket: ?host=/FOLDER",
  [ownCodes.clearPassword]:
    "Have it use scram-sha-256 (password_encryption, pg_hba.conf), or reach it by TLS (sslmode=verify-full) or by its Unix socket.",
  [ownCodes.weakProof]: aboutImpostors,
  [ownCodes.noProof]: aboutImpostors,
  [ownCodes.strangeSocket]:
    "Find out who listens there. A server of yours runs as postgres, root or the user who runs partner, in a folder that others cannot write to.",
  [ownCodes.notHere]: "Correct /etc/hosts, or write 127.0.0.1.",
  [ownCodes.noTrust]:
    "Correct the file of --ca-cert or sslrootcert: it holds the certificate of the server's authority.",
  ERR_TLS_CERT_ALTNAME_INVALID: "Name the server in the address as its certificate does, or have it get another one.",
  DEPTH_ZERO_SELF_SIGNED_CERT: aboutTrust,
  SELF_SIGNED_CERT_IN_CHAIN: aboutTrust,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: aboutTrust,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: aboutTrust,
  CERT_HAS_EXPIRED: aboutTime,
  CERT_NOT_YET_VALID: aboutTime,
};
const missingStates = /^(42P01|3F000)$/;
const damagedStates = /^XX00[12]$/;
/** SQLSTATEs of a change that a constraint or one of our triggers refuses. */
const refusedStates = /^23...$/;

/** Classifies an error of the network, the server or the data; undefined for every other error. */
export function databaseErrorOf(error: unknown): DatabaseError | undefined {
  if (error instanceof DamageError) return { kind: "damaged", reason: error.message };
  if (error instanceof NewerSchemaError) return { kind: "newer", reason: error.message, advice: newerHint };
  if (!(error instanceof PostgresError)) return undefined;
  const { kind, code = "", message } = error;
  const words = reasonOf(code);
  // The server's own sentence has details that we can't know: whose password, which line of which file.
  const said = /^[0-9A-Z]{5}$|^READ_ONLY$/.test(code) ? ` (it says: ${message})` : "";
  const reason = words === undefined ? message : `${words}${said}`;
  const advice = advices[code];
  if (code === heldCode) return { kind: "locked", reason: message };
  if (kind === "lost") return { kind: "unreachable", reason, advice };
  if (isBusyState(error)) return { kind: "busy", reason };
  if (isGivenUp(error)) return { kind: "slow", reason };
  if (missingStates.test(code)) return { kind: "missing", reason };
  if (refusedStates.test(code)) return { kind: "refused", reason };
  return { kind: damagedStates.test(code) ? "damaged" : "unusable", reason, advice };
}

function reasonOf(code: string): string | undefined {
  const certificate = certificateReason(code);
  return certificate === undefined
    ? (problems[code] ?? reasonOfCode(code, "connect"))
    : `its certificate ${certificate}`;
}
