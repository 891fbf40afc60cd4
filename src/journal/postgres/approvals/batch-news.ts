import { fixedFunction } from "./words.ts";

/** Listeners read again on a notification, which has no content, since every role of the database can listen. */
export const batchChannel = "partner_batches";

/** Tables whose new rows change how far a batch is. */
const watchedTables = ["batches", "approvals", "withdrawals", "finished"] as const;

/** Notifies listeners that a batch was submitted, decided, withdrawn or done. */
export const batchNews = `CREATE FUNCTION partner.tell_batches() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  PERFORM pg_notify('${batchChannel}', '');
  RETURN NULL;
END $$;
${watchedTables
  .map(
    (table) => `CREATE TRIGGER ${table}_are_told AFTER INSERT ON partner.${table}
  FOR EACH STATEMENT EXECUTE FUNCTION partner.tell_batches();`,
  )
  .join("\n")}`;
