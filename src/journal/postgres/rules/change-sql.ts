import { fixedFunction, nowMs, permissionErrors } from "../approvals/words.ts";

/** For a function that reads with the rights of whoever calls it. */
export const readingFunction = "STABLE SET search_path = pg_catalog, pg_temp";

/**
 * The rules of approval and their history. Rules are in force once two people have proposed the same ones; both words
 * are kept. Roles of which one can become the other are one person; a superuser, who can become anyone, counts by name.
 */
export const rulesOfApproval = `CREATE TABLE partner.rule_words (
  number bigint PRIMARY KEY,
  rules text NOT NULL CHECK (json_typeof(rules::json) = 'object' AND octet_length(rules) <= 1048576),
  who text NOT NULL,
  said_by text NOT NULL,
  said_at bigint NOT NULL,
  address text,
  seal text NOT NULL
);

CREATE TABLE partner.rules (
  number bigint PRIMARY KEY,
  rules text NOT NULL,
  first_word bigint NOT NULL REFERENCES partner.rule_words (number),
  second_word bigint NOT NULL UNIQUE REFERENCES partner.rule_words (number),
  CHECK (first_word < second_word)
);

CREATE FUNCTION partner.is_one_person(one text, other text) RETURNS boolean LANGUAGE plpgsql ${readingFunction} AS $$
BEGIN
  IF one = other THEN RETURN true; END IF;
  RETURN EXISTS (SELECT FROM pg_roles a, pg_roles b WHERE a.rolname = one AND b.rolname = other
    AND (NOT a.rolsuper AND pg_has_role(a.oid, b.oid, 'MEMBER') OR NOT b.rolsuper AND pg_has_role(b.oid, a.oid, 'MEMBER')));
END $$;

CREATE FUNCTION partner.are_in(groups text[]) RETURNS SETOF text LANGUAGE plpgsql ${readingFunction} AS $$
BEGIN
  RETURN QUERY SELECT r.rolname::text FROM pg_roles r WHERE r.rolcanlogin AND NOT r.rolsuper
    AND NOT pg_has_role(r.oid, (SELECT c.relowner FROM pg_class c WHERE c.oid = 'partner.rules'::regclass), 'MEMBER')
    AND NOT EXISTS (SELECT FROM unnest(groups) AS g WHERE NOT EXISTS (
      SELECT FROM pg_roles o WHERE o.rolname = g AND pg_has_role(r.oid, o.oid, 'MEMBER'))) ORDER BY 1;
END $$;

CREATE FUNCTION partner.checkers_beside(maker text) RETURNS integer LANGUAGE plpgsql ${readingFunction} AS $$
DECLARE
  found text[] := '{}';
  one text;
BEGIN
  FOR one IN SELECT partner.are_in('{partner_checker}') LOOP
    CONTINUE WHEN partner.is_one_person(one, maker)
      OR EXISTS (SELECT FROM unnest(found) AS f WHERE partner.is_one_person(one, f));
    found := found || one;
  END LOOP;
  RETURN cardinality(found);
END $$;

CREATE FUNCTION partner.fault_of(rules json) RETURNS text LANGUAGE plpgsql ${readingFunction} AS $$
DECLARE
  asked integer;
  there integer;
  one text;
BEGIN
  asked := greatest(1, (rules -> 'newReceiver' ->> 'approvals')::integer,
    (SELECT max((l ->> 'approvals')::integer) FROM json_array_elements(rules -> 'levels') AS l));
  SELECT coalesce(max(partner.checkers_beside(m)), partner.checkers_beside('')) INTO there
    FROM partner.are_in('{partner_maker}') AS m;
  IF there < asked THEN
    RETURN format('they ask for %s, and %s beside the maker', partner.counted(asked, 'approval'),
      CASE there WHEN 0 THEN 'there is no checker' WHEN 1 THEN 'there is 1 checker' ELSE format('there are %s checkers', there) END);
  END IF;
  FOR one IN SELECT DISTINCT g FROM json_array_elements(rules -> 'levels') AS l,
      json_array_elements_text(l -> 'groups') AS g ORDER BY 1 LOOP
    IF NOT EXISTS (SELECT FROM pg_roles r WHERE r.rolname = one) THEN
      RETURN format('the role %s does not exist', one);
    END IF;
    IF NOT EXISTS (SELECT partner.are_in(ARRAY['partner_checker', one]) EXCEPT SELECT partner.are_in('{partner_maker}')) THEN
      RETURN format('the role %s has no member who may approve, apart from makers', one);
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

CREATE FUNCTION partner.counted(count integer, noun text) RETURNS text LANGUAGE sql IMMUTABLE AS
  $$ SELECT count || ' ' || noun || CASE count WHEN 1 THEN '' ELSE 's' END $$;

CREATE FUNCTION partner.take_rule_word() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
DECLARE
  fault text;
BEGIN
  PERFORM FROM partner.policy FOR UPDATE;
  IF NOT (pg_has_role(session_user, 'partner_checker', 'MEMBER') OR pg_has_role(session_user,
      (SELECT c.relowner FROM pg_class c WHERE c.oid = 'partner.rules'::regclass), 'MEMBER')) THEN
    RAISE EXCEPTION '%', session_user USING ERRCODE = '${permissionErrors.noRuleMaker}';
  END IF;
  fault := partner.fault_of(NEW.rules::json);
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION '%', fault USING ERRCODE = '${permissionErrors.unfulfillable}';
  END IF;
  NEW.number := (SELECT coalesce(max(w.number), 0) + 1 FROM partner.rule_words w);
  NEW.said_by := session_user;
  NEW.said_at := ${nowMs};
  NEW.address := host(inet_client_addr());
  NEW.seal := encode(sha256(convert_to(concat_ws(E'\\n', NEW.number, NEW.rules, NEW.said_by, NEW.said_at), 'UTF8')), 'hex');
  RETURN NEW;
END $$;

CREATE FUNCTION partner.hear_rule_word() RETURNS trigger LANGUAGE plpgsql ${fixedFunction} AS $$
BEGIN
  INSERT INTO partner.rules (number, rules, first_word, second_word)
    SELECT (SELECT coalesce(max(r.number), 0) + 1 FROM partner.rules r), NEW.rules, w.number, NEW.number
    FROM partner.rule_words w
    WHERE w.rules = NEW.rules AND w.number < NEW.number
      AND w.number > (SELECT coalesce(max(r.second_word), 0) FROM partner.rules r)
      AND NOT partner.is_one_person(w.said_by, NEW.said_by)
    ORDER BY w.number LIMIT 1;
  RETURN NULL;
END $$;

CREATE TRIGGER rule_words_are_taken BEFORE INSERT ON partner.rule_words
  FOR EACH ROW EXECUTE FUNCTION partner.take_rule_word();
CREATE TRIGGER rule_words_are_heard AFTER INSERT ON partner.rule_words
  FOR EACH ROW EXECUTE FUNCTION partner.hear_rule_word();
CREATE TRIGGER rule_words_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.rule_words
  EXECUTE FUNCTION partner.refuse('what was said of rules is never changed');
CREATE TRIGGER rules_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON partner.rules
  EXECUTE FUNCTION partner.refuse('the history of rules is never changed');
ALTER TABLE partner.rule_words ENABLE ALWAYS TRIGGER rule_words_are_taken;
ALTER TABLE partner.rule_words ENABLE ALWAYS TRIGGER rule_words_are_heard;`;
