import type { DatabaseSync } from "node:sqlite";
import { Failure } from "../../values/failure.ts";
import { viewNames } from "./views.ts";

/** What SQLite asks leave for. https://sqlite.org/c3ref/c_alter_table.html */
const actions = { read: 20, select: 21, function: 31, recursive: 33 } as const;
const [allowed, denied] = [0, 1];
/** Tables that SQLite makes of JSON. */
const jsonTables: ReadonlySet<string> = new Set(["json_each", "json_tree"]);

/** The longest text or bytes that a statement may make. */
const valueMaxBytes = 64 * 1024 * 1024;
const heapMaxBytes = 512 * 1024 * 1024;

/**
 * Lets statements read the views and nothing else: they cannot write, attach, set, or load.
 * @throws {Failure} setup where this Node cannot do that
 */
export function guard(database: DatabaseSync): void {
  if (typeof database.setAuthorizer !== "function" || typeof database.limits !== "object")
    throw new Failure("setup", "This version of Node cannot hold statements to reading.", {
      hint: "Use Node 24.15 or later, or the executable of partner.",
    });
  database.exec(`PRAGMA query_only = ON; PRAGMA hard_heap_limit = ${heapMaxBytes}`);
  database.limits.length = valueMaxBytes;
  database.limits.attach = 0;
  database.setAuthorizer((action, one, two, _, view) => {
    if (action === actions.select || action === actions.recursive) return allowed;
    if (action === actions.function) return two?.toLowerCase() === "load_extension" ? denied : allowed;
    if (action !== actions.read) return denied;
    // Of a row of which no column is read SQLite names the table that it finds it in.
    if (two === "" || viewNames.has(view ?? "")) return allowed;
    return viewNames.has(one ?? "") || jsonTables.has(one ?? "") ? allowed : denied;
  });
}
