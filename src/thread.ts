import { serveThread } from "./host/process/thread-port.ts";

/** What the program does in threads of its own, each loaded where it is asked for. */
serveThread({
  "rows of a ledger": async () => (await import("./ledger/sqlite/entries/bulk-task.ts")).bulkTask,
});
