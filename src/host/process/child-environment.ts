/**
 * Variables with our secrets. No program that we start needs them, and Node prints a child's environment to stderr when
 * NODE_DEBUG asks for it.
 */
export const secretVariables = [
  "PARTNER_SECRET_KEY",
  "PARTNER_ACCESS_TOKEN",
  "PARTNER_WEBHOOK_KEY",
  "PARTNER_JOURNAL_URL",
  "PGPASSWORD",
] as const;

const secretNames: ReadonlySet<string> = new Set(secretVariables);

/** The environment of a program that we start: ours without secrets, plus variables for that program. */
export function childEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  // On Windows, names are case-insensitive.
  const kept = Object.entries(ours).filter(([name]) => !secretNames.has(name.toUpperCase()));
  return { ...Object.fromEntries(kept), ...added };
}
