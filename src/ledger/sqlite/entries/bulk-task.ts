import { nodeSqlite } from "../../../host/databases/node-sqlite.ts";
import type { ThreadTask } from "../../../host/process/thread.ts";
import { Database } from "../../../storage/sqlite/database.ts";
import { LocalBulk } from "./entry-bulk.ts";
import type { EntryMessage } from "./entry-message.ts";
import { unpackEntries } from "./entry-message.ts";
import type { BulkGiven } from "./thread-bulk.ts";
import { writerCacheKib } from "../writer-cache.ts";

/** The other end of `ThreadBulk`. */
export function bulkTask({ path, account, seenAt }: BulkGiven): ThreadTask<EntryMessage | "commit"> {
  const database = new Database(nodeSqlite().open(path, "existing"), { explain: (error) => error, mayHaveLog: true });
  database.execute(`PRAGMA cache_size = ${-writerCacheKib}`);
  const bulk = new LocalBulk(database, { account, seenAt });
  return {
    take(message) {
      if (message === "commit") {
        bulk.commit();
        return [];
      }
      for (const [entry, place] of unpackEntries(message)) bulk.add(entry, place);
      // The returned buffers are overwritten.
      bulk.flush();
      return [message.numbers.buffer, message.bytes.buffer];
    },
    end() {
      bulk.close();
      database.close();
    },
  };
}
