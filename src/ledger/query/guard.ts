import type { DatabaseSync } from "node:sqlite";
import { Failure } from "../../values/failure.ts";
import { viewNames } from "./views.ts";

/** Actions that SQLite's authorizer is asked about. https://sqlite.org/c3ref/c_alter_table.html */
const actions = { read: 20, select: 21, function: 31, recursive: 33 } as const;
const [allowed, denied] = [0, 1];
/** SQLite's table-valued functions for JSON. */
const jsonTables: ReadonlySet<string> = new Set(["json_each", "json_tree"]);

/** The longest text or blob that a statement may produce. */
const valueMaxBytes = 64 * 1024 * 1024;
const heapMaxBytes = 512 * 1024 * 1024;

/**
 * Lets statements read the views and nothing else: they cannot write, attach, set, or load.
 * @throws {Failure} setup where this version of Node can't do that
 */
export function guard(database: DatabaseSync): void {
  if (typeof database.setAuthorizer !== "function" || typeof database.limits !== "object")
    throw new Failure("setup", "This version of Node cannot limit queries to reading.", {
      hint: "Use Node 24.15 or later, or the executable of partner.",
    });
  database.exec(`PRAGMA query_only = ON; PRAGMA hard_heap_limit = ${heapMaxBytes}`);
  database.limits.length = valueMaxBytes;
  database.limits.attach = 0;
  database.setAuthorizer((action, one, two, _, view) => {
    if (action === actions.select || action === actions.recursive) return allowed;
    if (action === actions.function) return two?.toLowerCase() === "load_extension" ? denied : allowed;
    if (action !== actions.read) return denied;
    // For `SELECT count(*)`, SQLite asks about an empty column name, in the table behind the view.
    if (two === "" || viewNames.has(view ?? "")) return allowed;
    return viewNames.has(one ?? "") || jsonTables.has(one ?? "") ? allowed : denied;
  });
}
