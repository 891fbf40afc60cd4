import { fixedFunction, nowMs, permissionErrors } from "../approvals/words.ts";
import { readingFunction } from "./change-sql.ts";
import { limitsOfRules } from "./limits-sql.ts";

/**
 * What rows move and who gets it, which rules are about. A batch without these facts needs the most that the rules
 * demand.
 */
const factsSql = `ALTER TABLE partner.batch_rows ADD COLUMN amount numeric CHECK (amount >= 0), ADD COLUMN currency text,
  ADD COLUMN account text, ADD COLUMN receiver text;

CREATE TABLE partner.batch_facts (
  batch text PRIMARY KEY REFERENCES partner.batches (id),
  rules bigint NOT NULL,
  has_amounts boolean NOT NULL,
  new_receivers bigint NOT NULL
);
CREATE TABLE partner.batch_sums (
  batch text NOT NULL REFERENCES partner.batches (id),
  kind text NOT NULL,
  account text NOT NULL,
  currency text NOT NULL,
  total numeric NOT NULL,
  largest numeric NOT NULL,
  PRIMARY KEY (batch, kind, account, currency)
);
CREATE TABLE partner.starts (
  batch text PRIMARY KEY REFERENCES partner.batches (id),
  rules bigint NOT NULL,
  started_at bigint NOT NULL,
  started_by text NOT NULL
);
INSERT INTO partner.starts (batch, rules, started_at, started_by)
  SELECT DISTINCT ON (m.batch) m.batch, 0, m.opened_at, '' FROM partner.movements m
  WHERE partner.last_decision(m.batch) = 'approved' ORDER BY m.batch, m.number;

CREATE FUNCTION partner.receiver_key(account text, institution text) RETURNS text LANGUAGE plpgsql IMMUTABLE
  SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  number text := regexp_replace(regexp_replace(regexp_replace(account, '\\s', '', 'g'),
    '(?<=\\d)[-\\u2010\\u2011\\u2013](?=\\d)', '', 'g'), '^(?:\\+255|00255|0(?!0)|(?=[67]\\d{8}$))', '255');
BEGIN
  RETURN coalesce(institution || ' ', '') || CASE WHEN number ~ '^255\\d{9}$' THEN number ELSE account END;
END $$;

CREATE FUNCTION partner.rules_now() RETURNS bigint LANGUAGE sql ${readingFunction} AS
  $$ SELECT coalesce(max(r.number), 0) FROM partner.rules r $$;

CREATE OR REPLACE FUNCTION partner.take_rows() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  taken text;
BEGIN
  INSERT INTO partner.batch_rows (batch, line, kind, reference, request_hash, amount, currency, account, receiver)
    SELECT NEW.id, (row ->> 0)::bigint, row ->> 1, row ->> 2, row ->> 3, (row ->> 4)::numeric, row ->> 5, row ->> 6,
      partner.receiver_key(row ->> 7, row ->> 8) FROM json_array_elements(NEW.orders::json) AS row;
  SELECT string_agg(line::text, ', ') INTO taken FROM (
    SELECT r.line FROM partner.batch_rows r
      JOIN partner.movements m ON m.scope = NEW.scope AND m.kind = r.kind AND m.reference = r.reference
      WHERE r.batch = NEW.id AND m.request_hash <> r.request_hash AND m.state NOT IN ('unsent', 'refused')
      ORDER BY r.line LIMIT 20) AS lines;
  IF taken IS NOT NULL THEN
    RAISE EXCEPTION '%', taken USING ERRCODE = '${permissionErrors.takenReference}';
  END IF;
  INSERT INTO partner.batch_sums (batch, kind, account, currency, total, largest)
    SELECT NEW.id, r.kind, coalesce(r.account, ''), coalesce(r.currency, ''), coalesce(sum(r.amount), 0),
      coalesce(max(r.amount), 0) FROM partner.batch_rows r WHERE r.batch = NEW.id GROUP BY 2, 3, 4;
  INSERT INTO partner.batch_facts (batch, rules, has_amounts, new_receivers)
    SELECT NEW.id, partner.rules_now(), bool_and(r.amount IS NOT NULL), count(DISTINCT r.receiver)
      - count(DISTINCT r.receiver) FILTER (WHERE r.receiver IN (
        SELECT partner.receiver_key(coalesce(m.request::json ->> 'to', m.request::json ->> 'receiverAccount',
            regexp_replace(m.request::json ->> 'msisdn', '^[^:]+:', '')),
          coalesce(m.request::json ->> 'institutionCode', substring(m.request::json ->> 'msisdn' from '^([^:]+):'),
            m.request::json ->> 'serviceCode')) FROM partner.movements m
        WHERE m.scope = NEW.scope AND m.kind IN ('transfer', 'remit', 'payout') AND m.batch IS DISTINCT FROM NEW.id
          AND m.state IN ('accepted', 'pending', 'reversed')))
    FROM partner.batch_rows r WHERE r.batch = NEW.id;
  RETURN NULL;
END $$;`;

