/** SQL: what the names of a database's groups end with. A name has up to 63 bytes, and this follows `partner_checker_`. */
export const groupSuffix = `CASE WHEN octet_length(current_database()) <= 47 THEN current_database()::text
  ELSE left(current_database(), 9) || '_' || left(encode(sha256(convert_to(current_database(), 'UTF8')), 'hex'), 8) END`;
