import { readFile, stat } from "node:fs/promises";
import { ownCodes, PostgresError } from "./postgres.ts";

const root = 0;
const othersMayWrite = 0o022;
/** In a folder with this bit, only a file's owner may replace the file. */
const stickyBit = 0o1000;

/** The path of a server's socket in a folder. */
export function socketPath(folder: string, port: number): string {
  return `${folder.replace(/(?<!\/)\/+$/, "")}/.s.PGSQL.${port}`;
}

/**
 * Checks that a Unix socket belongs to root, to postgres or to this user, and that no other user could have put it
 * there: a stranger's server could collect passwords.
 * @throws {PostgresError} refused where it is a stranger's | lost where there is none
 */
export async function checkSocketOwner(folder: string, port: number): Promise<void> {
  if (process.platform === "win32") return;
  try {
    const trusted = new Set([root, process.getuid?.(), await uidOf("postgres")]);
    const [place, socket] = await Promise.all([stat(folder), stat(socketPath(folder, port))]);
    const isOpen = (place.mode & othersMayWrite) !== 0 && (place.mode & stickyBit) === 0;
    if (trusted.has(socket.uid) && trusted.has(place.uid) && !isOpen) return;
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    throw new PostgresError("lost", error.message, String(error.code), error);
  }
  throw new PostgresError("refused", "the socket belongs to another user", ownCodes.strangeSocket, undefined);
}

/** The id of a user of this machine; undefined where there is no such user. */
async function uidOf(name: string): Promise<number | undefined> {
  const users = await readFile("/etc/passwd", "utf8").catch(() => "");
  const fields = users.split("\n").map((line) => line.split(":"));
  const uid = fields.find(([user]) => user === name)?.[2];
  return uid === undefined ? undefined : Number(uid);
}
