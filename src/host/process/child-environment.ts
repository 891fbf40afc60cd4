/**
 * The variables that hold secrets of ours. No program that we start has a use for them, and Node writes the environment
 * of programs to stderr when NODE_DEBUG asks it to.
 */
export const secretVariables = [
  "PARTNER_SECRET_KEY",
  "PARTNER_ACCESS_TOKEN",
  "PARTNER_WEBHOOK_KEY",
  "PARTNER_JOURNAL_URL",
  "PGPASSWORD",
] as const;

const secretNames: ReadonlySet<string> = new Set(secretVariables);

/** The environment of a program that we start: ours without its secrets, and variables for this program alone. */
export function childEnvironment(
  ours: Readonly<Record<string, string | undefined>>,
  added: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> {
  // Windows takes names in any case.
  const kept = Object.entries(ours).filter(([name]) => !secretNames.has(name.toUpperCase()));
  return { ...Object.fromEntries(kept), ...added };
}
