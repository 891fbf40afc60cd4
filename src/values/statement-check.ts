/**
 * When the statement is read before an order is sent.
 * - `always`: before every order
 * - `unsure`: while the journal may not know everything that was sent
 * - `never`: only where the journal knows that a statement has shown the reference
 */
export const statementChecks = ["always", "unsure", "never"] as const;
export type StatementCheckMode = (typeof statementChecks)[number];
