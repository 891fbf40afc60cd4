import type { Connection } from "pg";
import type { OwnCode } from "./postgres.ts";
import { ownCodes, PostgresError } from "./postgres.ts";

/**
 * Fewer rounds than PostgreSQL's default make it cheap to guess the password from the proof: only an attacker asks for
 * so few.
 */
const scramMinRounds = 4096;

/** How a server asks for the password. With `scram`, both sides prove that they know it, without sending it. */
type Asked = "clear" | "md5" | "scram";

/**
 * Watches how a server authenticates us: the password is sent only to a server with a proven identity; to others, SCRAM
 * proves it without sending it.
 * @param isProved true where TLS or the owner of a Unix socket has proved the server's identity
 * @returns the function that gives the client the password
 */
export function guardPassword(
  connection: Connection,
  { password, isProved }: { readonly password: string | undefined; readonly isProved: boolean },
): () => string {
  let asked: Asked = "clear";
  let isProving = false;
  const refuse = (code: OwnCode, message: string) => {
    // Nothing that the client was about to send leaves any more.
    connection.stream.destroy();
    connection.emit("error", new PostgresError("refused", message, code, undefined));
  };
  connection.on("authenticationCleartextPassword", () => void (asked = "clear"));
  connection.on("authenticationMD5Password", () => void (asked = "md5"));
  connection.on("authenticationSASL", () => {
    asked = "scram";
    isProving = true;
  });
  connection.on("authenticationSASLContinue", ({ data }: { readonly data: string }) => {
    const [, rounds = "0"] = /(?:^|,)i=(\d+)/.exec(data) ?? [];
    if (Number(rounds) < scramMinRounds) refuse(ownCodes.weakProof, "its proof is too weak");
  });
  connection.on("authenticationSASLFinal", () => void (isProving = false));
  connection.on("authenticationOk", () => {
    if (isProving) refuse(ownCodes.noProof, "it did not prove that it knows the password");
  });
  return () => {
    if (password === undefined) throw refusal(ownCodes.noPassword, "no password is given");
    if (isProved || asked === "scram") return password;
    throw refusal(ownCodes.clearPassword, "it asks for the password itself");
  };
}

function refusal(code: OwnCode, message: string): PostgresError {
  return new PostgresError("refused", message, code, undefined);
}
