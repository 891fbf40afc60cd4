/** A maker's SQL that submits the first batch again with other orders. @param orders an SQL expression */
export const submittedCopy = (
  id: string,
  orders: string,
) => `INSERT INTO partner.batches (description, content, orders, who)
      SELECT replace(description, id, '${id}'), content, ${orders}, who FROM partner.batches WHERE number = 1`;

/** A checker's SQL that approves a batch without looking at it. */
export const approval = (batch: string) => `INSERT INTO partner.approvals (batch, digest, decision, who)
  SELECT id, digest, 'approved', '' FROM partner.batches WHERE id = '${batch}'`;

/** SQL that inserts a row of a batch as an order with this request. */
export const orderOf = (
  batch: string,
  kind: string,
  reference: string,
  request: object,
) => `INSERT INTO partner.movements (number, id, key_hash, scope, kind,
  reference, state, request, request_hash, request_ids, opened_at, changed_at, who, batch, batch_row, claim, owner, claim_ends_at, seal)
  SELECT 99, 'x', 'x', b.scope, '${kind}', r.reference, 'sending', '${JSON.stringify(request)}', r.request_hash, '[]', 1, 1, '{}', b.id, r.line,
  '1.x', 'x', 1, 'x' FROM partner.batches b JOIN partner.batch_rows r ON r.batch = b.id
  WHERE b.id = '${batch}' AND r.reference = '${reference}'`;
