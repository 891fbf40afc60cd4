/** A name that SQL takes for itself without quotes. */
const plainName = /^[a-z_\u0080-\u{10ffff}][\w$\u0080-\u{10ffff}]*$/u;

/** A role's name in SQL: without quotes, `Amina` would be `amina`, which may be another person. */
export function roleInSql(name: string): string {
  return plainName.test(name) && name === name.toLowerCase() ? name : `"${name.replaceAll('"', '""')}"`;
}
