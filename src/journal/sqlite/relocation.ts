import type { Database } from "../../storage/sqlite/database.ts";
import { Failure } from "../../values/failure.ts";
import { namePath } from "../../values/text/path-name.ts";

/** Made only in a journal that was moved. Its triggers stop older programs, too. */
export const markSql = `CREATE TABLE moved (only INTEGER PRIMARY KEY CHECK (only = 1), target TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
  CREATE TRIGGER moved_takes_no_order BEFORE INSERT ON movements
    BEGIN SELECT RAISE(ABORT, 'this journal was moved; its orders are in a shared one now'); END;
  CREATE TRIGGER moved_changes_no_order BEFORE UPDATE ON movements
    BEGIN SELECT RAISE(ABORT, 'this journal was moved; its orders are in a shared one now'); END;`;
/** A table of orders that was rebuilt has lost its triggers. */
const unmarkSql = `DROP TRIGGER IF EXISTS moved_takes_no_order; DROP TRIGGER IF EXISTS moved_changes_no_order; DROP TABLE moved;`;

/** Where the journal was moved to, or is being moved to; undefined where it was not. */
export function movedTo(database: Database): string | undefined {
  if (database.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'moved'") === undefined)
    return undefined;
  return String(database.value("SELECT target FROM moved"));
}

/** Closes the journal to orders; within a transaction of the caller's. */
export function markMoved(database: Database, target: string, at: number): void {
  database.execute(markSql);
  database.run("INSERT INTO moved (only, target, at) VALUES (1, :target, :at)", { target, at });
}

/** Opens it again; within a transaction of the caller's. */
export function unmarkMoved(database: Database): void {
  database.execute(unmarkSql);
}

/** The failure of an order for a journal that is elsewhere now. */
export function wasMoved(path: string, target: string, money: "none" | "not moved"): Failure {
  return new Failure("setup", `The journal ${namePath(path)} was moved to ${target} and takes no orders any more.`, {
    hint: `Use that one: partner profile set NAME journal=${target}, or PARTNER_JOURNAL_URL. If the move was broken off, end it: partner journal copy --to ${target}`,
    money,
  });
}
