import { fixedFunction } from "../approvals/words.ts";

/** A maker sees nothing of another maker's batch, but may submit a file again that was rejected or withdrawn. */
export const stoppedBatches = `CREATE OR REPLACE FUNCTION partner.is_stopped(id text) RETURNS boolean LANGUAGE plpgsql STABLE ${fixedFunction} AS $$
BEGIN
  RETURN EXISTS (SELECT FROM partner.withdrawals w WHERE w.batch = is_stopped.id)
    OR EXISTS (SELECT FROM partner.approvals a WHERE a.batch = is_stopped.id AND a.decision = 'rejected');
END $$;`;