/**
 * Functions for what rules demand of a batch, and how far its approvals are. They read with the rights of whoever calls
 * them.
 */
const standingSql = `ALTER TABLE partner.approvals ADD COLUMN member_of text, ADD COLUMN acting_for text;

CREATE FUNCTION partner.known_sums(id text) RETURNS TABLE (kind text, account text, currency text, total numeric,
  largest numeric) LANGUAGE plpgsql ${readingFunction} AS $$
BEGIN
  RETURN QUERY SELECT s.kind, s.account, c.currency, sum(sum(s.total)) OVER same, max(max(s.largest)) OVER same
    FROM partner.batch_sums s JOIN partner.batches b ON b.id = s.batch, LATERAL (SELECT coalesce(nullif(s.currency, ''),
      (SELECT w.currency FROM partner.wallets w WHERE w.account_no = s.account
        ORDER BY w.scope = b.scope DESC, w.seen_at DESC LIMIT 1), 'TZS') AS currency) AS c
    WHERE s.batch = known_sums.id GROUP BY s.kind, s.account, c.currency WINDOW same AS (PARTITION BY c.currency);
END $$;

CREATE FUNCTION partner.demand_of(id text, rules json, OUT approvals integer, OUT groups text[], OUT beyond text)
  LANGUAGE plpgsql ${readingFunction} AS $$
DECLARE
  part record;
  level json;
  facts record;
BEGIN
  approvals := 1;
  groups := '{}';
  SELECT f.has_amounts, f.new_receivers INTO facts FROM partner.batch_facts f WHERE f.batch = id;
  IF facts.has_amounts IS NOT TRUE THEN
    approvals := greatest(1, (SELECT max((l ->> 'approvals')::integer) FROM json_array_elements(rules -> 'levels') AS l),
      (rules -> 'newReceiver' ->> 'approvals')::integer);
    groups := ARRAY(SELECT DISTINCT json_array_elements_text(l -> 'groups') FROM json_array_elements(rules -> 'levels') AS l);
    RETURN;
  END IF;
  IF facts.new_receivers > 0 THEN
    approvals := greatest(1, (rules -> 'newReceiver' ->> 'approvals')::integer);
  END IF;
  IF rules -> 'levels' IS NULL THEN RETURN; END IF;
  FOR part IN SELECT * FROM partner.known_sums(id) LOOP
    SELECT x.l INTO level FROM json_array_elements(rules -> 'levels') WITH ORDINALITY AS x (l, n)
      WHERE coalesce(x.l ->> 'kind', part.kind) = part.kind AND coalesce(x.l ->> 'account', part.account) = part.account
        AND coalesce(x.l ->> 'currency', part.currency) = part.currency AND (x.l ->> 'upTo' IS NULL OR (x.l ->> 'upTo')::numeric
          >= CASE WHEN x.l ->> 'largestRow' = 'true' THEN part.largest ELSE part.total END) ORDER BY x.n LIMIT 1;
    IF NOT FOUND THEN
      beyond := format('%s %s', part.total, part.currency);
    ELSE
      approvals := greatest(approvals, (level ->> 'approvals')::integer);
      groups := groups || ARRAY(SELECT json_array_elements_text(level -> 'groups'));
    END IF;
  END LOOP;
END $$;

CREATE FUNCTION partner.standing(id text, OUT needed integer, OUT given integer, OUT counted text[],
  OUT missing_groups text[], OUT has_expired boolean, OUT beyond text, OUT is_enough boolean, OUT seen_at bigint)
  LANGUAGE plpgsql ${readingFunction} AS $$
DECLARE
  texts json[];
  rules json;
  asked record;
  one record;
  maker text;
  lives bigint;
  people text[];
  member_of text[] := '{}';
BEGIN
  needed := 1;
  given := 0;
  counted := '{}';
  missing_groups := '{}';
  has_expired := false;
  seen_at := ${nowMs};
  SELECT b.submitted_by INTO maker FROM partner.batches b WHERE b.id = standing.id;
  texts := ARRAY(SELECT r.rules::json FROM partner.rules r WHERE r.number IN (partner.rules_now(),
    (SELECT f.rules FROM partner.batch_facts f WHERE f.batch = standing.id)));
  FOREACH rules IN ARRAY texts LOOP
    asked := partner.demand_of(standing.id, rules);
    needed := greatest(needed, asked.approvals);
    missing_groups := missing_groups || asked.groups;
    beyond := coalesce(beyond, asked.beyond);
    lives := least(lives, (extract(epoch FROM (rules ->> 'expiry')::interval) * 1000)::bigint);
  END LOOP;
  FOR one IN SELECT a.* FROM partner.approvals a JOIN partner.batches b ON b.id = a.batch AND b.digest = a.digest
      WHERE a.batch = standing.id AND a.decision = 'approved' ORDER BY a.number LOOP
    IF one.decided_at + lives < seen_at THEN
      has_expired := true;
      CONTINUE;
    END IF;
    people := one.decided_by || ARRAY(SELECT json_array_elements_text(one.acting_for::json));
    CONTINUE WHEN EXISTS (SELECT FROM unnest(people) AS p, unnest(counted || maker) AS q WHERE partner.is_one_person(p, q));
    given := given + 1;
    counted := counted || people;
    member_of := member_of || ARRAY(SELECT json_array_elements_text(one.member_of::json));
  END LOOP;
  missing_groups := ARRAY(SELECT DISTINCT g FROM unnest(missing_groups) AS g WHERE NOT g = ANY (member_of) ORDER BY 1);
  is_enough := beyond IS NULL AND given >= needed AND cardinality(missing_groups) = 0;
END $$;

CREATE FUNCTION partner.words_of(standing record) RETURNS text LANGUAGE plpgsql IMMUTABLE
  SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN CASE WHEN standing.beyond IS NOT NULL THEN format('no level of the rules is for %s', standing.beyond)
    ELSE format('it has %s of %s', standing.given, partner.counted(standing.needed, 'approval')) END
    || CASE WHEN cardinality(standing.missing_groups) > 0
      THEN format(', and nobody of %s approved', array_to_string(standing.missing_groups, ', ')) ELSE '' END
    || CASE WHEN standing.has_expired THEN '; approvals of it have expired' ELSE '' END;
END $$;`;

