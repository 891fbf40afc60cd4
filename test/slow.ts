/**
 * The tests that take half of the time and are a tenth of all, by what makes them slow. `npm test` leaves them to
 * `npm run test:slow`, and the CI runs both.
 */
export const slowTests: readonly string[] = [
  // Several hosts share a database server.
  "test/**/*shared*.test.ts",
  "test/commands/{approvals,four-eyes,one-chain,signed-approvals}*.test.ts",
  "test/commands/{journal-age,journal-redact,journal-server,pgbouncer,postgres-versions}*.test.ts",
  // Runs are killed, disks fail, lines break.
  "test/movements/*kills.test.ts",
  "test/movements/{bit-flips,broken-answers,io-errors,signals,slow-looks}.test.ts",
  "test/commands/simulator-background.test.ts",
  // Long stories, long histories, every reader and every page.
  "test/simulation/**/*.test.ts",
  "test/hostile/**/*.test.ts",
  "test/docs/blocks.test.ts",
  "test/ledger/half-year.test.ts",
  "test/commands/{find-*index,find-pieces,ledger-dayless*,ledger-long-history,report-second-debit}.test.ts",
];
