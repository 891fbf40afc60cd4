import type { FactSource } from "./chain-sql.ts";
import { chainTrigger } from "./chain-sql.ts";

/** Tables with what rules look at in a batch when it is submitted, and with when its first order left. */
export const begunSources: readonly FactSource[] = [
  {
    table: "batch_facts",
    step: "weigh",
    stepSql: "'weigh'",
    at: "",
    by: "",
    batch: "batch",
    fact: "to_jsonb(b)",
  },
  {
    table: "starts",
    step: "begin",
    stepSql: "'begin'",
    at: "started_at",
    by: "started_by",
    batch: "batch",
    fact: "to_jsonb(b)",
  },
];

/** Adds these rows to the one chain: what verification demands of approvals depends on them. */
export const chainOfBegun = `${begunSources.map((source) => chainTrigger(source)).join("\n")}
INSERT INTO partner.pending_facts (step, at, said_by, batch, body)
  SELECT w.step, w.at, w.said_by, w.batch, w.body::text FROM (
    SELECT 'weigh' AS step, b.submitted_at AS at, b.submitted_by AS said_by, b.id AS batch, to_jsonb(f) AS body
      FROM partner.batch_facts f JOIN partner.batches b ON b.id = f.batch
    UNION ALL SELECT 'begin', s.started_at, s.started_by, s.batch, to_jsonb(s) FROM partner.starts s) AS w
  ORDER BY w.at, w.step DESC;
UPDATE partner.journal SET events = events;`;