/** Where the rules are enforced: at a decision, at a withdrawal, and before an order leaves. */
const enforcedSql = `CREATE FUNCTION partner.decide_within_rules() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  limits text := partner.limits_now() -> 'checker' ->> 'decision';
  people text[] := NEW.decided_by || ARRAY(SELECT json_array_elements_text(NEW.acting_for::json));
  fault text;
  standing record;
BEGIN
  IF NEW.decision = 'approved' THEN
    fault := CASE WHEN limits IS NOT NULL THEN partner.fault_beside(limits, NEW.batch, NULL) END;
    IF fault IS NOT NULL THEN
      RAISE EXCEPTION 'of what one checker approves, %', fault USING ERRCODE = '${permissionErrors.overLimit}';
    END IF;
    standing := partner.standing(NEW.batch);
    IF standing.beyond IS NOT NULL THEN
      RAISE EXCEPTION '%', standing.beyond USING ERRCODE = '${permissionErrors.beyondLevels}';
    END IF;
    IF EXISTS (SELECT FROM unnest(standing.counted) AS c, unnest(people) AS p WHERE partner.is_one_person(c, p)) THEN
      RAISE EXCEPTION '%', array_to_string(standing.counted, ', ') USING ERRCODE = '${permissionErrors.counted}';
    END IF;
  END IF;
  NEW.member_of := to_json(ARRAY(SELECT DISTINCT r.rolname::text FROM pg_roles r, unnest(people) AS p
    WHERE NOT r.rolsuper AND r.rolname <> p AND pg_has_role(p, r.oid, 'MEMBER') ORDER BY 1));
  NEW.seal := encode(sha256(convert_to(concat_ws(E'\\n', NEW.seal, NEW.member_of, NEW.acting_for), 'UTF8')), 'hex');
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION partner.take_withdrawal() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  PERFORM FROM partner.batches b WHERE b.id = NEW.batch AND b.submitted_by = session_user FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION '%', NEW.batch USING ERRCODE = '${permissionErrors.notOwn}';
  END IF;
  IF partner.last_decision(NEW.batch) = 'rejected' OR EXISTS (SELECT FROM partner.starts s WHERE s.batch = NEW.batch)
      OR (SELECT s.is_enough FROM partner.standing(NEW.batch) s) THEN
    RAISE EXCEPTION '%', partner.last_decision(NEW.batch) USING ERRCODE = '${permissionErrors.decided}';
  END IF;
  NEW.withdrawn_by := session_user;
  NEW.withdrawn_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION partner.demand_approval() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  standing record;
BEGIN
  IF NEW.batch IS NULL OR NOT EXISTS (SELECT FROM partner.batches b WHERE b.id = NEW.batch) THEN
    IF coalesce((SELECT p.requires_approval FROM partner.policy p), true) THEN
      RAISE EXCEPTION 'nobody approved this order' USING ERRCODE = '${permissionErrors.noApproval}';
    END IF;
    RETURN NEW;
  END IF;
  IF NOT EXISTS (SELECT FROM partner.batch_rows r JOIN partner.batches b ON b.id = r.batch
      WHERE r.batch = NEW.batch AND r.line = NEW.batch_row AND r.kind = NEW.kind AND r.reference = NEW.reference
        AND r.request_hash = NEW.request_hash AND b.scope = NEW.scope) THEN
    RAISE EXCEPTION 'this order is not the row of its batch' USING ERRCODE = '${permissionErrors.otherOrder}';
  END IF;
  IF partner.last_decision(NEW.batch) IS DISTINCT FROM 'approved'
      OR EXISTS (SELECT FROM partner.withdrawals w WHERE w.batch = NEW.batch) THEN
    RAISE EXCEPTION 'nobody approved the batch of this order' USING ERRCODE = '${permissionErrors.noApproval}';
  END IF;
  IF EXISTS (SELECT FROM partner.batch_rows r WHERE r.batch = NEW.batch AND r.line = NEW.batch_row AND r.amount
      IS DISTINCT FROM (NEW.request::json ->> CASE NEW.kind WHEN 'remit' THEN 'receiverAmount' ELSE 'amount' END)::numeric
      AND r.amount IS NOT NULL) THEN
    RAISE EXCEPTION 'this order is not the row of its batch' USING ERRCODE = '${permissionErrors.otherOrder}';
  END IF;
  IF NOT EXISTS (SELECT FROM partner.starts s WHERE s.batch = NEW.batch) THEN
    standing := partner.standing(NEW.batch);
    IF NOT standing.is_enough THEN
      RAISE EXCEPTION '%', partner.words_of(standing) USING ERRCODE = '${permissionErrors.tooFew}';
    END IF;
    INSERT INTO partner.starts (batch, rules, started_at, started_by)
      VALUES (NEW.batch, partner.rules_now(), ${nowMs}, session_user) ON CONFLICT (batch) DO NOTHING;
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER decisions_stay_within_rules BEFORE INSERT ON partner.approvals
  FOR EACH ROW EXECUTE FUNCTION partner.decide_within_rules();
CREATE TRIGGER batch_facts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.batch_facts
  EXECUTE FUNCTION partner.refuse('what was submitted is never changed');
CREATE TRIGGER batch_sums_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.batch_sums
  EXECUTE FUNCTION partner.refuse('what was submitted is never changed');
CREATE TRIGGER starts_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.starts
  EXECUTE FUNCTION partner.refuse('what has begun is never forgotten');
ALTER TABLE partner.approvals ENABLE ALWAYS TRIGGER decisions_stay_within_rules;`;

/**
 * Levels by what a batch moves. A batch needs what the rules of its submission and the rules in force demand: looser
 * rules apply to later batches only, stricter ones to all that have not begun.
 */
export const levelsOfApproval = [factsSql, standingSql, enforcedSql, limitsOfRules].join("\n\n");
